"""Nothing stale is served: whatever changes what a model does, its work is done again.

Every way is played with two processes that share a store. What the second one gets is held against
the same run without a store, in the same process.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import pytest

PARENT = """
from sklearn.base import BaseEstimator, ClassifierMixin
import numpy as np

class Parent(ClassifierMixin, BaseEstimator):
    def __init__(self, answers=None, random_state=None):
        self.answers = answers
        self.random_state = random_state
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def answer(self, X):
        return 0
    def predict(self, X):
        return self.classes_[np.full(len(X), self.answer(X) % len(self.classes_))]
"""
HEAD = "from parent import Parent\nimport numpy as np\n"
HELPED = "import helper\n" + HEAD + "class Mine(Parent):\n    def answer(self, X):\n"
CALLS = HELPED + "        return helper.told()\n"
DATA = "number,kind,target\n" + "".join(
    f"{at % 7},{'xyz'[at % 3]},{'abc'[at % 3]}\n" for at in range(24)
)
MAIN = """
import json, sys, warnings
import heliast as hl
{models}
data = hl.read({data!r}, target="target")
def labels(store):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        table = hl.run({{"m": model}}, data, hl.KFold(3), seed={seed}, store=store, jobs=1,
                       progress=False)
    said = [str(w.message) for w in heard if w.category.__name__ == "NotReused"]
    return table.label.tolist(), said
found = labels("store")
{then}
print(json.dumps([*found, labels(None)[0]]))
"""


class Found(NamedTuple):
    """What a process gets with the store, what it says of it, and what it gets without."""

    labels: list[int]
    said: list[str]
    truth: list[int]


Warm = Callable[[dict[str, object]], Found]
SERVER = """
import json, os, sys, traceback
import heliast as hl, numpy, sklearn.utils, sklearn.naive_bayes
hl.run, hl.read, hl.KFold
import heliast.fitting.run, heliast.fitting.shortcuts, heliast.data, pyarrow.parquet
for line in sys.stdin:
    asked = json.loads(line)
    if not os.fork():
        code = 1
        try:
            os.chdir(asked["folder"])
            sys.path[:0] = asked["path"]
            names = vars(sys.modules["__main__"])
            exec(compile(asked["text"], "<stdin>", "exec"), names)
            code = 0
        except BaseException:
            print(json.dumps(traceback.format_exc()))
        sys.stdout.flush()
        os._exit(code)
    os.wait()
