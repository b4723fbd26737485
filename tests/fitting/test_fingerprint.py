"""Whatever decides what a model predicts changes its fingerprint, and nothing else does."""

import functools
import linecache
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.fingerprint import Fingerprint, changed_module, environment

HELPER = """
def threshold():
    return 1
"""
MODEL = """
from functools import partial
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from helper import threshold
FACTOR = [1, 2]

class Base(ClassifierMixin, BaseEstimator):
    def __init__(self, function=None, size=1):
        self.function = function
        self.size = size
    def predict(self, X):
        return self.size + threshold()

class Mine(Base):
    names = {"a", "b", "c"}
    @property
    def factor(self):
        return FACTOR[0]
    @staticmethod
    def scale(x):
        return x in {"left", "right"} and 2 * x
    def fit(self, X, y):
        return self

def shift(x):
    return x + 1

def power(k):
    return lambda x: x**k

def defaulted(x, k=2):
    return x * k

class Kernel:
    def __init__(self, width):
        self.width = width
    def __call__(self, x):
        return x / self.width
"""


def load(folder: Path, name: str, source: str) -> ModuleType:
    """A module of this source, as if Python had just started."""
    path = folder / f"{name}.py"
    path.write_text(source)
    linecache.checkcache()
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compile(source, str(path), "exec"), vars(module))
    return module


@pytest.fixture
def make(tmp_path: Path) -> Any:
    """The digest of a model that an expression makes, with parts of the modules replaced."""

    def digest(expression: str, *edits: tuple[str, str]) -> str:
        sources = {"helper": HELPER, "mymodel": MODEL}
        for before, after in edits:
            assert any(before in source for source in sources.values())
            sources = {name: text.replace(before, after) for name, text in sources.items()}
        load(tmp_path, "helper", sources["helper"])
        names = vars(load(tmp_path, "mymodel", sources["mymodel"]))
        return Fingerprint.of(eval(expression, names), "m").digest

    yield digest
    for name in ("helper", "mymodel"):
        sys.modules.pop(name, None)


def of(model: Any) -> str:
    return Fingerprint.of(model, "m").digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (GaussianNB(), GaussianNB(var_smoothing=0.1)),
        (GaussianNB(), DecisionTreeClassifier()),
        (GaussianNB(priors=[0.5, 0.5]), GaussianNB(priors=[0.4, 0.6])),
        (GaussianNB(priors=np.array([0.5, 0.5])), GaussianNB(priors=np.array([0.4, 0.6]))),
        (GaussianNB(priors=np.array([1, 2])), GaussianNB(priors=np.array([1.0, 2.0]))),
        (DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier(max_depth=True)),
        (
            make_pipeline(StandardScaler(), GaussianNB()),
            make_pipeline(StandardScaler(with_mean=False), GaussianNB()),
        ),
        (hl.BaggedVote(GaussianNB()), hl.BaggedVote(DecisionTreeClassifier())),
        (
            DecisionTreeClassifier(random_state=np.random.RandomState(1)),
            DecisionTreeClassifier(random_state=np.random.RandomState(2)),
        ),
        (FunctionTransformer(np.exp), FunctionTransformer(np.log)),
        (FunctionTransformer(max), FunctionTransformer(min)),
        (
            FunctionTransformer(functools.partial(np.round, decimals=1)),
            FunctionTransformer(functools.partial(np.round, decimals=2)),
        ),
        (FunctionTransformer(lambda x: x), FunctionTransformer(lambda x: x + 1)),
        (FunctionTransformer(str.upper), FunctionTransformer(str.lower)),
    ],
)
def test_parameters_count(one: Any, other: Any) -> None:
    assert of(one) != of(other)
    assert of(one) == of(one)


def test_a_copy_is_the_same_and_what_is_learned_does_not_count() -> None:
    def made() -> Any:
        tree = DecisionTreeClassifier(class_weight={0: 1.0, 1: 2.0}, random_state=3)
        return make_pipeline(FunctionTransformer(np.log1p, kw_args={}), StandardScaler(), tree)

    fitted = made()
    fitted.fit(np.arange(8.0).reshape(4, 2), [0, 1, 0, 1])
    assert of(made()) == of(made()) == of(fitted)


def test_what_a_frozen_model_has_learned_counts() -> None:
    X = np.arange(8.0).reshape(4, 2)
    one, other = GaussianNB().fit(X, [0, 1, 0, 1]), GaussianNB().fit(X, [0, 0, 1, 1])
    assert of(FrozenEstimator(one)) != of(FrozenEstimator(other))
    assert of(FrozenEstimator(one)) == of(FrozenEstimator(GaussianNB().fit(X, [0, 1, 0, 1])))


