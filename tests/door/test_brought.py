"""Rows in whatever holds them: each shape gives the value that the plain arrays give, or words."""

import enum
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import InputError

N = 60
RNG = np.random.default_rng(0)
TRUTH = np.array(["no", "yes"])[RNG.integers(0, 2, N)]
IS = TRUTH == "yes"
P = np.round(np.clip(np.where(IS, 0.6, 0.4) + RNG.normal(0, 0.25, N), 0.01, 0.99), 3)
LABEL = np.where(P >= 0.5, "yes", "no")
CODES = IS.astype(int), (LABEL == "yes").astype(int)
KIND = RNG.integers(0, 3, N)
MATRIX = RNG.dirichlet(np.ones(3), N) + 0.5 * np.eye(3)[KIND]
MATRIX /= MATRIX.sum(axis=1, keepdims=True)
FRAME = pd.DataFrame({"y_true": TRUTH, "y_pred": LABEL})
ERROR = float((TRUTH != LABEL).mean())
AUC = float(roc_auc_score(IS, P))


class Tensor:
    """An array of another library: all that is known is `__array__`, a shape and a length."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self) -> int:
        return len(self.values)


class Hanging(Tensor):
    """One that has to be taken off its graph and its device first."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("it requires grad")

    def detach(self) -> "Hanging":
        return self

    def cpu(self) -> "Hanging":
        return self

    def numpy(self) -> Any:
        return self.values


def structured() -> Any:
    return np.rec.fromarrays([TRUTH, LABEL], names="y_true,y_pred")


ERRORS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "polars": lambda: (pl.Series(TRUTH), pl.Series(LABEL)),
    "polars, lazy": lambda: (pl.DataFrame({"y_true": TRUTH, "y_pred": LABEL}).lazy(),),
    "polars, categories": lambda: (
        pl.DataFrame({"y_true": TRUTH, "y_pred": pl.Series(LABEL, dtype=pl.Enum(["yes", "no"]))}),
    ),
    "nullable whole numbers": lambda: tuple(pd.Series(one, dtype="Int64") for one in CODES),
    "nullable booleans": lambda: (pd.Series(IS, dtype="boolean"), pd.Series(CODES[1])),
    "nullable text": lambda: (pd.Series(TRUTH, dtype="string"), pd.Series(LABEL)),
    "a category that never occurs": lambda: (
        pd.Series(pd.Categorical(TRUTH, categories=["maybe", "no", "yes"])),
        pd.Series(pd.Categorical(LABEL)),
    ),
    "rows with two indices": lambda: (
        FRAME.set_index(pd.MultiIndex.from_product([[1], range(N)])),
    ),
    "structured": lambda: (np.array(structured().tolist(), structured().dtype),),
    "records of NumPy": lambda: (structured(),),
    "dicts": lambda: (FRAME.to_dict("records"),),
    "a generator of dicts": lambda: (iter(FRAME.to_dict("records")),),
    "generators": lambda: ((one for one in TRUTH), map(str, LABEL)),
    "values of dicts": lambda: (dict(enumerate(TRUTH)).values(), dict(enumerate(LABEL)).values()),
    "lists of one": lambda: ([[one] for one in TRUTH], [(one,) for one in LABEL]),
    "tensors": lambda: tuple(map(Tensor, CODES)),
    "tensors of one column": lambda: tuple(Tensor(one.reshape(-1, 1)) for one in CODES),
    "tensors on a graph": lambda: tuple(Hanging(one.reshape(-1, 1)) for one in CODES),
    "a list of numbers as arrays": lambda: tuple([np.array(v) for v in one] for one in CODES),
    "bytes": lambda: (TRUTH.astype("S"), LABEL.astype("S")),
    "numbers that are whole": lambda: (CODES[0].astype(float), CODES[1].astype(np.uint8)),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_labels_however_they_are_held(name: str) -> None:
    found = hl.assess(*ERRORS[name](), "error")
    assert found["model", "error"].value == pytest.approx(ERROR)


SCORED: dict[str, Callable[[], Any]] = {
    "nullable": lambda: pd.Series(P, dtype="Float64"),
    "objects": lambda: np.array([*P], dtype=object),
    "of a network": lambda: Tensor(P.reshape(-1, 1)),
    "on a graph": lambda: Hanging(P.reshape(-1, 1)),
    "logits": lambda: np.log(P / (1 - P)),
    "two logits": lambda: np.c_[np.zeros(N), np.log(P / (1 - P))],
    "a frame, turned": lambda: pd.DataFrame({"yes": P, "no": 1 - P}),
}


