"""Ways by which a model reaches what it does not name: seen, or doubted and not used again."""

import subprocess
import sys
from pathlib import Path

import pytest

import heliast as hl
from heliast.fitting.store import fingerprint

SOURCE = {
    "singledispatch": """
from functools import singledispatch
import numpy as np
@singledispatch
def shift(x): return 0.0
@shift.register(np.ndarray)
def _(x): return {value}
def moved(self, X): return shift(X)
""",
    "a path": """
from pathlib import Path
PLACE = Path("{value}.txt")
def moved(self, X): return float(PLACE.read_text())
""",
    "globals of a function": """
K = {value}
def helper(): pass
def moved(self, X): return helper.__globals__["K"]
""",
    "subclasses": """
class Part: pass
class One(Part): value = {value}
def moved(self, X): return Part.__subclasses__()[0].value
""",
    "a configuration": """
from configparser import ConfigParser
def moved(self, X): return ConfigParser().read("{value}.ini")
""",
    "XML": """
from xml.etree import ElementTree
def moved(self, X): return ElementTree.parse("{value}.xml")
""",
    "our own reader": """
import heliast as hl
def moved(self, X): return hl.read("{value}.csv")
""",
    "an archive of arrays": """
import numpy as np
np.savez("{value}.npz", x=np.ones(2))
Z = np.load("{value}.npz")
def moved(self, X): return Z["x"]
""",
}
MODEL = """
from sklearn.base import BaseEstimator, ClassifierMixin
class Model(ClassifierMixin, BaseEstimator):
    def fit(self, X, y): return self
    moved = moved
"""
ASK = """
import sys
sys.path.insert(0, ".")
from heliast.fitting.store import fingerprint
from own import Model
found = fingerprint(Model())
print(found.mark, bool(found.unknown))
"""


def told(folder: Path, text: str) -> tuple[str, bool]:
    (folder / "own.py").write_text(text)
    asked = [sys.executable, "-B", "-c", ASK]
    said = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    mark, unknown = said.stdout.split()
    return mark, unknown == "True"


@pytest.mark.parametrize("way", SOURCE)
def test_another_number_is_seen_or_nothing_is_used_again(way: str, tmp_path: Path) -> None:
    text = SOURCE[way] + MODEL
    (before, unknown), (after, _) = (told(tmp_path, text.format(value=v)) for v in (1.5, 2.5))
    assert unknown or before != after


def test_a_pure_path_is_only_a_name() -> None:
    from pathlib import PurePosixPath

    from sklearn.preprocessing import FunctionTransformer

    model = FunctionTransformer(kw_args={"name": PurePosixPath("a/b")})
    assert not fingerprint(model).unknown


@pytest.mark.parametrize(
    "wrong", [{"fit_timeout": 1e308}, {"fit_memory": "9" * 400 + "GB"}, {"jobs": 10**30}]
)
def test_limits_beyond_all_sense_are_refused(wrong: dict[str, object]) -> None:
    from sklearn.naive_bayes import GaussianNB

    with pytest.raises(hl.InputError, match=next(iter(wrong))):
        hl.run(GaussianNB(), hl.read("sklearn:iris"), 3, progress=False, **wrong)
