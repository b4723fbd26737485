"""A scanned table gives the numbers of the same table in memory."""

import gc
import math
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast._core.errors import InputError
from heliast.predictions.scan import NEEDS, NeedsRows

FIELDS = ("value", "low", "high", "se", "n", "n_effective")
CLOSE = 1e-9


def close(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= CLOSE * max(1.0, abs(a))


def agree(memory: hl.Assessment, scanned: hl.Assessment) -> set[str]:
    """Compare estimate by estimate; the measures whose interval is refused, which says why."""
    assert len(memory) == len(scanned)
    refused = set()
    for one, other in zip(memory, scanned, strict=True):
        what = (one.model, one.measure, one.class_)
        assert what == (other.model, other.measure, other.class_)
        if other.reason and NEEDS in other.reason:
            refused.add(one.measure)
            assert close(one.value, other.value), what
            assert math.isnan(other.low)
            assert math.isnan(other.high)
            continue
        for name in FIELDS:
            a, b = getattr(one, name), getattr(other, name)
            assert close(a, b), (*what, name, a, b)
        assert (one.method, one.reason, one.notes) == (other.method, other.reason, other.notes)
    return refused


def both(table: hl.Predictions, path: Path, **options: object) -> set[str]:
    table.write(path)
    scanned = hl.Predictions.scan(path)
    assert (scanned.models, scanned.classes) == (table.models, table.classes)
    assert (scanned.positive, len(scanned)) == (table.positive, len(table))
    return agree(hl.assess(table, **options), hl.assess(scanned, **options))


def binary(seed: int, n: int = 600, ties: bool = False) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    score = 1 / (1 + np.exp(-(1.5 * truth - 0.7 + rng.normal(size=n))))
    return truth, np.round(score, 1) if ties else score


BOOTSTRAPPED = {"average_precision"}
"""Below 200,000 rows its interval comes from the bootstrap, which needs the rows."""


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_two_classes(tmp_path: Path, seed: int, ties: bool) -> None:
    truth, score = binary(seed, ties=ties)
    table = hl.Predictions.of(truth, y_score=np.clip(score, 0.05, 0.95))
    assert both(table, tmp_path / "p.parquet") == BOOTSTRAPPED


def test_many_rows_have_every_interval(tmp_path: Path) -> None:
    truth, score = binary(5, 210_000)
    assert both(hl.Predictions.of(truth, y_score=score), tmp_path / "p.parquet") == set()


def test_one_long_tie(tmp_path: Path) -> None:
    truth = np.arange(300_000) % 2
    score = np.where(np.arange(truth.size) % 1000 == 0, 0.9, 0.4)
    assert both(hl.Predictions.of(truth, y_score=score), tmp_path / "p.parquet") == set()


@pytest.mark.parametrize("kind", ["frequency", "sampling"])
@pytest.mark.parametrize("ties", [False, True])
def test_weights(tmp_path: Path, kind: str, ties: bool) -> None:
    truth, score = binary(7, ties=ties)
    rng = np.random.default_rng(8)
    weight = (
        rng.integers(0, 4, truth.size) if kind == "frequency" else rng.uniform(0, 3, truth.size)
    )
    table = hl.Predictions.of(
        truth, y_score=np.clip(score, 0.02, 0.98), weight=weight, weights=kind
    )
    assert both(table, tmp_path / "p.parquet") == BOOTSTRAPPED


def test_many_weighted_rows_have_every_interval(tmp_path: Path) -> None:
    truth, score = binary(9, 30_000)
    weight = np.random.default_rng(10).uniform(0.5, 3, truth.size)
    table = hl.Predictions.of(truth, y_score=score, weight=weight, weights="sampling")
    assert both(table, tmp_path / "p.parquet") == set()


def several(seed: int, k: int = 4, n: int = 500) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    raw = rng.normal(size=(n, k)) + 1.5 * np.eye(k)[truth]
    share = np.exp(raw)
    return truth, share / share.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("kind", [None, "frequency", "sampling"])
def test_several_classes(tmp_path: Path, kind: str | None) -> None:
    truth, score = several(3)
    names = np.array(["north", 'it\'s "east"', "süd", "west; --"])
    weight = None
    if kind is not None:
        weight = np.random.default_rng(4).integers(1, 5, truth.size) * 1.0
    table = hl.Predictions.of(
        names[truth],
        names[score.argmax(axis=1)],
        y_score=score,
        classes=sorted(names.tolist()),
        weight=weight,
        weights=kind,
    )
    # The mean of areas needs how the areas vary together, row by row.
    refused = both(table, tmp_path / "p.parquet")
    assert refused == {"auc", "average_precision"}


def test_area_of_each_class_has_an_interval(tmp_path: Path) -> None:
    truth, score = several(5)
    hl.Predictions.of(truth, y_score=score).write(tmp_path / "p.parquet")
    found = hl.assess(hl.Predictions.scan(tmp_path / "p.parquet"))
    for class_ in range(4):
        one = found["model", "auc", class_]
        assert one.low < one.value < one.high


@pytest.mark.parametrize("scores", ["decision", "votes"])
def test_other_scores(tmp_path: Path, scores: str) -> None:
    truth, score = several(6)
    table = hl.Predictions.of(truth, y_score=np.round(10 * score), scores=scores)
    both(table, tmp_path / "p.parquet")


def test_labels_alone(tmp_path: Path) -> None:
    truth, score = binary(11)
    table = hl.Predictions.of(truth == 1, score > 0.5)
    assert both(table, tmp_path / "p.parquet") == set()


def test_several_models(tmp_path: Path) -> None:
    truth, score = binary(12)
    _, other = binary(13)
    n = truth.size
    table = hl.Predictions.of(
        np.tile(truth, 2),
        y_score=np.concatenate([score, other]),
        model=np.repeat(["a", 'b" OR 1=1'], n),
        row=np.tile(np.arange(n), 2),
    )
    table.write(tmp_path / "p.parquet")
    scanned = hl.Predictions.scan(tmp_path / "p.parquet")
    found = hl.assess(scanned)
    assert agree(hl.assess(table), found) == BOOTSTRAPPED
    assert found.selected is None
    assert any("not adjusted for the selection" in note for note in found.notes)


def test_a_model_without_scores(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    truth, score = binary(14)
    n = truth.size
    table = pa.table(
        {
            "model": ["a"] * n + ["bare"] * n,
            "y_true": np.tile(truth, 2),
            "y_pred": np.tile(score > 0.5, 2).astype(int),
            "prob": pa.array([*score.tolist(), *[None] * n]),
        }
    )
    pq.write_table(table, tmp_path / "p.parquet")
    with pytest.raises(hl.InputError, match="y_score is missing in"):
        hl.Predictions.scan(tmp_path / "p.parquet")


@pytest.mark.parametrize("positive", [0, 1])
def test_positive_cost_and_prevalences(tmp_path: Path, positive: int) -> None:
    truth, score = binary(15)
    table = hl.Predictions.of(truth, y_score=score, positive=positive)
    assert both(table, tmp_path / "p.parquet", cost=[[0, 1], [5, 0]]) == BOOTSTRAPPED
    assert both(table, tmp_path / "p.parquet", prevalences={0: 0.95, 1: 0.05}) == set()


def test_skewed_losses_with_prevalences_need_the_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    score = 1 / (1 + np.exp(-(6 * truth - 3 + 2 * rng.normal(size=600))))
    table = hl.Predictions.of(truth, y_score=score, scores="probability")
    options = {"measures": ["log_loss", "brier"], "prevalences": {0: 0.9, 1: 0.1}}
    assert both(table, tmp_path / "p.parquet", **options) == {"log_loss", "brier"}
    assert all(math.isfinite(one.low) for one in hl.assess(table, **options))


def test_measures_by_name(tmp_path: Path) -> None:
    truth, score = several(16)
    table = hl.Predictions.of(truth, y_score=score)
    asked = ["ece", "hand_till", "log_loss", "f1.micro"]
    both(table, tmp_path / "p.parquet", measures=asked, interval=None)


@pytest.mark.parametrize("kind", [None, "frequency", "sampling"])
@pytest.mark.parametrize("n", [400, 210_000])
def test_numbers(tmp_path: Path, kind: str | None, n: int) -> None:
    rng = np.random.default_rng(17)
    truth = np.round(rng.normal(size=n), 2)
    weight = None
    if kind is not None:
        weight = rng.integers(0, 4, n) if kind == "frequency" else rng.uniform(0.5, 2, n)
    label = truth + rng.normal(size=n) * 0.4
    table = hl.Predictions.of(truth, label, task="regression", weight=weight, weights=kind)
    assert both(table, tmp_path / "p.parquet") == set()


# --- refused -----------------------------------------------------------------------------------


def parquet(path: Path, **columns: object) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path)
    return path


def test_missing_values(tmp_path: Path) -> None:
    truth, score = binary(18)
    values = [None if at in (3, 77) else float(s) for at, s in enumerate(score)]
    values[5] = math.nan
    path = parquet(tmp_path / "p.parquet", y_true=truth, prob=values)
    with pytest.raises(InputError, match=r"p\.parquet: y_score is missing in 3 rows"):
        hl.Predictions.scan(path)
    dropped = hl.Predictions.scan(path, missing="drop")
    memory = hl.Predictions.read(path, missing="drop")
    assert len(dropped) == len(memory) == truth.size - 3
    assert agree(hl.assess(memory), hl.assess(dropped)) == BOOTSTRAPPED


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"y_true": [0, 1], "prob": [0.5, 1.5]}, "1.5 is not a probability"),
        ({"y_true": [0, 1], "prob": [0.5, math.inf]}, "infinite"),
        ({"y_true": [0, 1], "prob": ["a", "b"]}, "is not a number"),
        ({"y_true": ["a", "b"], "y_pred": [1, 2]}, "no predicted label is a true class"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "weight": [1.0, -1.0]}, "not negative"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "weight": [0, 0]}, "all weights are 0"),
        ({"y_true": [0, 0], "y_pred": [0, 0]}, "only one class"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "group": ["a", "b"]}, "rows in groups"),
        ({"y_true": [0, 1], "y_pred": [0, 1], "model": ["a", None]}, "model is missing in 1 row"),
        ({"y_true": [[0], [1]], "y_pred": [0, 1]}, "neither numbers nor text"),
        ({"a": [0, 1], "b": [0, 1]}, "no column is recognised as y_true"),
        (
            {
                "y_true": [0, 1, 2],
                "prob_0": [1, 0, 0.0],
                "prob_1": [0, 1, 0.5],
                "prob_2": [0, 0, 0.2],
            },
            "sum to 0.7, not 1",
        ),
    ],
)
def test_refused(tmp_path: Path, columns: dict[str, object], message: str) -> None:
    path = parquet(tmp_path / "p.parquet", **columns)
    with pytest.raises(InputError, match=message) as scanned:
        hl.Predictions.scan(path)
    assert str(scanned.value).startswith("p.parquet: ")


