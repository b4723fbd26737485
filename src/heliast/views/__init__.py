"""Records to words, terminal tables and HTML. Knows the records' fields, not who made them."""
