"""The mark of a model: another one for whatever changes what it does, the same for all else."""

import functools
import importlib
import io
import operator
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import scipy.stats
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.store import fingerprint
from heliast.fitting.store._origin import version_of

Load = Callable[..., ModuleType]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Write modules of the user's own and import the first, anew each time."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    written: set[str] = set()

    def loaded(**texts: str) -> ModuleType:
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        for name in written | set(texts):
            sys.modules.pop(name, None)
        written.update(texts)
        importlib.invalidate_caches()
        return importlib.import_module(next(iter(texts)))

    yield loaded
    for name in written:
        sys.modules.pop(name, None)


def known(model: Any) -> str:
    """The mark of a model of which all is known."""
    found = fingerprint(model)
    assert found.unknown == ()
    return found.mark


def function(value: Any) -> Any:
    return make_pipeline(FunctionTransformer(value), GaussianNB())


def double(X: np.ndarray, by: float = 2) -> np.ndarray:
    return X * by


def adds(number: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda X: X + number


class Slotted:
    __slots__ = ("by",)

    def __init__(self, by: float) -> None:
        self.by = by

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return X * self.by

    def times(self, X: np.ndarray) -> np.ndarray:
        return X * self.by


def fitted(*numbers: float) -> GaussianNB:
    return GaussianNB().fit(np.array([[*numbers]]).T, np.arange(len(numbers)) % 2)


PAIRS = {
    "a parameter": lambda n: GaussianNB(var_smoothing=n),
    "a nested one": lambda n: make_pipeline(StandardScaler(), SVC(C=n)),
    "an array": lambda n: GaussianNB(priors=np.array([n, 1 - n])),
    "the order of an array in memory": lambda n: function(
        functools.partial(np.add, np.asarray(np.ones((2, 2)), order="CF"[n - 1]))
    ),
    "an array of objects": lambda n: function(functools.partial(double, by=np.array([n, None]))),
    "a sparse matrix": lambda n: function(functools.partial(double, by=scipy.sparse.eye(2) * n)),
    "a pandas frame": lambda n: function(functools.partial(double, by=pd.DataFrame({"a": [n]}))),
    "its column's name": lambda n: function(functools.partial(double, by=pd.DataFrame({n: [1]}))),
    "its index": lambda n: function(functools.partial(double, by=pd.Series([1], index=[n]))),
    "a polars frame": lambda n: function(functools.partial(double, by=pl.DataFrame({"a": [n]}))),
    "a generator's state": lambda n: DecisionTreeClassifier(
        random_state=np.random.RandomState(n)
    ),
    "a lambda": lambda n: function([lambda X: X + 1, lambda X: X + 2][n - 1]),
    "a closure": lambda n: function(adds(n)),
    "a partial": lambda n: function(functools.partial(double, by=n)),
    "the object of a method": lambda n: function(Slotted(n).times),
    "an object to call": lambda n: function(Slotted(n)),
    "an item": lambda n: function(operator.itemgetter(n)),
    "a function of NumPy": lambda n: function([np.exp, np.log][n - 1]),
    "a scorer": lambda n: GridSearchCV(SVC(), {}, scoring=make_scorer(f1_score, beta=n)),
    "a grid": lambda n: GridSearchCV(SVC(), {"C": [n, 3]}),
    "a splitter": lambda n: GridSearchCV(SVC(), {}, cv=KFold(n + 1)),
    "a distribution": lambda n: RandomizedSearchCV(SVC(), {"C": scipy.stats.uniform(0, n)}),
    "what a frozen model has learnt": lambda n: FrozenEstimator(fitted(1, n, 4, 7)),
    "a model of ours": lambda n: hl.BaggedVote(hl.Tree(max_depth=n), 3),
}  # fmt: skip


@pytest.mark.parametrize("what", PAIRS)
def test_parameters_count_and_equal_ones_are_equal(what: str) -> None:
    make = PAIRS[what]
    assert known(make(1)) == known(make(1))
    assert known(make(1)) != known(make(2))


def test_one_and_true_and_one_point_are_three() -> None:
    assert len({known(function(adds(one))) for one in (1, True, 1.0, "1", b"1", (1,), [1])}) == 7


BASE = "from sklearn.naive_bayes import GaussianNB\n"
EDITS = {
    "a class attribute": "class Mine(GaussianNB):\n    n = {}",
    "a metaclass": "class Meta(type(GaussianNB)):\n    def f(cls): return {}\n"
    "class Mine(GaussianNB, metaclass=Meta): pass",
    "what a hook of the parent does": "class P(GaussianNB):\n"
    "    def __init_subclass__(cls): cls.n = {}\nclass Mine(P): pass",
    "a property": "class Mine(GaussianNB):\n    @property\n    def n(self): return {}",
    "a static method": "class Mine(GaussianNB):\n    @staticmethod\n    def n(): return {}",
    "a class within": "class Mine(GaussianNB):\n    class In:\n        n = {}",
    "a decorated method": "import functools\ndef plus(f):\n    @functools.wraps(f)\n"
    "    def g(*a): return f(*a) + {}\n    return g\n"
    "class Mine(GaussianNB):\n    @plus\n    def f(self): return 1",
    "a cached function": "import functools\n@functools.lru_cache\ndef n(): return {}\n"
    "class Mine(GaussianNB):\n    def f(self): return n()",
    "a function of a function": "def a(): return b()\ndef b(): return c()\ndef c(): return {}\n"
    "class Mine(GaussianNB):\n    def f(self): return a()",
    "functions that call each other": "def a(k): return b(k) if k else {}\n"
    "def b(k): return a(k - 1)\nclass Mine(GaussianNB):\n    def f(self): return a(9)",
    "a default by name": "class Mine(GaussianNB):\n    def f(self, *, n={}): return n",
    "an attribute of a function": "def a(): return a.n\na.n = {}\n"
    "class Mine(GaussianNB):\n    def f(self): return a()",
    "a table": "import pandas as pd\nT = pd.DataFrame({{'a': [{}]}})\n"
    "class Mine(GaussianNB):\n    def f(self): return T",
    "an enumeration": "import enum\nclass E(enum.Enum):\n    A = {}\n"
    "class Mine(GaussianNB):\n    def f(self): return E.A",
    "a data class": "import dataclasses\n@dataclasses.dataclass\nclass D:\n    n: int = {}\n"
    "class Mine(GaussianNB):\n    def f(self): return D()",
    "a set": "S = {{'a', 'b', {}}}\nclass Mine(GaussianNB):\n    def f(self): return S",
    "compiled with Numba": "import numba\n@numba.njit\ndef a(): return {}\n"
    "class Mine(GaussianNB):\n    def f(self): return a()",
    "a comprehension": "class Mine(GaussianNB):\n    def f(self): return [k + {} for k in ()]",
    "the order of bases": "class A:\n    n = 1\nclass B:\n    n = 2\n"
    "class Mine(*[(A, B, GaussianNB), (B, A, GaussianNB)][{} - 1]): pass",
    "a logger beside it": "import logging, threading\nlog = logging.getLogger('x')\n"
    "lock = threading.Lock()\nclass Mine(GaussianNB):\n"
    "    def f(self):\n        log.info('x')\n        with lock: return {}",
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_edits_count_and_remarks_do_not(load: Load, what: str) -> None:
    text = BASE + EDITS[what]
    first = known(load(mine=text.format(1)).Mine())
    assert known(load(mine="# why\n\n" + text.format(1) + "\n# so\n").Mine()) == first
    assert known(load(mine=text.format(2)).Mine()) != first


MODULES = {
    "an attribute of a module": ("import other", "other.n()"),
    "a function of a module": ("from other import n", "n()"),
    "a name for a module": ("import other as o", "o.n()"),
    "a module as a whole": ("import other", "getattr(other, 'n')()"),
    "a module in a local name": ("import other", "(lambda m: m.n())(other)"),
}


@pytest.mark.parametrize("what", MODULES)
def test_edits_of_other_modules_count(load: Load, what: str) -> None:
    head, use = MODULES[what]
    text = f"{BASE}{head}\nclass Mine(GaussianNB):\n    def f(self): return {use}"
    marks = {known(load(mine=text, other=f"K = {n}\ndef n(): return K").Mine()) for n in (1, 2, 1)}
    assert len(marks) == 2


def test_what_is_set_while_python_runs_counts(load: Load) -> None:
    module = load(
        mine=BASE + "N = 1\nclass Mine(GaussianNB):\n    n = 1\n    def f(self): return N"
    )
    marks = [known(module.Mine())]
    module.Mine.n = 2
    marks.append(known(module.Mine()))
    module.N = 2
    marks.append(known(module.Mine()))
    module.Mine.f = lambda self: 3
    marks.append(known(module.Mine()))
    assert len(set(marks)) == 4


def test_a_module_loaded_again_counts_and_one_only_edited_does_not(
    load: Load, tmp_path: Path
) -> None:
    """What runs is what was loaded, whatever the file says by now."""
    text = BASE + "class Mine(GaussianNB):\n    def f(self): return {}"
    module = load(mine=text.format(1))
    first = known(module.Mine())
    (tmp_path / "mine.py").write_text(text.format(2))
    assert known(module.Mine()) == first
    assert known(importlib.reload(module).Mine()) != first


@pytest.mark.parametrize("patch", ["method", "attribute", "exchanged", "module"])
def test_a_patched_library_counts(monkeypatch: pytest.MonkeyPatch, patch: str) -> None:
    first = known(DecisionTreeClassifier())
    if patch == "method":
        monkeypatch.setattr(DecisionTreeClassifier, "predict", lambda self, X: X)
    elif patch == "attribute":
        monkeypatch.setattr(DecisionTreeClassifier, "more", 3, raising=False)
    elif patch == "exchanged":
        monkeypatch.setattr(DecisionTreeClassifier, "predict", GaussianNB.predict)
    else:
        monkeypatch.setattr(sys.modules["sklearn.tree._classes"], "is_classifier", double)
    assert known(DecisionTreeClassifier()) != first
    monkeypatch.undo()
    assert known(DecisionTreeClassifier()) == first


def test_fitting_changes_nothing() -> None:
    model = make_pipeline(FunctionTransformer(double), GaussianNB())
    first = known(model)
    model.fit(np.array([[1.0], [2.0]]), [0, 1]).predict(np.array([[1.0]]))
    assert known(model) == first


def test_a_class_that_claims_to_be_installed_is_looked_at() -> None:
    def made(number: int) -> Any:
        body = {"__module__": "sklearn.naive_bayes", "n": number}
        return type("GaussianNB", (GaussianNB,), body)()

    assert known(made(1)) != known(made(2))


UNKNOWN = {
    "a file": (lambda: io.BytesIO(b"a"), "state cannot be read"),
    "an iterator": (lambda: iter([1]), "state cannot be read"),
    "a fitted tree": (lambda: fitted_tree(), "state cannot be read"),
    "a made ufunc": (lambda: np.frompyfunc(abs, 1, 1), "code cannot be read"),
    "what is local to a thread": (lambda: threading.local(), "state cannot be read"),
}


def fitted_tree() -> Any:
    return FrozenEstimator(DecisionTreeClassifier().fit([[1], [2]], [0, 1])).estimator.tree_


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_hides_its_state_is_said(what: str) -> None:
    make, why = UNKNOWN[what]
    (said,) = fingerprint(function(functools.partial(double, by=make()))).unknown
    assert why in said


OUTSIDE = {
    "import time\ndef n(): return time.time()": "mine.n reads the clock (time.time)",
    "from time import time\ndef n(): return time()": "mine.n reads the clock (time.time)",
    "from datetime import datetime as d\ndef n(): return d.now()": "reads the clock",
    "import os\ndef n(): return os.getenv('A')": "asks the system",
    "from os import environ\ndef n(): return environ['A']": "reads the environment",
    "def n():\n    import os\n    return os.environ": "asks the system",
    "import numpy as np\ndef n(): return np.load('a')": "reads files (numpy.load)",
    "from pathlib import Path\ndef n(): return Path('a').read_text()": "reads files",
    "import random\ndef n(): return random.random()": "no seed of the run decides",
    "def n(): return eval('1')": "makes or loads code",
    "import importlib\ndef n(): return importlib.import_module('x')": "makes or loads code",
    "def n():\n    import nowhere\n    return nowhere.n": "imports nowhere when it is called",
}


@pytest.mark.parametrize("text", OUTSIDE)
def test_code_that_reads_from_outside_is_said(load: Load, text: str) -> None:
    module = load(mine=f"{BASE}{text}\nclass Mine(GaussianNB):\n    def f(self): return n()")
    found = fingerprint(module.Mine())
    assert any(OUTSIDE[text] in said for said in found.unknown), found.unknown


INSIDE = [
    "import os\ndef n(): return os.path.join('a', 'b')",
    "import json\ndef n(): return json.loads('1')",
    "import datetime\ndef n(): return datetime.datetime(2000, 1, 1)",
    "import numpy as np\ndef n(): return np.random.rand() + np.random.default_rng(1).random()",
    "import random\ndef n(): return random.Random(1).random()",
    "def n():\n    from sklearn.svm import SVC\n    return SVC()",
    "from numpy import where, exp\nfrom numpy.random import rand, default_rng\n"
    "def n(): return where, exp, rand, default_rng",
    "import re\ndef n(): return re.compile('a').match('b')",
]


@pytest.mark.parametrize("text", INSIDE)
def test_code_that_does_not_is_known(load: Load, text: str) -> None:
    module = load(mine=f"{BASE}{text}\nclass Mine(GaussianNB):\n    def f(self): return n()")
    assert known(module.Mine())


def test_a_compiled_module_counts_by_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Played with one of Python's own that is laid beside the user's modules."""
    (source,) = Path(sysconfig.get_config_var("DESTSHARED")).glob("_bisect.*.so")
    place = Path(shutil.copy(source, tmp_path))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "_bisect", raising=False)
    module = importlib.import_module("_bisect")
    assert module.__file__ == str(place)
    os.utime(place, (1e9, 1e9))
    first = known(function(module.bisect_right))
    edited = tmp_path / "edited"  # in place it would pull the rug from under the loaded code
    edited.write_bytes(place.read_bytes() + b"\0")
    edited.replace(place)
    os.utime(place, (1e9, 1e9 + 1))
    assert known(function(module.bisect_right)) != first
    os.utime(place)
    assert (
        "written after this process began" in fingerprint(function(module.bisect_right)).unknown[0]
    )
    monkeypatch.delitem(sys.modules, "_bisect")


def test_sets_and_hashes_make_no_difference_between_processes() -> None:
    text = (
        "from sklearn.preprocessing import FunctionTransformer\n"
        "from heliast.fitting.store import fingerprint\n"
        "S = {'a', 'b', 'c', ('d', frozenset('xyz'))}\n"
        "def f(X): return X if X in {'p', 'q', 'r'} else S\n"
        "print(fingerprint(FunctionTransformer(f, kw_args={'k': {'u', 'v', 'w'}})))"
    )
    said = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(done.stdout)
    assert len(said) == 1


def test_installed_packages_have_versions_and_own_modules_none(load: Load) -> None:
    import sklearn

    assert version_of("sklearn.svm._classes") == f"scikit_learn {sklearn.__version__}"
    assert version_of("dateutil.parser").startswith("python_dateutil ")
    assert version_of(load(mine="").__name__) is None


EDITED = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import warnings
warnings.simplefilter("ignore")
import mine
import heliast as hl
place = Path({folder!r}) / "mine.py"
place.write_text(place.read_text().replace("return 1", "return 22"))
try:
    hl.run({{"m": mine.Mine()}}, "sklearn:iris", 3, store={folder!r} + "/store", jobs=2)
except hl.InputError as error:
    print(error)
"""


def test_a_worker_that_loads_an_edited_module_is_refused(tmp_path: Path) -> None:
    """The run is named by the code that was loaded before; workers load what the file says now."""
    (tmp_path / "mine.py").write_text(BASE + "class Mine(GaussianNB):\n    def f(self): return 1")
    done = subprocess.run(
        [sys.executable, "-B", "-c", EDITED.format(folder=str(tmp_path))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "model 'm': a worker has other code" in done.stdout, done.stderr
    assert not list(tmp_path.glob("store/??/*.parquet"))


def test_who_vouches_for_a_model_is_believed_and_the_rest_still_counts(load: Load) -> None:
    text = BASE + "class Mine(GaussianNB):\n    vouched = {!r}\n    def f(self): return open({!r})"
    assert fingerprint(load(mine=text.format(None, "a")).Mine()).unknown
    words = [("may", "a"), ("may", "a"), ("june", "a"), ("may", "b")]
    marks = [known(load(mine=text.format(*pair)).Mine()) for pair in words]
    assert marks[0] == marks[1]
    assert len(set(marks)) == 3
    pipeline = function(open)
    assert fingerprint(pipeline).unknown
    pipeline.vouched = "it reads nothing"
    assert known(pipeline)
