"""Text that a spreadsheet would run: set off with an apostrophe in CSV files."""

import re

STARTS = r"[=+\-@\t\r\n＝＋－＠]"
"""What a formula starts with, also in full width; a pattern of Python's and Arrow's."""
_FORMULA = re.compile(f"'*{STARTS}")


def guarded(text: str) -> str:
    """The text with an apostrophe before what would be a formula, or look like one set off.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("a=b"), guarded("'tis")
    ("'=1+1", "''=1+1", 'a=b', "'tis")
    """
    return f"'{text}" if _FORMULA.match(text) else text
