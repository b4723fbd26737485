"""Decoders: from the answers of the columns to one score a class, largest wins. One file each."""
