"""Files of models: skops archives that are damaged, forged, or bombs."""

import functools
import io
import json
import random
import zipfile

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, mutated
from tests.fuzz._records import changed
from tests.fuzz._stored import _DATA
from tests.fuzz._values import nasty


@functools.cache
def archive(which: int) -> dict[str, bytes]:
    """The members of a valid skops file."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
    from skops.io import dumps

    made = [
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        DecisionTreeClassifier(max_depth=2),
    ][which]
    content = dumps(made.fit(np.arange(12.0)[:, None], list("ab") * 6))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(members: dict[str, bytes], rng: random.Random) -> bytes:
    place = io.BytesIO()
    with zipfile.ZipFile(
        place, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    ) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content)
    return place.getvalue()


@kind("models", 700)
def models(rng: random.Random) -> Case:
    """A run of a model from a file that nobody should trust."""
    members = dict(archive(rng.randrange(3)))
    roll = rng.random()
    name = rng.choice([*members])
    if roll < 0.6 and "schema.json" in members:
        schema = json.loads(members["schema.json"])
        for _ in range(rng.choice([1, 1, 2, 4])):
            schema = changed(schema, rng)
        members["schema.json"] = json.dumps(schema).encode()
    elif roll < 0.8:
        members[name] = mutated(members[name], rng, BYTES)
    elif roll < 0.85:
        del members[name]
    elif roll < 0.9:
        members[rng.choice(["../x", "/x", "schema.json/x", nasty(rng)[:90] or "x"])] = b"?"
    elif roll < 0.93:
        members[name] = b"\0" * 30_000_000
    content = packed({one.replace("\0", ""): text for one, text in members.items()}, rng)
    if rng.random() < 0.25:
        content = mutated(content, rng, BYTES)
    file = rng.choice(["m.skops"] * 9 + ["m.pkl", "m.SKOPS", "m.joblib"])
    trust = rng.choice([[], [], [], ["--trust", "numpy.dtype"], ["--trust", nasty(rng)[:90]]])
    argv = ["run", "d.csv", "-o", "out.parquet", "--plan", "2", "--model", file, *trust]
    files = {"d.csv": _DATA.encode(), file: content}
    return Case([one.replace("\0", "") for one in argv], files, outputs=("out.parquet",))
