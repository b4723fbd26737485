"""Notes: words with a key of what they are about. Code asks the key, people read the words."""

from collections.abc import Mapping, Sequence

UNFINISHED = "unfinished"
"""The key of what a table says of a run that is not done."""
FAILED = "failed"
"""The key of why a model has no value: it failed in every split."""
VALIDATED = "validated"
"""The key of what an estimate says of its model: chosen on rows that it is not judged by."""

MIXED = "mixed"
"""The key of what a plan says that trains models on rows later than those that they predict."""


class Note(str):
    """Words with a key; anywhere else it is the text that it says.

    >>> note = Note("only 8 groups: the interval may be too narrow", "groups")
    >>> note.key, note == "only 8 groups: the interval may be too narrow"
    ('groups', True)
    """

    __slots__ = ("key",)
    key: str

    def __new__(cls, words: str, key: str = "") -> "Note":
        """Words, and the key that they are known by; empty if they are of no known kind."""
        note = super().__new__(cls, words)
        note.key = key
        return note

    def __reduce__(self) -> tuple[type["Note"], tuple[str, str]]:
        return Note, (str(self), self.key)


def key_of(words: str) -> str:
    """The key of a note; empty for plain words.

    >>> key_of("plain words")
    ''
    """
    return words.key if isinstance(words, Note) else ""


def keys_of(notes: Sequence[str]) -> dict[str, str]:
    """The keys of those notes that have one, for a file that keeps the words."""
    return {str(note): note.key for note in notes if isinstance(note, Note)}


def with_keys(notes: Sequence[str], keys: Mapping[str, str]) -> tuple[str, ...]:
    """Notes from a file with their keys.

    Files of before there were keys have the one that matters in their words.
    """
    old = {note: UNFINISHED for note in notes if note.startswith(f"{UNFINISHED}: ")}
    known = {**old, **keys}
    return tuple(Note(note, known[note]) if note in known else note for note in notes)


NOT_ASKED = Note("no interval asked for", "not asked")
"""Why an estimate has no interval where the user wants values alone."""
