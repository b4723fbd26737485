"""Columns of vectors, such as the probabilities of all classes in one field, to plain columns."""

from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError

_SPARSE = r"^\s*\((\d+),\s*\[([^\]]*)\],\s*\[([^\]]*)\]\)\s*$"
_SPARK = ("type", "size", "indices", "values")


def is_vector(kind: str, first: object = None) -> bool:
    """Whether a column of this type (DuckDB's word) holds vectors; of texts, the first tells.

    >>> is_vector("DOUBLE[]"), is_vector("VARCHAR", "[0.1,0.9]"), is_vector("VARCHAR", "yes")
    (True, True, False)
    """
    if kind == "VARCHAR":
        return isinstance(first, str) and first.lstrip()[:1] in ("[", "(")
    return kind.endswith("]") or kind.startswith("STRUCT")


def as_list(sql: str, kind: str, fields: list[str]) -> str:
    """The vector as a list of numbers, in SQL: dense or sparse, as Spark and NumPy write them."""
    if kind == "VARCHAR":
        size, at, values = (f"regexp_extract({sql}, '{_SPARSE}', {part})" for part in (1, 2, 3))
        bare = rf"regexp_replace({sql}, 'np\.float\d+\(([^)]*)\)', '\1', 'g')"  # str of a list
        dense = rf"regexp_split_to_array(trim({bare}, '[] ' || chr(10)), '[,;\s]+')"
        sparse = _filled(
            f"TRY_CAST({size} AS BIGINT)",
            f"TRY_CAST(string_split({at}, ',') AS BIGINT[])",
            f"TRY_CAST(string_split({values}, ',') AS DOUBLE[])",
        )
        return (
            f"CASE WHEN {sql} IS NULL THEN NULL WHEN regexp_matches({sql}, '{_SPARSE}') "
            f"THEN {sparse} ELSE CAST({dense} AS DOUBLE[]) END"
        )
    if set(fields) <= set(_SPARK) and "values" in fields:
        plain = f"CAST({sql}.values AS DOUBLE[])"
        if "indices" not in fields:
            return plain
        sparse = _filled(f"{sql}.size", f"CAST({sql}.indices AS BIGINT[])", plain)
        return f"CASE WHEN {sql}.indices IS NULL THEN {plain} ELSE {sparse} END"
    if fields:
        each = (f"{sql}[{_text(name)}]" for name in fields)
        return f"CASE WHEN {sql} IS NULL THEN NULL ELSE [{', '.join(each)}] END"
    return f"CAST({sql} AS DOUBLE[])"


def _filled(size: str, at: str, values: str) -> str:
    """A sparse vector: what is not written is 0."""
    found = f"list_extract({values}, list_position({at}, place))"
    return f"[coalesce({found}, 0.0) for place in range({size})]"


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def names_of(ask: Any, source: str, sql: str, kind: str, name: str) -> tuple[str, list[str]]:
    """The SQL of the list of numbers, and a name for each: of its fields, or its places.

    `ask` runs a query and gives its rows.
    """
    fields = []
    if kind.startswith("STRUCT"):
        fields = [
            row[0] for row in ask(f"SELECT unnest(struct_keys({sql})) FROM {source} LIMIT 64")
        ]
        fields = list(dict.fromkeys(fields))
    numbers = as_list(sql, kind, fields)
    lengths = [
        row[0] for row in ask(f"SELECT DISTINCT len({numbers}) AS n FROM {source} ORDER BY n")
    ]
    there = [length for length in lengths if length is not None]
    if len(there) != 1 or not there[0]:
        found = f"of {there[0]} and of {there[-1]} numbers" if there else "none in any row"
        raise InputError(
            f"column {name!r} holds vectors {found}: each row needs one number a class"
        )
    by_name = bool(fields) and "values" not in fields
    return numbers, fields if by_name else [str(place) for place in range(there[0])]


def spread(values: Any, name: str) -> dict[str, Column] | None:
    """A column of vectors as one column for each place or field; None if it holds none."""
    import duckdb
    import pyarrow as pa
    import pyarrow.compute as pc

    values = _as_arrow(values)
    if values is None or pa.types.is_primitive(values.type):
        return None
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    first = pc.drop_null(values).slice(0, 1).to_pylist() if len(values) else []
    base = duckdb.connect()
    try:
        base.from_arrow(pa.table({"v": values})).create_view("given")
        kind = str(base.sql("DESCRIBE given").fetchall()[0][1])
        if not first or not is_vector(kind, first[0]):
            return None

        def ask(sql: str) -> list[Any]:
            return base.sql(sql).fetchall()

        numbers, places = names_of(ask, "given", "v", kind, name)
        each = ", ".join(f"list_extract(n, {at + 1}) AS c{at}" for at in range(len(places)))
        table = base.sql(f"SELECT {each} FROM (SELECT {numbers} AS n FROM given)").to_arrow_table()
        return {place: column(table[f"c{at}"], name) for at, place in enumerate(places)}
    except duckdb.Error as error:
        said = str(error).split("\n")[0][:200]
        raise InputError(f"column {name!r} holds vectors that cannot be read ({said})") from None
    finally:
        base.close()


def _as_arrow(values: Any) -> Any:
    """The column in Arrow, vectors of Spark and NumPy as lists; None if it cannot be said there."""
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        return values
    try:
        if hasattr(values, "__arrow_c_stream__"):
            return pa.chunked_array(values)
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError):
        pass
    if getattr(getattr(values, "dtype", None), "kind", "O") != "O":
        return None
    try:
        items = (one.toArray() if hasattr(one, "toArray") else one for one in values)
        listed = [one.tolist() if hasattr(one, "tolist") else one for one in items]
        return pa.chunked_array([pa.array(listed)])
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None
