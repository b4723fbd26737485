"""Mean ranks with the names of their models, from whatever record has them."""

from collections.abc import Sequence
from typing import Any, Protocol

from heliast._core.errors import InputError
from heliast.comparisons import NemenyiResult


class Ranked(Protocol):
    """Several models over several data sets, with their mean ranks where these could be tested."""

    @property
    def models(self) -> tuple[str, ...]: ...
    @property
    def nemenyi(self) -> NemenyiResult | None: ...


def ranks_of(found: Any, names: Sequence[str] | None) -> tuple[NemenyiResult, list[str]]:
    """The ranks in a `NemenyiResult`, a `Comparison` or a `Benchmark`, and the models' names."""
    record = found if isinstance(found, NemenyiResult) else getattr(found, "nemenyi", None)
    if not isinstance(record, NemenyiResult):
        raise InputError(
            "critical_difference: needs ranks of three or more models over several data sets: "
            "compare({name: table, ...}), or comparisons.nemenyi(table)"
        )
    if names is None:
        names = getattr(found, "models", None) or [
            f"model {j + 1}" for j in range(len(record.ranks))
        ]
    if len(names) != len(record.ranks):
        raise InputError(f"names: {len(record.ranks)} models need as many names, got {len(names)}")
    return record, [str(name) for name in names]
