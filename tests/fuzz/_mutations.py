"""What befalls files: of bytes, of lines, of cells."""

import bz2
import gzip
import random
import zlib
from collections.abc import Callable

from tests.fuzz._values import encoded, nasty

Mutation = Callable[[bytes, random.Random], bytes]


def _at(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


# --- bytes ---------------------------------------------------------------------------------------


def cut(content: bytes, rng: random.Random) -> bytes:
    return content[: _at(content, rng)]


def headless(content: bytes, rng: random.Random) -> bytes:
    return content[_at(content, rng) :]


def flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8, 40])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def overwrite(content: bytes, rng: random.Random) -> bytes:
    start = _at(content, rng)
    length = rng.choice([1, 2, 4, 8, 64])
    filled = rng.choice([b"\0", b"\xff", b"\x7f", b"\x80", rng.randbytes(1)]) * length
    return content[:start] + filled + content[start + length :]


def insert(content: bytes, rng: random.Random) -> bytes:
    start = _at(content, rng)
    some = rng.choice([b"\0", b"\0" * 50, b"\xff\xfe", b"\xef\xbb\xbf", b"\xe9", b"\xed\xa0\x80",
                       b"\x1a", b"\x0c", b"\x1b[2J", b'"', b"'", b"\r", b"\n\n\n", b",", b"\xc3",
                       rng.randbytes(rng.randrange(1, 30))])  # fmt: skip
    return content[:start] + some + content[start:]


def remove(content: bytes, rng: random.Random) -> bytes:
    start = _at(content, rng)
    return content[:start] + content[start + rng.choice([1, 1, 4, 100]) :]


def repeat(content: bytes, rng: random.Random) -> bytes:
    start = _at(content, rng)
    part = content[start : start + rng.choice([1, 10, 200])]
    return content[:start] + part * rng.choice([2, 3, 50]) + content[start:]


def empty(content: bytes, rng: random.Random) -> bytes:
    return rng.choice([b"", b"\n", b"\r\n\r\n", b" ", b"\xef\xbb\xbf", b"\0", b",", b"\n" * 999])


def noise(content: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice([1, 3, 16, 300]))


def encode(content: bytes, rng: random.Random) -> bytes:
    text = content.decode("utf-8", errors="replace")
    kind = rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1",
                       "cp1252", "utf-7", "cp037", "gb18030"])  # fmt: skip
    if kind in ("latin-1", "cp1252"):
        text = text.replace("b", "é").replace("a", "ü")
    return text.encode(kind, errors="replace")


def newlines(content: bytes, rng: random.Random) -> bytes:
    ends = rng.choice([[b"\r"], [b"\r\n"], [b"\r", b"\n", b"\r\n"], [b"\n\r"], [b"\x0b"],
                       ["\u2028".encode()], [b"\n\n"], [b"\r\r\n"]])  # fmt: skip
    return b"".join(line + rng.choice(ends) for line in content.split(b"\n"))


