"""A file of separated text: its bytes, its rows and lines, and what no parser reports well."""

import codecs
import contextlib
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError

_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd", b"BZ": "bz2"}
BLOCK = 1 << 24
"""Bytes read at a time."""


def refuse_pipes(path: Path) -> None:
    """Refuse what is no plain file: a pipe waits for a writer, and is read once where we do twice.

    What is not there, or a folder, is left to whoever opens it.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: a pipe or a device, not a file; save what it gives as a file")


def compression_of(path: Path) -> str | None:
    with path.open("rb") as file:
        return _PACKED.get(file.read(2))


@dataclass
class TextFile:
    """The file as bytes and as rows of text, unpacked if need be."""

    path: Path
    compression: str | None
    delimiter: str = ","
    quotes: bool = False

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
                while chunk := stream.read(BLOCK):
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
            line = 1
            with contextlib.suppress(csv.Error):  # a field too long for this reader: stop here
                while (row := next(reader, None)) is not None:
                    if row:
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

    def header(self) -> tuple[list[str], int]:
        """The column names, and how many blank lines come before them."""
        self._scan()
        head = next(self.chunks(), b"")
        lines = io.StringIO(head[: 1 << 20].decode("utf-8-sig", errors="ignore"), newline="")
        first = next((line for line in lines if line.strip()), "")
        if not first:
            raise InputError(f"{self.title}: the file is empty; it needs a header line and rows")
        self.delimiter = _delimiter(first, self.path)
        try:
            line, names = next(self.rows())
        except (StopIteration, csv.Error) as error:
            raise InputError(f"{self.title}: the header cannot be read ({error})") from None
        return [name.strip() for name in names], line - 1

    def _scan(self) -> None:
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
    if "," in first:
        return ","
    best = max(";\t|", key=first.count)
    return best if best in first else ","
