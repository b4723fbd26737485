"""What users ask for: each verb with the record that it gives."""