def pack(content: bytes, rng: random.Random) -> bytes:
    """Compressed, whole or not; now and then packed twice or a bomb."""
    how = rng.choice(["gzip", "gzip", "bz2", "zlib", "twice", "bomb", "magic"])
    if how == "magic":
        return (
            rng.choice([b"\x1f\x8b", b"BZ", b"BZh9", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0"]) + content
        )
    if how == "bomb":
        return gzip.compress(content + b"\n" * 2_000_000 + b"a" * 2_000_000, mtime=0)
    packed = {
        "gzip": lambda: gzip.compress(content, mtime=0),
        "bz2": lambda: bz2.compress(content),
        "zlib": lambda: zlib.compress(content),
        "twice": lambda: gzip.compress(gzip.compress(content, mtime=0), mtime=0),
    }[how]()
    return rng.choice([lambda c, r: c, cut, flip, overwrite])(packed, rng)


def disguise(content: bytes, rng: random.Random) -> bytes:
    """Another kind of file behind this name."""
    return rng.choice([
        b"PK\x03\x04" + content, b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"%PDF-1.7\n",
        b"PAR1" + content, b"PAR1PAR1", b"PAR1\0\0\0\0PAR1", b"PAR1\xff\xff\xff\x7fPAR1",
        b"ARROW1\0\0", b"SQLite format 3\0" + content, b"\x89HDF\r\n\x1a\n", b"\x80\x04K\x01.",
        b"GIF89a", b"\x7fELF", b"12345678DUCK" + content, b"<html><body>",
        b'{"truth": ["a", "b"]}', b"[" * 20_000, b"#!/bin/sh\nrm -rf /\n", b"OBJ1",
    ])  # fmt: skip


BYTES: list[Mutation] = [
    cut, cut, headless, flip, flip, overwrite, insert, insert, remove, repeat, empty, noise,
    encode, newlines, pack, disguise,
]  # fmt: skip


# --- lines ---------------------------------------------------------------------------------------


def lines(content: bytes, rng: random.Random) -> bytes:
    rows = content.split(b"\n")
    at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
    how = rng.randrange(9)
    if how == 0:
        del rows[at]
    elif how == 1:
        rows.insert(at, rows[other])
    elif how == 2:
        rows[at], rows[other] = rows[other], rows[at]
    elif how == 3:
        rows.insert(at, b"")
    elif how == 4:
        rows = rows[: rng.choice([1, 2, 3])]
    elif how == 5:
        rows.insert(at, rows[0])
    elif how == 6:
        rng.shuffle(rows)
    elif how == 7:
        rows[at] = rows[at] * rng.choice([2, 100])
    else:
        rows[at] = rows[at][: rng.randrange(len(rows[at]) + 1)]
    return b"\n".join(rows)


# --- cells ---------------------------------------------------------------------------------------


def _grid(content: bytes) -> tuple[list[list[bytes]], bytes]:
    first = content.split(b"\n", 1)[0]
    delimiter = max((b",", b";", b"\t", b"|"), key=first.count)
    return [row.split(delimiter) for row in content.split(b"\n") if row], delimiter


def _joined(rows: list[list[bytes]], delimiter: bytes) -> bytes:
    return b"\n".join(delimiter.join(row) for row in rows) + b"\n"


def _quoted(value: bytes, delimiter: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.4:
        return b'"' + value.replace(b'"', b'""') + b'"'
    return value


def cell(content: bytes, rng: random.Random) -> bytes:
    """Some cells, often of one column, get a value they should not have."""
    rows, delimiter = _grid(content)
    if not rows:
        return content
    column = rng.randrange(len(rows[0]))
    value = _quoted(encoded(nasty(rng)), delimiter, rng)
    often = rng.choice([0.0, 0.0, 0.1, 1.0]) if len(value) < 1000 else 0.0
    picked = rng.randrange(len(rows))
    for at, row in enumerate(rows):
        if (at == picked or rng.random() < often) and column < len(row):
            row[column] = value
    return _joined(rows, delimiter)


def shape(content: bytes, rng: random.Random) -> bytes:
    """Cells or columns too many, too few, or in other places."""
    rows, delimiter = _grid(content)
    if not rows:
        return content
    row = rng.choice(rows)
    at = rng.randrange(len(row))
    how = rng.randrange(7)
    if how == 0:
        del row[at]
    elif how == 1:
        row.insert(at, encoded(nasty(rng)[:99]))
    elif how == 2:
        rng.shuffle(row)
    elif how == 3:
        for one in rows:
            del one[at:]
    elif how == 4:
        for one in rows:
            one.append(one[min(at, len(one) - 1)] if one else b"")
    elif how == 5:
        wide = rng.choice([50, 3_000])
        rows = [[*one, *(b"%d" % number for number in range(wide))] for one in rows[:12]]
    else:
        delimiter = rng.choice([b",", b";", b"\t", b"|", b" ", b"::", b"\x01"])
    return _joined(rows, delimiter)


def header(content: bytes, rng: random.Random) -> bytes:
    rows, delimiter = _grid(content)
    if not rows:
        return content
    names = rows[0]
    at, other = rng.randrange(len(names)), rng.randrange(len(names))
    how = rng.randrange(5)
    if how == 0:
        names[at] = names[other]
    elif how == 1:
        names[at] = encoded(nasty(rng))
    elif how == 2:
        names[at] = rng.choice([
            b"truth", b"y_pred", b"y_true", b"prob_a", b"score", b"score_z", b"weight", b"split",
            b"row", b"in_train", b"group", b"model", b"Truth", b"class", b"p", b"votes_a",
            b"decision", b"p_", b"score_1e400", b"prob_nan", b"score_" + b"9" * 5_000, b"target",
        ])  # fmt: skip
    elif how == 3:
        rows[0] = [name.upper() for name in names]
    else:
        rows = [[b"x" * rng.choice([1, 70_000]), *names[1:]], *rows[1:]]
    return _joined(rows, delimiter)


SUBTLE: list[Mutation] = [*[cell] * 8, shape, header, header, lines]
"""What leaves most of a table as it was, so that it gets past the first look at it."""


def text(content: bytes, rng: random.Random) -> bytes:
    """Something happens to a table of text."""
    ways = SUBTLE if rng.random() < 0.65 else BYTES
    return rng.choice(ways)(content, rng)


TEXT: list[Mutation] = [text]


def mutated(content: bytes, rng: random.Random, ways: list[Mutation]) -> bytes:
    """One to three things happen to a file; to one in thirty nothing."""
    if rng.random() < 1 / 30:
        return content
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        content = rng.choice(ways)(content, rng)
        if len(content) > 8_000_000:
            return content[:8_000_000]
    return content
