"""Every feature that the documents ask for, tried through the public API beside an oracle.

A module a question of the documents; a row is a function decorated with `feature`. The page
docs/features.md is made of them: python -m tests.documents.features
"""
