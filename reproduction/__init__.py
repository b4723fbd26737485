"""The printed numbers of five published texts, computed again with heliast and compared.

    python -m reproduction [STUDY ...] [--quick]
    python -m reproduction --list

Not part of the installed package: it uses heliast's public API as a user would.
"""
