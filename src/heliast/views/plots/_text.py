"""Text in a plot: made safe, cut to the space available, and numbers as people read them."""

import re
import unicodedata
from html import escape as _escape

# What XML 1.0 cannot hold, and marks that would turn the order of the text around them.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NARROW, _BROAD = frozenset("iljtf.,:;|'!()[] I"), frozenset("mwMW@%—…")
ELLIPSIS = "…"
# No plot has space for more letters than this, and names may be megabytes long.
_MOST_LETTERS = 2000
# Sums of widths in another order may differ in their last bits.
_ROUNDING = 1e-6


def escape(value: object) -> str:
    """The text as it may stand in an attribute or between tags.

    >>> escape('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return _escape(_FORBIDDEN.sub("\ufffd", str(value)), quote=True)


def plain(value: object) -> str:
    """The text on one line, without marks that change the direction of writing."""
    text = _FORBIDDEN.sub("\ufffd", _DIRECTIONS.sub("", str(value)))
    return " ".join(text.split())


def isolate(text: str) -> str:
    """Text written from right to left, kept from turning around what stands beside it.

    >>> isolate("tree"), len(isolate("\u05e2\u05e5"))
    ('tree', 4)
    """
    rightward = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"\u2068{text}\u2069" if rightward else text


def width(text: str, size: float) -> float:
    """About how many pixels wide the text is; rather too many than too few."""
    return sum(_letter_width(letter) for letter in text) * size


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _BROAD:
        return 0.95
    if letter.isascii():
        return 0.68 if letter.isupper() else 0.57
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" else 0.66


def fit(value: object, size: float, room: float) -> str:
    """The text, cut in its middle if it is too wide: names often differ at their ends alone.

    >>> fit("forest of 500 trees, depth 7", 10, 100)
    'forest of 5…depth 7'
    """
    text = plain(str(value)[:_MOST_LETTERS])
    if width(text, size) <= room + _ROUNDING:
        return text
    tail = text[len(text) - _letters_within(text[::-1], size, 0.4 * room) :]
    room -= width(ELLIPSIS + tail, size) + _ROUNDING
    return text[: _letters_within(text, size, room)].rstrip() + ELLIPSIS + tail.lstrip()


def _letters_within(text: str, size: float, room: float) -> int:
    """How many of the first letters fit into the room."""
    used = 0.0
    for count, letter in enumerate(text):
        used += _letter_width(letter) * size
        if used > room:
            return count
    return len(text)


def labelled(name: object, size: float, room: float, after: str = "") -> str:
    """A name cut to the room that the text after it leaves."""
    return isolate(fit(name, size, room - width(after, size))) + after


def wrap(text: str, size: float, room: float) -> list[str]:
    """The text on as many lines as it needs."""
    lines = [""]
    for word in plain(text).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fit(line, size, room) for line in lines]


def count(value: float) -> str:
    """A number of rows, or a sum of weights.

    >>> count(1234567.0), count(2.5)
    ('1,234,567', '2.5')
    """
    return f"{value:,.0f}" if value == round(value) or value >= 1000 else f"{value:.4g}"
