"""The studies, a file a family; one with an underscore holds what several families share.

A study is a record: name, title, design, tolerance, printed numbers, and a function that yields our
numbers in the order of the printed ones, with claims, figures and notes between them.
"""
