"""The studies, a file for each family; importing a file registers its studies."""

from reproduction.studies import (  # noqa: F401
    chapter_iris,
    chapter_tables,
    slides,
    thesis_coded,
    thesis_concentric,
    thesis_margins,
    thesis_parts,
    thesis_sentences,
    thesis_votes,
    thesis_worked,
)
