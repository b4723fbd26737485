"""A file of separated text: its bytes, its rows and lines, and what no parser reports well."""

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.tables.opened import PACKED
from heliast.tables.room import INSTEAD

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>", "None")
"""Fields that say a value is missing, unless they are quoted (an empty field always does)."""
BLOCK = 1 << 24
"""Bytes read at a time."""
_PREFACE = re.compile(r"sep=(.)|=== .+ ===|#[^,;\t|]*")
"""Lines before the header: what separates the columns (Excel), a title (Weka), a comment."""
_FRACTION = rb'(?:^|[%b"])[ ]*[+-]?[0-9]*%b[0-9]+(?:[eE][+-]?[0-9]+)?[ ]*(?=[%b"\r\n]|$)'
_COMMA = (r"^(\s*[+-]?\d*),(\d+(?:[eE][+-]?\d+)?\s*)$", r"\1.\2")
_CODE = (r"^\s*\d+:\??", "")
_MARK = (r"^\s*\*", "")
_WEKA = ("inst#", "actual", "predicted", "error")


@dataclass
class TextFile:
    """The file as bytes and as rows of text, unpacked if need be.

    `header` finds the names of the columns, what separates them, whether there are quotes, and
    how many lines come before; then `table` and `batches` give columns by their position.
    """

    path: Path
    names: list[str] = field(default_factory=list)
    delimiter: str = ","
    quotes: bool = False
    skip: int = 0
    most: int | None = None
    """Bytes, unpacked, from which the file is refused: a small one may unpack to any number."""
    decimal: str = "."
    rewrites: dict[int, tuple[str, str]] = field(default_factory=dict)
    """A pattern and what to write instead, for the texts of columns by their position."""

    @cached_property
    def compression(self) -> str | None:
        with self.path.open("rb") as file:
            return PACKED.get(file.read(2))

    @property
    def title(self) -> str:
        return self.path.name

    @property
    def stem(self) -> str:
        inner = self.path.stem if self.compression else self.path.name
        return Path(inner).stem

    def open(self) -> Any:
        import pyarrow as pa

        return pa.input_stream(str(self.path), compression=self.compression)

    def chunks(self) -> Iterator[bytes]:
        try:
            with self.open() as stream:
                total = 0
                while chunk := stream.read(BLOCK):
                    total += len(chunk)
                    if self.most is not None and total > self.most:
                        raise InputError(
                            f"{self.title}: more than {self.most / 1e6:,.0f} MB of text, more than "
                            f"a table may take here; {INSTEAD}"
                        )
                    yield chunk
        except OSError as error:
            raise InputError(f"{self.title}: cannot be read ({error})") from None

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Each row that is not blank, with the line it starts on; slow, for messages only."""
        with self.open() as stream:
            wrapped = io.TextIOWrapper(
                io.BufferedReader(stream), "utf-8-sig", errors="replace", newline=""
            )
            reader = csv.reader(wrapped, delimiter=self.delimiter)
            line, begun = 1, False
            with contextlib.suppress(csv.Error):  # a field too long for this reader: stop here
                while (row := next(reader, None)) is not None:
                    begun = begun or not _PREFACE.fullmatch(self.delimiter.join(row))
                    if row and begun:
                        yield line, row
                    line = reader.line_num + 1

    def lines(self, positions: Sequence[int]) -> list[int]:
        """The line of each data row; the header is line 1 unless blank lines come before it."""
        wanted = set(positions)
        found: dict[int, int] = {}
        for at, (line, _) in enumerate(self.rows(), start=-1):
            if at in wanted:
                found[at] = line
            if len(found) == len(wanted):
                break
        return [found.get(position, position + 2) for position in positions]

    @property
    def notes(self) -> list[str]:
        """What there is to say of the file."""
        said = [] if self.delimiter == "," else [f"columns separated by {self.delimiter!r}"]
        return said if self.decimal == "." else [*said, "decimal commas: 0,5 read as 0.5"]

    def header(self) -> list[str]:
        """The fields of the first line that is not blank: the names of the columns, as a rule."""
        self.check()
        head = next(self.chunks(), b"")
        lines = io.StringIO(head[: 1 << 20].decode("utf-8-sig", errors="ignore"), newline="")
        told, first = "", next((line for line in lines if line.strip()), "")
        while preface := _PREFACE.fullmatch(first.strip("\r\n")):
            told, first = preface[1] or told, next((line for line in lines if line.strip()), "")
        if not first:
            raise InputError(f"{self.title}: the file is empty; it needs a header line and rows")
        self.delimiter = told or _delimiter(first, self.path)
        try:
            (line, names), *more = islice(self.rows(), 2)
        except (ValueError, csv.Error) as error:
            raise InputError(f"{self.title}: the header cannot be read ({error})") from None
        if more and re.fullmatch("[-=:+ ]*-{3}[-=:+ ]*", "".join(more[0][1])):
            raise InputError(
                f"{self.title}: line {more[0][0]} is a line drawn beneath the header, as Markdown "
                "and databases print tables: take the line away"
            )
        names[0] = names[0].removeprefix("# ")  # as numpy.savetxt begins it
        self.names, self.skip = [name.strip() for name in names], line - 1
        if self.delimiter != "," and _decimal_commas(head, self.delimiter):
            self.decimal = ","
            self.rewrites = dict.fromkeys(range(len(self.names)), _COMMA)
        if tuple(self.names[:4]) == _WEKA:
            self._from_weka()
        return self.names

    def _from_weka(self) -> None:
        """Labels without their codes (`1:no`), and one name for each of several probabilities."""
        if "distribution" in self.names:
            first = self.names.index("distribution")
            rows = self.rows()
            next(rows)
            lacking = len(next(rows, (0, self.names))[1]) - len(self.names)
            rest = [*self.names[first + 1 :], *[""] * lacking]  # the first name stands for all
            count = next((at for at, name in enumerate(rest) if name), len(rest)) + 1
            self.names = [*self.names[:first], *map(str, range(count)), *rest[count - 1 :]]
            known = self._codes()
            each = (known.get(code, f"#{code}") for code in range(1, count + 1))
            self.names[first : first + count] = [f"distribution_{label}" for label in each]
            self.rewrites |= dict.fromkeys(range(first, first + count), _MARK)
        self.rewrites |= {1: _CODE, 2: _CODE}

    def _codes(self) -> dict[int, str]:
        """The class of each of Weka's codes, of those that occur."""
        import pyarrow as pa

        found: set[str] = set()
        with contextlib.suppress(pa.ArrowInvalid):  # ragged lines are told of by who reads them
            for batch in self.batches({1: pa.string(), 2: pa.string()}):
                for column in batch.columns:
                    found |= set(column.unique().drop_null().to_pylist())
        split = (text.strip().partition(":") for text in found)
        return {int(code): label for code, _, label in split if code.isdigit() and label != "?"}

    def table(
        self, types: Mapping[int, Any], headless: bool = False, missing: Sequence[str] = MISSING
    ) -> Any:
        """The columns at these positions as an Arrow table of these types; they are its names."""
        import pyarrow.csv as arrow

        with self.open() as stream:
            return self._rewritten(
                arrow.read_csv(stream, **self._options(types, headless, missing))
            )

    def batches(self, types: Mapping[int, Any]) -> Iterator[Any]:
        """The same, a part at a time."""
        import pyarrow.csv as arrow

        with self.open() as stream:
            for batch in arrow.open_csv(stream, **self._options(types, False, MISSING)):
                yield self._rewritten(batch)

    def _rewritten(self, part: Any) -> Any:
        """A table or a batch, its texts as others write them."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for at, (name, kind) in enumerate(zip(part.schema.names, part.schema.types, strict=True)):
            if int(name) in self.rewrites and kind == pa.string():
                pattern, instead = self.rewrites[int(name)]
                changed = pc.replace_substring_regex(part.column(at), pattern, instead)
                part = part.set_column(at, name, changed)
        return part

    def _options(
        self, types: Mapping[int, Any], headless: bool, missing: Sequence[str]
    ) -> dict[str, Any]:
        import pyarrow.csv as arrow

        named = {str(at): kind for at, kind in types.items()}
        return {
            "read_options": arrow.ReadOptions(
                column_names=[str(at) for at in range(len(self.names))],
                skip_rows=self.skip,
                skip_rows_after_names=0 if headless else 1,
                block_size=BLOCK,
            ),
            "parse_options": arrow.ParseOptions(
                delimiter=self.delimiter, newlines_in_values=self.quotes
            ),
            "convert_options": arrow.ConvertOptions(
                include_columns=list(named),
                column_types=named,
                null_values=list(missing),
                decimal_point=self.decimal,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        }

    def misshapen(self, error: Exception) -> InputError:
        """What Arrow could not read, told with the line it stands on."""
        width = len(self.names)
        for line, row in self.rows():
            if len(row) != width:
                more = ", or name the row names in the first line" if len(row) == width + 1 else ""
                return InputError(
                    f"line {line} has {len(row)} {'field' if len(row) == 1 else 'fields'} but the "
                    f"first line has {width}; correct the line (a text that holds "
                    f"{self.delimiter!r} must be quoted){more}"
                )
        return InputError(f"the file cannot be read as CSV ({error})")

    def check(self) -> None:
        """One pass over the bytes for what no parser reports well."""
        offset, line = 0, 1
        decoder = codecs.getincrementaldecoder("utf-8")()
        for chunk in self.chunks():
            if offset == 0 and chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise InputError(
                    f"{self.title}: encoded as UTF-16 (byte order mark at byte 0), not UTF-8; "
                    f"convert it: iconv -f UTF-16 -t UTF-8 {self.title} > new.csv"
                )
            zero = chunk.find(b"\0")
            if zero >= 0:
                line += chunk.count(b"\n", 0, zero)
                raise InputError(
                    f"{self.title}: a NUL byte at byte {offset + zero} (line {line}): not a text "
                    "file, or damaged, or UTF-16; write it as CSV in UTF-8"
                )
            self._check_encoding(chunk, decoder, offset, line)
            self.quotes = self.quotes or b'"' in chunk
            offset += len(chunk)
            line += chunk.count(b"\n")
        if decoder.getstate()[0]:
            raise InputError(f"{self.title}: the file ends within a character; it is cut short")

    def _check_encoding(self, chunk: bytes, decoder: Any, offset: int, line: int) -> None:
        if chunk.isascii() and not decoder.getstate()[0]:
            return
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as error:
            at = error.start - held
            line += chunk.count(b"\n", 0, max(at, 0))
            byte = error.object[error.start]
            raise InputError(
                f"{self.title}: byte {offset + at} (line {line}) is 0x{byte:02x}, which is not "
                "UTF-8; convert the file, for example from Latin-1: iconv -f LATIN1 -t UTF-8 "
                f"{self.title} > new.csv"
            ) from None


def _delimiter(first: str, path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".tsv" in suffixes or ".tab" in suffixes:
        return "\t"
    plain = re.sub(r'"[^"]*"', "", first)
    if "," in plain:
        return ","
    best = max(";\t|", key=plain.count)
    return best if best in plain else ","


def _decimal_commas(head: bytes, delimiter: str) -> bool:
    """Whether fractions are written with commas, and none with a point."""
    edge = re.escape(delimiter.encode())
    comma, point = (
        re.search(_FRACTION % (edge, mark, edge), head, re.MULTILINE) for mark in (b",", rb"\.")
    )
    return comma is not None and point is None
