"""Codes: matrices of 0 and 1, a row a class and a column a question. One file each."""