"""
"""A process that has loaded the packages, and forks for each script: loading them takes long."""


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with subprocess.Popen(
        [sys.executable, "-B", "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as server:

        def ask(asked: dict[str, object]) -> Found:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(asked) + "\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            assert isinstance(answer, list), answer
            return Found(*answer)

        yield ask


@dataclass(frozen=True)
class Process:
    """A Python process: modules beside it, and how its model comes to be."""

    models: str = "from mine import Mine\nmodel = Mine()"
    files: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    data: str = "data.csv"
    env: Mapping[str, str] = field(default_factory=dict)
    how: str = "stdin"  # or "file", "command"
    then: str = ""
    options: tuple[str, ...] = ()

    def run(self, folder: Path, warm: Warm, where: str = ".") -> Found:
        """Start it and wait for what it finds."""
        files = {"parent.py": PARENT, "data.csv": DATA, **self.files}
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)
        for cached in folder.rglob("*.pyc"):
            cached.unlink()  # two edits within a second look alike to Python
        text = MAIN.format(
            models=self.models, seed=self.seed, data=str(folder / self.data), then=self.then
        )
        text = text.replace('"store"', repr(str(folder / "store")))
        (folder / "main.py").write_text(text)
        given = {"stdin": ["-"], "file": [str(folder / "main.py")], "command": ["-c", text]}
        (folder / where).mkdir(exist_ok=True)
        fresh = self.env or self.options or self.how != "stdin"
        path = [str(folder), str(folder / "lib")]
        if not fresh:
            return warm({"path": path, "folder": str(folder / where), "text": text})
        done = subprocess.run(
            [sys.executable, *self.options, *given[self.how]],
            input=text if self.how == "stdin" else None,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([*path, *sys.path]), **self.env},
            cwd=folder / where,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Found(*json.loads(done.stdout))


def mine(answer: str, **files: str) -> Process:
    """A class in a module whose answer is given so."""
    return Process(files={"mine.py": HEAD + f"class Mine(Parent):\n    {answer}\n", **files})


def library(version: str, answer: int, url: object = None) -> Process:
    """A package that was installed, with its records."""
    info = f"lib/somelib-{version}.dist-info"
    files = {
        "lib/somelib.py": HEAD + f"class Mine(Parent):\n    def answer(self, X): return {answer}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: somelib\nVersion: {version}\n",
        f"{info}/RECORD": f"somelib.py,,\n{info}/METADATA,,\n",
    }
    if url is not None:
        files[f"{info}/direct_url.json"] = json.dumps(url)
    return Process("from somelib import Mine\nmodel = Mine()", files)


def typed(answer: int, how: str) -> Process:
    text = f"{HEAD}class Mine(Parent):\n    def answer(self, X): return {answer}\nmodel = Mine()"
    return Process(text, how=how)


def in_cell(answer: int) -> Process:
    """As notebooks do: each cell is compiled under a name of its own, known to linecache."""
    cell = f"{HEAD}class Mine(Parent):\n    def answer(self, X): return {answer}\n"
    text = f"cell = {cell!r}\nimport linecache\nname = '<ipython-input-{answer}-0>'\n"
    text += "linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)\n"
    return Process(text + "exec(compile(cell, name, 'exec'), globals())\nmodel = Mine()")


def helped(text: str) -> Process:
    return Process(files={"mine.py": CALLS, "helper.py": text})


def given(words: str, more: str = "", **files: str) -> Process:
    """A model that calls its parameter."""
    text = HEAD + "class Mine(Parent):\n    def answer(self, X): return self.answers()\n"
    return Process(
        f"from mine import Mine\n{more}\nmodel = Mine({words})", {"mine.py": text, **files}
    )


FINITE = """def answer(self, X):
        from sklearn.utils import check_array
        try:
            check_array([[np.nan]])
        except ValueError:
            return 0
        return 1"""
SUM = "def answer(self, X): return int(np.asarray(X)[:, 0].sum())"
SHAPE = "def answer(self, X): return X.shape[1]"
DRAWN = "def answer(self, X): return self.random_state % 3"
PYTHON = "import sys\ndef told(): return sys.version_info[1]\n"
FAKED = (
    "from mine import Mine\nmodel = Mine()\nimport sys\nsys.version_info = (3, {}, 0, 'final', 0)"
)
RAW = "from mine import Mine\nmodel = Mine()\nmodel.raw_inputs = {}"
LATE = """
class Mine(Parent):
    def answer(self, X):
        import helper
        return helper.told()
"""
READS = """
def told():
    with open(__file__ + ".txt") as file:
        return int(file.read())
"""
ASSERTS = """
def told():
    try:
        assert False
    except AssertionError:
        return 1
    return 0
