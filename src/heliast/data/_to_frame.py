"""A Dataset out as a data frame, so that reading it back gives the same Dataset."""

from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError

if TYPE_CHECKING:
    from heliast.data._dataset import Dataset, Input


def to_frame(data: "Dataset", backend: str) -> Any:
    """See `Dataset.to_frame`."""
    import pyarrow as pa

    if backend not in ("pyarrow", "pandas", "polars"):
        raise InputError(f"backend={backend!r}: choose 'pyarrow', 'pandas' or 'polars'")
    columns = {one.name: _array(one) for one in data.inputs}
    if data.target in columns:
        raise InputError(f"an input and the target are both named {data.target!r}; rename one")
    columns[data.target] = pa.array(data.y.tolist())
    if data.group is not None:
        columns["group" if "group" not in columns else "group_"] = pa.array(data.group)
    table = pa.table(columns)
    if backend == "pandas":
        return table.to_pandas()
    if backend == "polars":
        import polars

        return polars.from_arrow(table)
    return table


def _array(one: "Input") -> Any:
    import pyarrow as pa

    if one.categories is None:
        return pa.array(one.values, mask=np.isnan(one.values))
    codes = pa.array(one.values.astype(np.int32), mask=one.values < 0)
    return pa.DictionaryArray.from_arrays(codes, pa.array(one.categories, pa.string()))