@pytest.mark.parametrize("name", SCORED)
def test_scores_however_they_are_held(name: str) -> None:
    found = hl.assess(TRUTH, "auc", y_score=SCORED[name]())
    assert found["model", "auc"].value == pytest.approx(AUC)


REFUSED: dict[str, tuple[Callable[[], tuple[Any, ...]], str]] = {
    "several labels": (lambda: (np.ones((N, 3), int), np.ones((N, 3), int)), "multi-label"),
    "lists of labels": (lambda: ([["a", "b"], ["a"]] * 20, [["a"], ["a"]] * 20), "multi-label"),
    "one-hot": (lambda: (np.eye(3)[KIND], KIND), "shape (60, 3)"),
    "pairs": (lambda: (zip(TRUTH, LABEL, strict=True),), "only y_true is given"),
    "models in a list": (lambda: (TRUTH, [LABEL, LABEL, LABEL]), "a dict of models"),
    "a number": (lambda: (np.array(1), np.array(1)), "expected predictions, got"),
    "an open file": (lambda: (io.StringIO("y_true,y_pred"),), "a data frame, a path"),
    "members of an enum": (lambda: ([*enum.Enum("E", "a b")] * 9, [*"ab"] * 9), "use text"),
    "a history": (lambda: ({"loss": [1, 0.5], "val_loss": [1, 0.6]},), "name it with y_true="),
    "missing": (lambda: (pd.Series([0, 1, None] * 9, dtype="Int64"), [0, 1, 0] * 9),
                "missing in 9"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused_with_words(name: str) -> None:
    bring, words = REFUSED[name]
    with pytest.raises(InputError) as refused:
        hl.assess(*bring())
    assert words in str(refused.value)


def test_scores_that_are_text_or_too_many() -> None:
    for values in (["0.5"] * N, ["85%"] * N):
        with pytest.raises(InputError, match=r"astype\(float\)"):
            hl.assess(TRUTH, y_score=values)
    with pytest.raises(InputError, match="3 a row are a matrix"):
        hl.assess(KIND, y_score=MATRIX.T.ravel())
    with pytest.raises(InputError, match="infinite in 1 row"):
        hl.assess(TRUTH, y_score=[-np.inf, *np.log(P[1:])])


# --- the same index in another order: never paired by place --------------------------------------

T, L, Q = (pd.Series(one) for one in (TRUTH, LABEL, P))
OTHERWISE: dict[str, Callable[[], object]] = {
    **{role: (lambda role=role: hl.assess(T, L, **{role: pd.Series(range(1, N + 1))[::-1]}))
       for role in ("weight", "group", "split", "row", "time")},
    "in_train": lambda: hl.Predictions.of(T, L, in_train=pd.Series([0, 1] * 30)[::-1]),
    "columns": lambda: hl.Predictions.of(T, L, columns={"x": Q[::-1]}),
    "scores by class": lambda: hl.assess(T, y_score={"no": (1 - Q)[::-1], "yes": Q[::-1]}),
    "a frame of classes": lambda: hl.assess(T, pd.DataFrame({"no": 1 - Q, "yes": Q})[::-1]),
    "a frame of models": lambda: hl.compare(T, pd.DataFrame({"a": L, "b": T})[::-1]),
    "a dict of columns": lambda: hl.assess({"y_true": T, "y_pred": L[::-1]}),
    "inputs": lambda: hl.run(GaussianNB(), (Q.to_frame("x"), T[::-1]), 5),
    "groups of data": lambda: hl.Dataset.of(Q.to_frame("x"), T, group=T[::-1]),
    "cross_validate": lambda: hl.Predictions.from_cv(
        cross_validate(GaussianNB(), P[:, None], T, return_estimator=True, return_indices=True),
        Q.to_frame("x"), T[::-1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_same_index_in_another_order_is_never_paired_by_place(name: str) -> None:
    with pytest.raises(InputError, match=r"same index in another order.*reindex"):
        OTHERWISE[name]()


def test_splits_that_grow_ask_for_times() -> None:
    kept = {"return_estimator": True, "return_indices": True}
    result = cross_validate(GaussianNB(), P[:, None], TRUTH, cv=TimeSeriesSplit(4), **kept)
    found = hl.assess(hl.Predictions.from_cv(result, P[:, None], TRUTH), "error")["model", "error"]
    tested = np.concatenate(result["indices"]["test"])
    said = np.concatenate(
        [fit.predict(P[at, None]) for fit, at in zip(result["estimator"], result["indices"]["test"],
                                                     strict=True)]
    )  # fmt: skip
    assert found.value == pytest.approx((said != TRUTH[tested]).mean())
    assert "say when rows were with time=" in found.reason


# --- files ---------------------------------------------------------------------------------------


def text(header: str = "y_true,y_pred", mark: str = ",", **how: Callable[[Any], object]) -> str:
    columns = {"y_true": TRUTH, "y_pred": LABEL, "score": P}
    names = [name.strip(" #|") for name in header.split(mark)]
    shown = [[how.get(name, str)(one) for one in columns[name]] for name in names if name]
    rows = [mark.join(map(str, row)) for row in zip(*shown, strict=True)]
    return "\n".join([header, *rows]) + "\n"


def as_json(said: object) -> bytes:
    return json.dumps(said).encode()


ROWS = [list(map(str, pair)) for pair in zip(TRUTH, LABEL, strict=True)]
FILES: dict[str, tuple[str, bytes]] = {
    "a byte order mark": ("a.csv", text().encode("utf-8-sig")),
    "packed, and not named so": ("a.csv", gzip.compress(text().encode())),
    "named as packed, and not": ("a.csv.gz", text().encode()),
    "columns that end empty": ("a.csv", text().replace("\n", ",,\n").encode()),
    "a line break inside": ("a.csv", text(y_pred=lambda w: w.replace("yes", '"y\nes"'),
                                          y_true=lambda w: w.replace("yes", '"y\nes"')).encode()),
    "accents and spaces": ("a.csv", text().replace("yes", " très bien ").encode()),
    "True beside TRUE": ("a.csv", text(y_true=lambda w: w == "yes",
                                       y_pred=lambda w: str(w == "yes").upper()).encode()),
    "1.0 beside 1": ("a.csv", text(y_true=lambda w: float(w == "yes"),
                                   y_pred=lambda w: int(w == "yes")).encode()),
    "a comment first": ("a.csv", ("# made today\n#\n" + text()).encode()),
    "as savetxt writes it": ("a.csv", text("# y_true,y_pred").encode()),
    "MLflow": ("a.json", as_json({"columns": ["target", "prediction"], "data": ROWS})),
    "pandas, split": ("a.json", FRAME.to_json(orient="split").encode()),
    "a table of W&B": ("a.table.json", as_json(
        {"_type": "table", "columns": ["y_true", "pred"], "data": ROWS, "nrows": N})),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_in_memory_and_where_they_lie(tmp_path: Path, name: str) -> None:
    path = tmp_path / FILES[name][0]
    path.write_bytes(FILES[name][1])
    for table in (hl.Predictions.read(path), hl.Predictions.scan(path)):
        (found,) = hl.assess(table, "error").estimates
        assert found.value == pytest.approx(ERROR)


REFUSED_FILES: dict[str, tuple[str, bytes, str]] = {
    "UTF-16": ("a.csv", text().encode("utf-16"), "encoding='latin-1' or 'utf-16'"),
    "no header": ("a.csv", text().partition("\n")[2].encode(), "no column is recognised"),
    "names twice": ("a.csv", text("y_true,y_pred").replace("\n", ",x,x\n").encode(),
        "two columns are named 'x'"),
    "spaces between columns": ("a.txt", text("y_true y_pred", " ").encode(), "separator=' '"),
    "per cent": ("a.csv", text("y_true,score", score=lambda p: f"{100 * p:.1f}%").encode(),
                 "as a fraction: 0.45 for 45%"),
    "decimal commas in quotes": ("a.csv", text("y_true,score", score=lambda p:
                                 '"' + str(p).replace(".", ",") + '"').encode(),
                                 "decimal_separator=','"),
    "columns without rows": ("a.json", as_json({"columns": ["y_true"], "data": []}), "y_true"),
    "rows of other lengths": ("a.json", as_json({"columns": ["y_true", "y_pred"], "data": [["a"]]}),
                              "y_true="),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_FILES)
def test_files_that_are_refused_say_what_to_do(tmp_path: Path, name: str) -> None:
    file, content, words = REFUSED_FILES[name]
    (tmp_path / file).write_bytes(content)
    for read in (hl.Predictions.read, hl.Predictions.scan):
        with pytest.raises(InputError) as refused:
            hl.assess(read(tmp_path / file))
        assert words in str(refused.value)


def test_a_record_inside_of_a_column_is_named_with_a_point(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"said": FRAME.to_dict("records")}), path)
    with pytest.raises(InputError, match=r"said\.y_true, said\.y_pred"):
        hl.assess(path)
    found = hl.assess(path, "error", y_true="said.y_true", y_pred="said.y_pred")
    assert found.estimates[0].value == pytest.approx(ERROR)