"""
FOLDER = {"url": "file:///home/me/somelib", "dir_info": {}}

TWELVE = {
    "parent": (
        mine("pass"),
        mine("pass", **{"parent.py": PARENT.replace("return 0", "return 1")}),
    ),
    "helper": (helped("def told(): return 0"), helped("def told(): return 1")),
    "module constant": (
        helped("N = 0\ndef told(): return N"),
        helped("N = 1\ndef told(): return N"),
    ),
    "notebook class": (in_cell(0), in_cell(1)),
    "closure": (
        helped("def of(n):\n    return lambda: n\ntold = of(0)"),
        helped("def of(n):\n    return lambda: n\ntold = of(1)"),
    ),
    "default argument": (helped("def told(n=0): return n"), helped("def told(n=1): return n")),
    "library version": (library("1.0", 0), library("2.0", 1)),
    "data file": (
        mine(SUM),
        mine(SUM, **{"data.csv": DATA.replace("0,x,a", "1,x,a")}),
    ),
    "preparation": (
        Process(RAW.format(False), {"mine.py": HEAD + f"class Mine(Parent):\n    {SHAPE}"}),
        Process(RAW.format(True), {"mine.py": HEAD + f"class Mine(Parent):\n    {SHAPE}"}),
    ),
    "seed": (
        Process(files={"mine.py": HEAD + f"class Mine(Parent):\n    {DRAWN}"}, seed=1),
        Process(files={"mine.py": HEAD + f"class Mine(Parent):\n    {DRAWN}"}, seed=5),
    ),
    "variable that scikit-learn reads": (
        mine(FINITE),
        Process(files=mine(FINITE).files, env={"SKLEARN_ASSUME_FINITE": "1"}),
    ),
    "another Python": (
        Process(FAKED.format(15), {"mine.py": CALLS, "helper.py": PYTHON}),
        Process(FAKED.format(16), {"mine.py": CALLS, "helper.py": PYTHON}),
    ),
}
MORE = {
    "typed into standard input": (typed(0, "stdin"), typed(1, "stdin")),
    "given by -c": (typed(0, "command"), typed(1, "command")),
    "in the script": (typed(0, "file"), typed(1, "file")),
    "lambda": (given("lambda: 0"), given("lambda: 1")),
    "patched library": (
        Process("from sklearn.naive_bayes import GaussianNB\nmodel = GaussianNB()"),
        Process(
            "from sklearn.naive_bayes import GaussianNB\nimport numpy as np\n"
            "GaussianNB.predict = lambda self, X: np.full(len(X), self.classes_[0])\n"
            "model = GaussianNB()"
        ),
    ),
    "library installed again": (library("1.0", 0, FOLDER), library("1.0", 1, FOLDER)),
    "settings of scikit-learn": (
        mine(FINITE),
        Process(
            "from mine import Mine\nimport sklearn\nsklearn.set_config(assume_finite=True)\n"
            "model = Mine()",
            mine(FINITE).files,
        ),
    ),
    "python -O": (helped(ASSERTS), replace(helped(ASSERTS), options=("-O",))),
}
UNKNOWN = {
    "its code reads a file": (
        helped(READS),
        "helper.py.txt",
        "reads files",
    ),
    "its code reads the environment": (
        helped("import os\ndef told(): return int(os.environ.get('ANSWER', 0))"),
        "ANSWER",
        "asks the system",
    ),
    "it imports when it is called": (
        Process(files={"mine.py": HEAD + LATE, "helper.py": "def told(): return 0"}),
        "helper.py",
        "imports helper when it is called",
    ),
}


@pytest.mark.parametrize("way", [*TWELVE, *MORE])
def test_what_was_changed_is_done_again(tmp_path: Path, warm: Warm, way: str) -> None:
    before, after = {**TWELVE, **MORE}[way]
    first, _, _ = before.run(tmp_path, warm)
    second, _, truth = after.run(tmp_path, warm)
    assert first != truth, "this way changes nothing: it tests nothing"
    assert second == truth


@pytest.mark.parametrize("way", UNKNOWN)
def test_what_cannot_be_known_is_said_and_done_again(tmp_path: Path, warm: Warm, way: str) -> None:
    process, place, why = UNKNOWN[way]
    (tmp_path / "helper.py.txt").write_text("0")
    first, said, _ = process.run(tmp_path, warm)
    assert len(said) == 1
    assert why in said[0]
    assert "done again" in said[0]
    after = replace(process, env={place: "1"})
    if place.endswith(".txt"):
        (tmp_path / place).write_text("1")
    elif place.endswith(".py"):
        after = replace(process, files={**process.files, place: "def told(): return 1"})
    second, _, truth = after.run(tmp_path, warm)
    assert first != truth
    assert second == truth


SAME = """
import helper
from parent import Parent

# A remark, and lines
# that were not there.


def unused(): return 7

class Mine(Parent):

    def answer(self, X):
        # why
        return helper.told()
"""


@pytest.mark.parametrize("way", ["new process", "remarks and order", "another folder", "typed"])
def test_what_is_the_same_is_used_again(tmp_path: Path, warm: Warm, way: str) -> None:
    """Otherwise the store would be of no use. The second process finds every cell and fits none."""
    process = typed(0, "stdin") if way == "typed" else helped("N = 0\ndef told(): return N")
    first, said, _ = process.run(tmp_path, warm)
    again = process
    if way == "remarks and order":
        files = {"mine.py": SAME, "helper.py": "\n\n# more\ndef told(): return N\n\nN = 0\nM = 1"}
        again = replace(process, files=files)
    cells = sorted((tmp_path / "store").glob("??/*.parquet"))
    never = "\nfrom heliast.fitting.cell import Fitter\n"
    never += "Fitter.cell, whole = None, Fitter.cell\n"
    again = replace(again, models=again.models + never, then="Fitter.cell = whole")
    second, said, _ = again.run(tmp_path, warm, "elsewhere" if way == "another folder" else ".")
    assert (second, said) == (first, [])
    assert sorted((tmp_path / "store").glob("??/*.parquet")) == cells
