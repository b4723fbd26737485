"""Records of runs: JSON that is whole, signed, and says what no run would."""

import copy
import json
import random
from typing import Any

from heliast.fitting.store._files import checksum
from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, mutated
from tests.fuzz._stored import _DATA, store
from tests.fuzz._values import nasty

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 2**70, 0.5, -0.0, 1e308, "", "x", "run", "../..", "/", "²",
    "\x1b[31m", "::error::x", [], [[]], {}, {"a": {}}, [None], ["run"], [["bayes", "x", 1]],
    ["assess", "d.csv", "--model", "(subprocess.Popen)('x')"], ["runs", "resume", "kept"],
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


def signed(record: Any) -> bytes:
    """The record with the checksum that fits what it says, where it has one."""
    if isinstance(record, dict) and "checksum" in record:
        kinds = [key for key in record if key not in ("format", "checksum")]
        if len(kinds) == 1:
            said = json.dumps(record[kinds[0]], sort_keys=True).encode()
            record = {**record, "checksum": checksum(said)}
    return json.dumps(record, indent=1).encode()


@kind("records", 1000)
def records(rng: random.Random) -> Case:
    """`heliast runs` on a store whose records are signed and wrong."""
    files = dict(store())
    name = rng.choice([one for one in files if one.endswith(".json")])
    record = json.loads(files[name])
    for _ in range(rng.choice([1, 1, 2, 3])):
        record = changed(record, rng)
    files[name] = signed(record)
    if rng.random() < 0.15:
        files[name] = mutated(files[name], rng, BYTES)
    if rng.random() < 0.5:  # cells are missing, so that there is something to resume
        for cell in [one for one in files if one.startswith("kept/") and "runs" not in one][:2]:
            del files[cell]
    files["d.csv"] = _DATA.encode()
    told = rng.choice([
        ["list"], ["list", "--json"], ["show"], ["show", "--json"], ["show", name[10:20]],
        ["show", "-o", "out.parquet"], ["clean"], ["clean", "--yes"], ["clean", "--json"],
        ["resume"], ["resume", name[10:20]], ["show", nasty(rng)[:300].replace("\0", "")],
    ])  # fmt: skip
    case = Case(["runs", told[0], "kept", *told[1:]], files, keeps="kept")
    case.anywhere = "resume" in told or "-o" in told
    return case