def test_several_splits_are_refused(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "p.parquet", y_true=[0, 1] * 4, y_pred=[0, 1] * 4, split=[0, 1, 2, 3] * 2
    )
    scanned = hl.Predictions.scan(path)
    with pytest.raises(InputError, match=r"4 splits .* --no-scan"):
        hl.assess(scanned)
    alone = hl.assess(scanned.only(split=[0, 1]).only(split=0), ["error"])
    assert alone["p", "error"].n == 2


def test_rows_that_were_trained_on_are_left_out(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "p.parquet",
        y_true=[0, 1, 0, 1],
        y_pred=[0, 1, 1, 1],
        split=["train", "test"] * 2,
    )
    memory, scanned = hl.Predictions.read(path), hl.Predictions.scan(path)
    agree(hl.assess(memory), hl.assess(scanned))
    assert len(scanned.only(in_train=0)) == 2


def test_what_needs_rows_says_so(tmp_path: Path) -> None:
    truth, score = binary(19)
    hl.Predictions.of(truth, y_score=score).write(tmp_path / "p.parquet")
    scanned = hl.Predictions.scan(tmp_path / "p.parquet")
    with pytest.raises(NeedsRows, match="--no-scan"):
        _ = scanned.y_true
    with pytest.raises(NeedsRows):
        scanned.write(tmp_path / "q.parquet")
    one = hl.assess(scanned, ["auc"], interval="bootstrap")["model", "auc"]
    assert one.value == hl.assess(scanned, ["auc"])["model", "auc"].value
    assert NEEDS in one.reason


