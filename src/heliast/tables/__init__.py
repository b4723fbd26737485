"""Tables in: files of any kind and data frames to named columns, and what their columns mean."""
