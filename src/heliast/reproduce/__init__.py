"""Reproduce: every number of the source documents, made again and set side by side.

The documents are a textbook chapter on classification assessment (chapter 22 of Zaki and Meira,
Data mining and machine learning), lecture notes on estimating and reducing the error of a
classifier (notes), two sets of slides (slides-r, slides-c), and G. James (1998), Majority vote
classifiers: theory and applications (thesis).

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
