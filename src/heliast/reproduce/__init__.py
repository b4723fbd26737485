"""Reproduce: every number of the source documents, made again and set side by side.

The documents are a textbook chapter on classification assessment (chapter 22 of Zaki and Meira,
Data mining and machine learning), lecture notes on estimating and reducing the error of a
classifier (notes), two sets of slides (slides-r, slides-c), and G. James (1998), Majority vote
classifiers: theory and applications (thesis).
"""

from heliast.reproduce._registry import chosen, every, reproduce, study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Figure, Note, Outcome, Printed, Study, Value
from heliast.reproduce._views import outcome_markdown, outcome_text, summary_text, write_page

__all__ = [
    "Claim",
    "Figure",
    "Note",
    "Outcome",
    "Printed",
    "Setting",
    "Study",
    "Value",
    "chosen",
    "every",
    "outcome_markdown",
    "outcome_text",
    "reproduce",
    "study",
    "summary_text",
    "write_page",
]