@pytest.mark.parametrize(
    ("expression", "edit"),
    [
        ("Mine()", ("return self\n", "return None\n")),
        ("Mine()", ("self.size + threshold()", "self.size - threshold()")),  # of its base
        ("Mine()", ("FACTOR = [1, 2]", "FACTOR = [1, 3]")),
        ("Mine()", ("FACTOR[0]", "FACTOR[1]")),
        ("Mine()", ("2 * x", "3 * x")),
        ("Mine()", ('{"left", "right"}', '{"left", "rigth"}')),
        ("Mine()", ('{"a", "b", "c"}', '{"a", "b", "d"}')),
        ("Mine(shift)", ("x + 1", "x + 2")),
        ("Mine([shift])", ("x + 1", "x + 2")),
        ("Mine({'f': partial(shift, 1)})", ("x + 1", "x + 2")),
        ("Mine(Mine(shift).predict)", ("x + 1", "x + 2")),
        ("Mine(Kernel(3))", ("x / self.width", "x * self.width")),
        ("GaussianNB(priors=Kernel(3))", ("x / self.width", "x * self.width")),
    ],
)
def test_an_edited_source_counts(
    make: Callable[..., str], expression: str, edit: tuple[str, str]
) -> None:
    assert make(expression) == make(expression)
    assert make(expression) != make(expression, edit)


def test_what_functions_and_objects_hold_counts(make: Callable[..., str]) -> None:
    assert make("Mine(power(2))") != make("Mine(power(3))")
    assert make("Mine(Kernel(2))") != make("Mine(Kernel(3))")
    edit = ("k=2", "k=3")
    assert make("Mine(defaulted)") != make("Mine(defaulted)", edit)


def test_a_file_that_was_edited_after_its_import_is_neither_the_old_nor_the_new(
    tmp_path: Path, make: Callable[..., str]
) -> None:
    """The code that runs is the old one, which the new file must not vouch for."""
    edit = ("return self\n", "return None\n")
    new, old = make("Mine()", edit), make("Mine()")
    model = sys.modules["mymodel"].Mine()
    fingerprint = Fingerprint.of(model, "m")
    assert fingerprint.digest == old
    assert changed_module(fingerprint.files) is None
    (tmp_path / "mymodel.py").write_text(MODEL.replace(*edit))
    assert of(model) not in (old, new)
    assert changed_module(fingerprint.files) == "mymodel"


NOTEBOOK = """
from sklearn.base import BaseEstimator
LEVEL = 3
def helper(x):
    return x + LEVEL
class Typed(BaseEstimator):
    def __init__(self, f=None):
        self.f = f
    def fit(self, X, y):
        return helper(X)
"""


def typed(source: str, expression: str, seen: bool = True) -> str:
    """The digest of a model whose class was typed in a notebook, or in a shell."""
    name = f"<input {hash(source)}>"
    if seen:
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), names)
    return Fingerprint.of(eval(expression, names), "m").digest


@pytest.mark.parametrize("edit", [("+ LEVEL", "- LEVEL"), ("= 3", "= 4"), ("(X)", "(y)")])
def test_code_of_a_notebook_counts(edit: tuple[str, str]) -> None:
    assert typed(NOTEBOOK, "Typed()") == typed(NOTEBOOK, "Typed()")
    assert typed(NOTEBOOK, "Typed()") != typed(NOTEBOOK.replace(*edit), "Typed()")
    assert typed(NOTEBOOK, "Typed(helper)") != typed(NOTEBOOK.replace(*edit), "Typed(helper)")


def test_what_has_no_source_or_no_state_is_refused_by_name() -> None:
    with pytest.raises(hl.InputError, match=r"model 'm', parameter 'f': .*<lambda> has no source"):
        typed(NOTEBOOK, "Typed(lambda x: x)", seen=False)
    with open(__file__) as file:  # noqa: SIM117
        with pytest.raises(hl.InputError, match="parameter 'priors': a TextIOWrapper cannot be"):
            of(GaussianNB(priors=file))


def test_a_lock_that_code_names_is_no_reason_to_refuse() -> None:
    source = NOTEBOOK.replace("LEVEL = 3", "LEVEL = 3\nimport threading\nLOCK = threading.Lock()")
    source = source.replace("return x + LEVEL", "LOCK; return x + LEVEL")
    assert typed(source, "Typed()") == typed(source, "Typed()")
    assert typed(source, "Typed()") != typed(source.replace("= 3", "= 4"), "Typed()")


def test_an_installed_package_counts_by_its_version(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    source = (
        "from sklearn.base import BaseEstimator\n__version__ = '1.0'\n"
        "class Theirs(BaseEstimator):\n    pass  # one\n"
    )
    digests = []
    for number, text in enumerate(
        [source, source.replace("# one", "# two"), source.replace("1.0", "1.1")]
    ):
        from heliast.fitting import fingerprint

        fingerprint._installed_version.cache_clear()
        name = "theirs"
        digests.append(of(load(folder, name, text).Theirs()))
        assert number in (0, 1, 2)
    assert digests[0] == digests[1] != digests[2]


def test_versions_are_named() -> None:
    import duckdb
    import scipy
    import sklearn

    for package, version in {
        "numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__,
        "duckdb": duckdb.__version__, "heliast": hl.__version__,
    }.items():  # fmt: skip
        assert environment()[package] == version


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from mymodel import Mine, power
from heliast.fitting.fingerprint import Fingerprint
model = Mine({{"f": power(2), "names": {{"x", "y", "z"}}}})
print(Fingerprint.of(model, "m").digest)
"""


def test_another_process_finds_the_same(tmp_path: Path) -> None:
    """Whatever the seed of its hashes."""
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "mymodel.py").write_text(MODEL)
    words = [sys.executable, "-c", SCRIPT.format(folder=str(tmp_path))]
    found = {
        subprocess.run(
            words, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
