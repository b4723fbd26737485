"""Columns of any library that speaks Arrow: pandas, polars, pyarrow, DuckDB."""

from typing import Any

import numpy as np

from heliast._core.columns import MULTI, NONE, Column, from_array
from heliast._core.errors import InputError
from heliast._core.kinds import Array


def from_arrow(values: Any, name: str) -> Column | None:
    """A column of any library that speaks Arrow; None if it cannot say it in Arrow."""
    import pyarrow as pa

    try:
        chunks = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array(values)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError):
        return None
    return _from_chunks(chunks, name)


def _from_chunks(chunks: Any, name: str) -> Column:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = chunks.type
    if pa.types.is_dictionary(kind):
        if _is_text(kind.value_type):
            return _from_dictionary(chunks, name)
        return _from_chunks(chunks.cast(kind.value_type), name)
    if _is_text(kind):
        plain = chunks.cast(pa.large_string()) if pa.types.is_string_view(kind) else chunks
        return _from_dictionary(plain.dictionary_encode(), name)
    if pa.types.is_null(kind):
        gone = np.arange(len(chunks))
        return Column(name, np.full(len(chunks), np.nan), "number", gone)
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        chunks = chunks.cast(pa.float64())
    elif pa.types.is_struct(kind):
        first = kind.field(0).name if kind.num_fields else "..."
        raise InputError(
            f"{name}: it holds records, nested: name what to read of them, such as '{name}.{first}'"
        )
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        raise InputError(f"{name}: values of type {kind} are not labels; {MULTI}")
    elif not (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InputError(f"{name}: values of type {kind} are not labels; convert to text")
    if not chunks.null_count:
        return from_array(_numbers(chunks), name)
    gone = np.flatnonzero(pc.is_null(chunks).to_numpy())
    filled = chunks.fill_null(False if pa.types.is_boolean(chunks.type) else 0)
    found = from_array(filled.to_numpy(), name)
    missing = np.union1d(found.missing, gone)
    return Column(name, found.values, found.kind, missing)


def _numbers(chunks: Any) -> Array:
    """Numbers or truths without nulls.

    Arrow's own `to_numpy` (and `fill_null`) imports pandas where it is installed, which takes
    longer than the rest of a small job.
    """
    import pyarrow as pa

    if pa.types.is_boolean(chunks.type):  # eight in a byte
        return _numbers(chunks.cast(pa.uint8())).astype(np.bool_)
    parts = [np.from_dlpack(chunk) for chunk in chunks.chunks if len(chunk)]
    found: Array = np.concatenate(parts) if parts else chunks.to_numpy()
    return found


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _from_dictionary(chunks: Any, name: str) -> Column:
    import pyarrow as pa

    chunks = chunks.unify_dictionaries()
    if chunks.num_chunks == 0:
        return Column(name, np.empty(0, np.int32), "text", NONE)
    # Some libraries count codes without a sign, where -1 for "missing" has no place.
    signed = [chunk.indices.cast(pa.int64()) for chunk in chunks.chunks]
    filled = [codes.fill_null(-1) if codes.null_count else codes for codes in signed]
    whole = np.concatenate([np.from_dlpack(codes) for codes in filled]).astype(np.int32)
    dictionary = chunks.chunk(0).dictionary
    words = dictionary.cast(pa.large_string()).to_pylist()
    if whole.size and whole.max() >= len(words):
        raise InputError(f"{name}: its dictionary lacks values that rows refer to; damaged")
    if dictionary.null_count or len(dictionary.unique()) < len(words):
        # A dictionary may hold nulls or a word twice: each word gets its first code, null -1.
        place: dict[str, int] = {}
        recode = [-1 if word is None else place.setdefault(word, len(place)) for word in words]
        whole, words = np.array([*recode, -1], np.int32)[whole], list(place)
    missing = np.flatnonzero(whole < 0) if whole.size and whole.min() < 0 else NONE
    return Column(name, whole, "text", missing, tuple(words))
