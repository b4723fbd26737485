"""Records of runs: JSON that is whole, and says what no run would."""

import copy
import json
import random
from typing import Any

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, mutated
from tests.fuzz._stored import _DATA, store
from tests.fuzz._values import nasty

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 2**70, 0.5, -0.0, 1e308, "", "x", "run", "../..", "/", "²",
    "\x1b[31m", "::error::x", [], [[]], {}, {"a": {}}, [None], ["run"], [["bayes", "x", 1]],
    ["assess", "d.csv", "--model", "(subprocess.Popen)('x')"], ["runs", "list", "kept"],
    "0" * 10, "f" * 32, "9" * 5000, "KFold(k=3, repeats=1, stratify='auto')", "2026-13-45T99:99",
]  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON value, from the outside in."""
    found = [path] if path else []
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            found += _places(one, (*path, key))
    return found


def changed(value: Any, rng: random.Random) -> Any:
    """The value with one place taken out, put in, renamed, doubled or made something else."""
    value = copy.deepcopy(value)
    places = _places(value)
    if not places:
        return rng.choice(VALUES)
    *way, last = rng.choice(places)
    holder = value
    for step in way:
        holder = holder[step]
    roll = rng.random()
    if roll < 0.15:
        del holder[last]
    elif roll < 0.25 and isinstance(holder, dict):
        holder[nasty(rng)[:300]] = holder.pop(last)
    elif roll < 0.35 and isinstance(holder, list):
        holder.insert(last, copy.deepcopy(rng.choice(holder)))
    elif roll < 0.6:
        holder[last] = nasty(rng)[:3000]
    else:
        holder[last] = copy.deepcopy(rng.choice(VALUES))
    return value


@kind("records", 1000)
def records(rng: random.Random) -> Case:
    """`heliast runs` on a store whose records are wrong."""
    files = dict(store())
    name = rng.choice([name for name in files if name.startswith("kept/runs/")])
    record = json.loads(files[name])
    for _ in range(rng.choice([1, 1, 2, 3])):
        record = changed(record, rng)
    files[name] = json.dumps(record).encode()
    if rng.random() < 0.15:
        files[name] = mutated(files[name], rng, BYTES)
    files["d.csv"] = _DATA.encode()
    words = rng.choice([["list"], ["list", "--json"], ["clean"], ["clean", "--yes"]])
    return Case(["runs", words[0], "kept", *words[1:]], files, keeps="kept")
