"""What lies on disk beside tables: cells of a store, databases, parts, and no files at all."""

import functools
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from heliast.fitting.store import _checksum
from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, TEXT, cut, flip, mutated, overwrite
from tests.fuzz._parquets import DAMAGE, ours, parquet
from tests.fuzz._tables import data, predictions
from tests.fuzz._values import WORDS, encoded, nasty

# --- cells ---------------------------------------------------------------------------------------

_DATA = "u,class\n" + "".join(f"{at * 37 % 11}.5,{'ab'[at * 5 % 7 % 2]}\n" for at in range(24))
_RUN = ["run", "d.csv", "-o", "out.parquet", "--model", "bayes", "--plan", "3", "--store", "kept"]


@functools.cache
def store() -> dict[str, bytes]:
    """The files of a store that a finished run has left."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "d.csv").write_text(_DATA)
        words = [sys.executable, "-m", "heliast.cli", *_RUN]
        subprocess.run(words, cwd=place, check=True, capture_output=True, env=dict(os.environ))
        kept = place / "kept"
        files = sorted(one for one in kept.rglob("*") if one.is_file())
        return {str(one.relative_to(place)): one.read_bytes() for one in files}


@kind("cells", 1500)
def cells(rng: random.Random) -> Case:
    """A run that finds a store damaged: it does the work again, or refuses the folder."""
    files = dict(store())
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice([*files])
        content = files.pop(name)
        roll = rng.random()
        if roll < 0.6:
            files[name] = mutated(content, rng, DAMAGE)
        elif roll < 0.85:
            files |= _forged(name, content, rng)
        elif roll < 0.95:
            files[
                name.replace(".parquet", rng.choice([".bad", ".part", "", ".parquet.parquet"]))
            ] = content
        files = files or {"kept/x": b""}
    odd = {}
    if rng.random() < 0.05:
        files, odd = {}, {"kept": rng.choice(["folder", "fifo", "link:kept", "link:nowhere"])}
    elif rng.random() < 0.03:
        files = {"kept": b"a file, not a folder"}
    files["d.csv"] = _DATA.encode()
    if rng.random() < 0.5:
        return Case([*_RUN], files, odd, outputs=("out.parquet",), keeps="kept")
    words = rng.choice([["list"], ["list", "--json"], ["clean"]])
    return Case(["runs", words[0], "kept", *words[1:]], files, odd, keeps="kept")


def _forged(name: str, content: bytes, rng: random.Random) -> dict[str, bytes]:
    """Other bytes, with the checksum that fits them."""
    content = rng.choice([
        lambda: mutated(content, rng, DAMAGE),
        lambda: parquet(rng),
        lambda: ours(rng.randrange(10)),
    ])()  # fmt: skip
    beside = name.replace(".parquet", ".json")
    if not name.endswith(".parquet") or beside not in store():
        return {name: content}
    cell = json.loads(store()[beside])["cell"]
    about = json.dumps({"checksum": _checksum(cell, content), "cell": cell})
    return {name: content, beside: about.encode()}


# --- databases -----------------------------------------------------------------------------------


@functools.cache
def duck(which: int) -> bytes:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.duckdb"
        with duckdb.connect(str(path)) as base:
            made = "SELECT CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END AS truth, "
            made += "CASE WHEN i % 4 = 0 THEN 'a' ELSE 'b' END AS label"
            if which == 1:
                made += ", i / 50.0 AS score, [i] AS x"
            base.execute(f"CREATE TABLE t AS {made} FROM range(48) AS r(i)")
            if which == 2:
                base.execute("CREATE TABLE u (truth INTEGER, label DATE)")
            if which == 3:
                base.execute("CREATE VIEW v AS SELECT * FROM read_csv('/etc/passwd')")
        return path.read_bytes()


@kind("databases", 1000)
def databases(rng: random.Random) -> Case:
    name, content = "b.duckdb", duck(rng.randrange(4))
    if rng.random() < 0.8:
        content = mutated(content, rng, [*BYTES, cut, cut, *[flip] * 6, *[overwrite] * 6])
    named = rng.choice(
        [name, name, f"{name}::t", f"{name}::u", f"{name}::", f"{name}::{rng.choice(WORDS)}"]
    )
    argv = [
        "assess",
        named.replace("\0", ""),
        *rng.choice([[], ["--json"], ["--table", "t"], ["--no-scan"]]),
    ]
    return Case(argv, {name: content})


# --- scans ---------------------------------------------------------------------------------------


@kind("scans", 1000)
def scans(rng: random.Random) -> Case:
    """Files read by the engine: one, a folder of parts, a pattern."""
    memory = rng.choice([[], [], ["--memory", "200MB"]])
    roll = rng.random()
    if roll < 0.35:
        return Case(
            ["assess", "p.csv", "--scan", *memory],
            {"p.csv": mutated(predictions(rng), rng, TEXT)},
            main="p.csv",
        )
    if roll < 0.65:
        return Case(
            ["assess", "p.parquet", "--scan", *memory],
            {"p.parquet": parquet(rng)},
            main="p.parquet",
        )
    which = rng.randrange(10)
    suffix = rng.choice(["parquet", "csv"])
    table = predictions(rng)
    parts = {
        f"parts/{at}.{suffix}": ours(which) if suffix == "parquet" else table for at in range(3)
    }
    broken = rng.choice([*parts])
    parts[broken] = parquet(rng) if suffix == "parquet" else mutated(table, rng, TEXT)
    if rng.random() < 0.2:
        parts[f"parts/{rng.choice(['_SUCCESS', '.x', 'x.txt', 'y.csv', 'z.parquet', 'é.csv'])}"] = (
            b"?"
        )
    return Case(
        [
            "assess",
            rng.choice(["parts", "parts/*", f"parts/*.{suffix}", "pa*/**", "parts/[0-9].*"]),
            *memory,
        ],
        parts,
    )


# --- no files ------------------------------------------------------------------------------------


@kind("odd-files", 700)
def odd_files(rng: random.Random) -> Case:
    """Folders, pipes, loops, strange names, and files of another kind."""
    suffix = rng.choice(
        [".csv", ".parquet", ".arff", ".toml", ".tsv", "", ".gz", ".duckdb", ".xlsx"]
    )
    name = f"in{suffix}"
    verb = rng.choice([
        ["assess", "--plan", "2"], ["compare"], ["gate", "--require", "error.high <= 1"],
        ["assess", "--scan"], ["run", "-o", "out.parquet", "--model", "majority"],
        ["gate", "--require", "error.high <= 1", "--config"],
    ])  # fmt: skip
    files, odd = {}, {}
    roll = rng.random()
    if roll < 0.4:
        odd[name] = rng.choice(["folder", "fifo", f"link:{name}", "link:nowhere",
            "link:/dev/null", "link:/",
                                "link:/proc/self/mem", "link:/dev/full"])  # fmt: skip
    elif roll < 0.5:
        name = rng.choice(["", " ", ".", "..", "/", "nowhere.csv", "~", "~nobody/x.csv",
            "x" * 300, "a/b/c.csv",
                           "http://x/y.csv", "s3://b/k.parquet", "sklearn:", "sklearn:nope",
                           "sklearn:iris",
                           "sklearn:../x", "-", "--", "*", "[", "**/*", "p::q", "::",
                           "\x1b[31m.csv", "NUL"])  # fmt: skip
    elif roll < 0.6:
        name = rng.choice(["-x.csv", "a b.csv", "é.csv", "\u202evsc.csv", "\x1b[31m.csv",
            "a\nb.csv", "%s.csv", "x::y.csv",
                           "x[1].csv", "*.csv", "'.csv", "a.parquet.csv"])  # fmt: skip
        files[name] = mutated(predictions(rng), rng, TEXT)
    else:
        content = rng.choice([data, predictions])(rng)
        files[name] = rng.choice(BYTES)(content, rng)
        if rng.random() < 0.2:
            files[name] = encoded(nasty(rng)) * rng.choice([1, 30])
    first, *rest = verb
    if rest[-1:] == ["--config"]:
        files["p.csv"] = b"y_true,y_pred\n" + b"a,a\nb,b\na,b\n" * 9
        return Case([first, "p.csv", *rest, name], files, odd)
    outputs = ("out.parquet",) if first == "run" else ()
    return Case([first, name, *rest], files, odd, outputs=outputs)