def test_models_with_other_rows_or_truths_are_refused(tmp_path: Path) -> None:
    n = 50
    truth = np.arange(n) % 2
    columns = {"model": np.repeat(["a", "b"], n), "y_pred": np.tile(truth, 2)}
    rows = np.tile(np.arange(n), 2)
    other = np.concatenate([truth, truth[::-1]])
    path = parquet(tmp_path / "p.parquet", **columns, y_true=other, row=rows)
    with pytest.raises(InputError, match="different truths for the same rows"):
        hl.Predictions.scan(path)
    shifted = rows + (np.arange(2 * n) >= n)
    path = parquet(tmp_path / "p.parquet", **columns, y_true=np.tile(truth, 2), row=shifted)
    with pytest.raises(InputError, match="50 rows each in a split, but not the same"):
        hl.Predictions.scan(path)
    fewer = {name: np.asarray(values)[:-1] for name, values in columns.items()}
    path = parquet(tmp_path / "p.parquet", **fewer, y_true=np.tile(truth, 2)[:-1], row=rows[:-1])
    memory, scanned = hl.Predictions.read(path), hl.Predictions.scan(path)
    assert scanned.incomplete() == memory.incomplete() == {"b": 1}
    agree(hl.assess(memory), hl.assess(scanned))


def test_the_folder_of_an_engine_goes_with_the_table(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    hl.Predictions.of([0, 1] * 20, [0, 1] * 20).write(path)
    table = hl.Predictions.scan(path)
    folder = table.prepared.engine.folder
    assert folder.is_dir()
    del table
    gc.collect()
    assert not folder.exists()
