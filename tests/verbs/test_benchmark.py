"""benchmark: data sets by data sets, ranks, what is left out, and interruptions."""

import gc
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import friedmanchisquare, rankdata
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app
from heliast.verbs.sources import Reading, sources
from heliast.views.numbers import value_text

MODELS = {
    "bayes": GaussianNB(),
    "knn": KNeighborsClassifier(3),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}


def task(seed: int, n: int = 60, gap: float = 1.0) -> hl.Dataset:
    """Two classes, normal inputs whose means are `gap` apart."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return hl.Dataset.of(
        rng.normal(size=(n, 3)) + gap * y[:, None], np.array(["no", "yes"])[y], name=f"set{seed}"
    )


def write_csv(path: Path, seed: int, n: int = 60, gap: float = 1.0, last: str = "class") -> Path:
    data = task(seed, n, gap)
    rows = [",".join([*map(repr, x), y]) for x, y in zip(data.matrix.tolist(), data.y, strict=True)]
    path.write_text("\n".join([f"a,b,c,{last}", *rows]) + "\n")
    return path


@pytest.fixture(scope="module")
def seven() -> dict[str, hl.Dataset]:
    return {f"set{seed}": task(seed, gap=0.3 + 0.2 * seed) for seed in range(7)}


@pytest.fixture(scope="module")
def found(seven: dict[str, hl.Dataset]) -> hl.Benchmark:
    return hl.benchmark(seven, MODELS, 5, seed=3, progress=False)


# --- the question ------------------------------------------------------------------------------


def test_costs_rank_models_and_leave_out_other_classes(seven: dict[str, hl.Dataset]) -> None:
    costs = {("no", "yes"): 1.0, ("yes", "no"): 5.0}
    other = hl.Dataset.of(np.arange(12.0)[:, None], list("abc") * 4)
    mine = hl.benchmark({**seven, "other": other}, MODELS, 5, seed=3, cost=costs, progress=False)
    assert mine.measure == "expected_cost"
    assert "not a pair (true class, label)" in mine.left_out["other"]
    table = hl.run(MODELS, seven["set2"], 5, 3, progress=False)
    twin = hl.assess(table, "expected_cost", cost=costs, seed=3)
    assert mine["set2", "knn"].value == twin["knn", "expected_cost"].value
    with pytest.raises(hl.InputError, match="cost: error does not use costs"):
        hl.benchmark(seven, MODELS, 5, measure="error", cost=costs, progress=False)


def test_what_it_cannot_answer_is_refused_by_name(seven: dict[str, hl.Dataset]) -> None:
    with pytest.raises(TypeError, match="threshold"):
        hl.benchmark(seven, MODELS, 5, threshold=0.3, progress=False)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        hl.benchmark(seven, MODELS, 5, nothing=1)


# --- the numbers -------------------------------------------------------------------------------


def test_it_is_run_assess_and_compare_on_each_data_set(
    seven: dict[str, hl.Dataset], found: hl.Benchmark
) -> None:
    tables = {name: hl.run(MODELS, one, 5, 3, progress=False) for name, one in seven.items()}
    for name, table in tables.items():
        assessed = hl.assess(table, "error", seed=3)
        for model in MODELS:
            assert found[name, model] == assessed[model, "error"]
    twin, mine = hl.compare(tables, "error", seed=3), found.comparison
    assert mine is not None
    assert mine.to_dict() == twin.to_dict()
    assert found.nemenyi == twin.nemenyi


def test_ranks_and_the_friedman_test_by_a_peer(found: hl.Benchmark) -> None:
    values = np.array([[found[one.name, model].value for model in MODELS] for one in found.sets])
    ranks = rankdata(values, axis=1)
    assert list(found.ranks.values()) == pytest.approx(ranks.mean(axis=0).tolist())
    assert [one.rank for one in found.entries] == ranks.ravel().tolist()
    friedman = hl.comparisons.friedman(found.values, "low")
    peer = friedmanchisquare(*values.T)
    assert (friedman.statistic, friedman.p) == pytest.approx((peer.statistic, peer.pvalue))
    assert found.order[0] == min(found.ranks, key=found.ranks.__getitem__)


def test_wins_ties_and_losses_by_counting(found: hl.Benchmark) -> None:
    for one in found.wins:
        pairs = [(found[s.name, one.a].value, found[s.name, one.b].value) for s in found.sets]
        counted = (sum(a < b for a, b in pairs), sum(a == b for a, b in pairs))
        assert (one.wins, one.ties) == counted
        assert one.wins + one.ties + one.losses == 7
        assert found.ranks[one.a] <= found.ranks[one.b]


def test_a_model_and_its_twin_share_ranks_and_are_identical(seven: dict[str, hl.Dataset]) -> None:
    models = {"bayes": GaussianNB(), "again": GaussianNB(), "stump": MODELS["stump"]}
    again = hl.benchmark(seven, models, 3, progress=False)
    assert again.ranks["bayes"] == again.ranks["again"]
    assert again.comparison is not None
    pair = again.comparison["bayes", "again"]
    assert (pair.p, pair.verdict) == (1.0, "identical predictions")
    assert next(one.ties for one in again.wins if {one.a, one.b} == {"bayes", "again"}) == 7


def test_high_is_better_where_the_measure_says_so(seven: dict[str, hl.Dataset]) -> None:
    by_error = hl.benchmark(seven, MODELS, 3, progress=False)
    by_accuracy = hl.benchmark(seven, MODELS, 3, measure="accuracy", progress=False)
    assert by_error.ranks == by_accuracy.ranks
    assert by_accuracy.better == "high"


def test_numbers_are_ranked_by_a_measure_of_numbers(seven: dict[str, hl.Dataset]) -> None:
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(0)
    lines = {}
    for at in range(6):
        x = rng.normal(size=(40, 2))
        lines[f"line{at}"] = hl.Dataset.of(x, x @ [1.0, 2.0] + rng.normal(size=40))
    models = {"mean": DummyRegressor(), "linear": LinearRegression()}
    ranked = hl.benchmark({**lines, "classes": seven["set0"]}, models, 5, measure="mae")
    assert ranked.ranks == {"mean": 2.0, "linear": 1.0}
    assert "a classification task: mae" in ranked.left_out["classes"]
    assert ranked.comparison is not None
    assert ranked.comparison.pairs[0].p == pytest.approx(2 / 2**6)  # all six signs alike


# --- what fails, what is left out --------------------------------------------------------------


class Picky(GaussianNB):
    """Fails on data with few rows, or always."""

    def __init__(self, least: int = 0) -> None:
        super().__init__()
        self.least = least

    def fit(self, X: Any, y: Any) -> "Picky":
        if len(X) < self.least:
            raise ValueError(f"only {len(X)} rows for picky")
        return super().fit(X, y)


def test_where_a_model_fails_no_model_is_ranked(seven: dict[str, hl.Dataset]) -> None:
    models = {**MODELS, "picky": Picky(40)}
    small = task(99, n=30)
    with_it = hl.benchmark({**seven, "small": small}, models, 5, seed=3, progress=False)
    without = hl.benchmark(seven, models, 5, seed=3, progress=False)
    assert with_it.incomplete == {"small": "picky"}
    assert with_it.ranks == without.ranks
    assert with_it.comparison is not None
    assert without.comparison is not None
    assert with_it.comparison.to_dict() == without.comparison.to_dict()
    one = with_it["small", "picky"]
    assert math.isnan(one.value)
    assert "failed in 5 of 5 splits" in one.reason
    assert "only 24 rows for picky" in one.reason
    assert with_it["small", "bayes"].defined  # shown, though not ranked
    text = " ".join(with_it.to_text(verbose=True).split())
    assert "1 data set has no value of some model, and none is imputed" in text
    assert "small: picky failed in 5 of 5 splits" in text


@pytest.fixture(scope="module")
def fragile() -> hl.Benchmark:
    """One model fails on 4 of 8 data sets, those with few rows."""
    sets = {f"set{at}": task(at, n=30 if at % 2 else 60, gap=0.3 + 0.2 * at) for at in range(8)}
    return hl.benchmark(sets, {**MODELS, "picky": Picky(40)}, 5, seed=3, progress=False)


def test_one_fragile_model_does_not_void_the_study(fragile: hl.Benchmark, tmp_path: Path) -> None:
    others = fragile.without("picky")
    assert (len(fragile.complete), fragile.comparison) == (4, None)
    assert "4 complete data sets (4 more where a model failed)" in fragile.reason
    assert others.models == ("bayes", "knn", "stump")
    values = np.array([[fragile[one.name, m].value for m in MODELS] for one in fragile.sets])
    means = rankdata(values, axis=1).mean(axis=0).tolist()
    assert list(others.ranks.values()) == pytest.approx(means)
    assert others.comparison is not None
    alone = replace(others.comparison.nemenyi, differing=None)
    assert alone == hl.comparisons.nemenyi(values, "low", 0.95)
    text = " ".join(fragile.to_text(verbose=True).split())
    for words in (
        "over 4 data sets (mean rank",
        "set1, set3, set5 and set7: picky failed in 5 of 5 splits",
        "(benchmark.without(model) ranks the others)",
    ):
        assert words in text
    assert max(map(len, str(fragile).splitlines())) <= 80
    json.dumps(fragile.to_dict(), allow_nan=False)
    page = hl.report(fragile, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Pairs over data sets" in page


def test_what_cannot_be_left_out_is_said(fragile: hl.Benchmark) -> None:
    with pytest.raises(hl.InputError, match="no model 'nobody'; the models are bayes"):
        fragile.without("nobody")
    with pytest.raises(hl.InputError, match="a rank needs two models"):
        fragile.without("bayes", "knn", "stump")


def test_a_model_that_fails_everywhere_is_left_out_itself(
    seven: dict[str, hl.Dataset], found: hl.Benchmark
) -> None:
    again = hl.benchmark(seven, {**MODELS, "picky": Picky(10**9)}, 5, seed=3, progress=False)
    assert list(again.models_left_out) == ["picky"]
    assert again.ranks == found.ranks
    assert "model left out: picky" in str(again)


def test_a_data_set_on_which_nothing_can_be_fitted(seven: dict[str, hl.Dataset]) -> None:
    models = {"one": Picky(40), "two": Picky(41)}
    again = hl.benchmark({**seven, "small": task(99, n=30)}, models, 5, progress=False)
    assert list(again.left_out) == ["small"]
    assert again.left_out["small"].startswith("no model could be fitted in any split")
    assert "\n" not in again.left_out["small"]


def test_only_named_models_are_ranked(seven: dict[str, hl.Dataset]) -> None:
    """A vote gives all numbers of its members from one fit: these are no models here."""
    models = {"bag": hl.BaggedVote(hl.Tree(), 3, random_state=0), "bayes": GaussianNB()}
    again = hl.benchmark(seven, models, 2, progress=False)
    assert again.models == ("bag", "bayes")
    assert len(again.entries) == 14


def test_an_infinite_value_is_not_ranked(seven: dict[str, hl.Dataset]) -> None:
    models = {"bayes": GaussianNB(), "sure": KNeighborsClassifier(1)}  # probability 0 or 1
    again = hl.benchmark(seven, models, 3, measure="log_loss", progress=False)
    assert all(math.isinf(again[one.name, "sure"].value) for one in again.sets)
    assert list(again.models_left_out) == ["sure"]
    assert again.comparison is None
    assert "fewer than two models" in again.summary
    assert "no finite value on any data set (infinite" in " ".join(str(again).split())


def test_too_few_data_sets_are_shown_without_a_test(
    seven: dict[str, hl.Dataset], tmp_path: Path
) -> None:
    few = {name: one for name, one in seven.items() if name < "set5"}
    again = hl.benchmark(few, MODELS, 3, progress=False)
    assert again.comparison is None
    assert "5 complete data sets: with fewer than 6" in again.reason
    assert sum(again.ranks.values()) == pytest.approx(6.0)
    assert "No test" in again.summary
    assert list(again.plots()) == ["data_sets"]
    page = hl.report(again, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No test: 5 complete data sets" in page
    assert "win-tie-loss" in page


def test_a_plan_that_does_not_fit_leaves_the_data_set_out(seven: dict[str, hl.Dataset]) -> None:
    again = hl.benchmark({**seven, "tiny": task(5, n=6)}, MODELS, 10, progress=False)
    assert list(again.left_out) == ["tiny"]
    assert len(again.complete) == 7


def test_what_is_asked_wrongly_is_refused_at_once(seven: dict[str, hl.Dataset]) -> None:
    for options, words in [
        ({"models": {"bayes": GaussianNB()}}, "give two or more"),
        ({"test": "mcnemar"}, "is for one test set"),
        ({"measure": "errr"}, "did you mean 'error'"),
        ({"measure": "expected_cost"}, "needs cost="),
        ({"datasets": {}}, "no data sets"),
        ({"datasets": 3}, "expected a folder"),
        ({"datasets": "nowhere/at/all"}, "no such file or folder"),
        ({"plan": "ten"}, "plan"),
    ]:
        given: dict[str, Any] = {"datasets": seven, "models": MODELS, "progress": False, **options}
        with pytest.raises(hl.InputError, match=words):
            hl.benchmark(**given)


# --- folders and targets -----------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight usable files of all kinds, and four that cannot be used."""
    place = tmp_path / "data"
    place.mkdir()
    for seed in range(5):
        write_csv(place / f"csv{seed}.csv", seed, gap=0.5 + 0.2 * seed)
    write_csv(place / "text.csv", 5, last="kind")  # the last column, by its words
    data = task(6)
    columns = {name: data.matrix[:, at] for at, name in enumerate("abc")}
    pq.write_table(pa.table({**columns, "class": data.y}), place / "columns.parquet")
    lines = [f"@attribute {name} numeric" for name in "abc"] + ["@attribute play {no,yes}"]
    one = task(7)
    rows = [",".join([*map(repr, x), y]) for x, y in zip(one.matrix.tolist(), one.y, strict=True)]
    (place / "weka.arff").write_text("\n".join(["@relation r", *lines, "@data", *rows]))
    (place / "broken.parquet").write_bytes(b"PAR1 and no more")
    (place / "numbers.csv").write_text("a,target\n" + "".join(f"{i},{i / 7}\n" for i in range(40)))
    (place / "unnamed.csv").write_text("a,b\n" + "".join(f"{i},{i % 3}\n" for i in range(40)))
    (place / "twin.csv").write_bytes((place / "csv0.csv").read_bytes())
    (place / "README.md").write_text("not data")
    (place / ".hidden.csv").write_text("not data")
    return place


def test_a_folder_of_files(folder: Path) -> None:
    lines: list[str] = []
    again = hl.benchmark(folder, MODELS, 3, progress=False, told=lines.append)
    usable = ["columns", *(f"csv{seed}" for seed in range(5)), "text", "weka"]
    assert [one.name for one in again.sets] == usable
    assert {name: why.split(":")[0] for name, why in again.left_out.items()} == {
        "broken": "broken.parquet",
        "numbers": "a regression task",
        "twin": "the same data as csv0",
        "unnamed": "unnamed.csv",
    }
    assert "which column is the target? The last, 'b', holds numbers" in again.left_out["unnamed"]
    assert len(lines) == 12
    assert lines[0].startswith("[1/12] broken: left out: ")
    assert (
        "the last column was taken for the target of text (kind), weka (play); target= sets another"
    ) in again.notes


@pytest.mark.parametrize(
    ("head", "target", "answer"),
    [
        ("a,b,class", None, "class"),
        ("Class,a,b", None, "Class"),
        ("a,b,words", None, "words"),
        ("words,a,b", None, "which column is the target"),
        ("a,class,target", None, "'class', 'target' may each be the target"),
        ("a,b,words", "last", "words"),
        ("words,a,b", "first", "words"),
        ("words,a,b", 0, "words"),
        ("a,words,b", "-2", "words"),
        ("a,words,b", "words", "words"),
        ("1,words,b", "1", "1"),  # a name wins over a place
        ("a,words,b", "7", "there are 3 columns, 0 to 2"),
        ("a,words,b", "wordz", "did you mean 'words'"),
    ],
)
def test_which_column_is_the_target(
    tmp_path: Path, head: str, target: str | int | None, answer: str
) -> None:
    path = tmp_path / "one.csv"
    names = head.split(",")
    rows = [
        ",".join("xy"[at % 2] if name.lower() in ("words", "class") else str(at % 4)
                 for name in names)
        for at in range(12)
    ]  # fmt: skip
    path.write_text("\n".join([head, *rows]))
    (source,) = sources(path, Reading(target))
    if answer in names:
        data = source.load()
        assert (data.target, data.task) == (answer, "classification")
    else:
        with pytest.raises(hl.InputError, match=answer):
            source.load()


def test_whole_numbers_are_what_the_measure_is_for(tmp_path: Path) -> None:
    path = tmp_path / "stars.csv"
    path.write_text("a,b,stars\n" + "".join(f"{i},{i % 7},{i % 5}\n" for i in range(40)))
    assert sources(path, Reading("last"))[0].load().task == "classification"
    assert sources(path, Reading("last", "regression"))[0].load().task == "regression"
    assert sources(path, Reading(None, "regression"))[0].load().target == "stars"
    path.write_text("a,b,size\n" + "".join(f"{i},{i % 7},{i / 8}\n" for i in range(40)))
    assert sources(path, Reading("last"))[0].load().task == "regression"  # fractions are no classes


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for place in ("x", "y"):
        (tmp_path / place).mkdir()
        write_csv(tmp_path / place / "one.csv", 1)
    write_csv(tmp_path / "x" / "one.pq", 1)
    files = [tmp_path / "x" / "one.csv", tmp_path / "x" / "one.pq", "sklearn:iris"]
    assert [one.name for one in sources(files, Reading())] == [*map(str, files[:2]), "iris"]
    both = [tmp_path / "x" / "one.csv", tmp_path / "y" / "one.csv"]
    assert [one.name for one in sources(both, Reading())] == [str(path) for path in both]
    with pytest.raises(hl.InputError, match="given twice"):
        sources([both[0], both[0]], Reading())


def test_columns_that_are_no_inputs(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "one.csv", 1)
    data = sources(path, Reading(ignore=("b", "not there")))[0].load()
    assert data.names == ("a", "c")


# --- views -------------------------------------------------------------------------------------


def test_views(found: hl.Benchmark, tmp_path: Path) -> None:
    said = found.to_dict()
    json.dumps(said, allow_nan=False)
    assert len(said["table"]) == 21  # type: ignore[arg-type]
    frame = found.to_frame("pandas")
    assert frame.pivot(index="data", columns="model", values="value").shape == (7, 3)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "mean rank" in text
    assert "Mean ranks over data sets" in found.svg()
    assert found.svg() == str(hl.plots.critical_difference(found.comparison))
    assert found.svg() == str(hl.plots.critical_difference(found))
    assert "mean rank" in found._repr_html_()
    assert repr(found).startswith(f"<Benchmark: {found.order[0]} ranks best over 7 data sets")
    page = hl.report(found, tmp_path / "report.html").read_text(encoding="utf-8")
    for words in ("mean rank", "Mean ranks over data sets", "win-tie-loss"):
        assert words in page


def test_the_picture_of_all_data_sets_has_a_mark_for_every_value(found: hl.Benchmark) -> None:
    root = ET.fromstring(str(hl.plots.data_sets(found)))
    tips = [one.text for one in root.iter("{http://www.w3.org/2000/svg}title")][1:]
    assert len(tips) == 21
    wanted = {
        f"{one.model} on {one.data}: {value_text(one.value, 'error')}" for one in found.entries
    }
    assert set(tips) == wanted
    wide, high = float(root.get("width", 0)), float(root.get("height", 0))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.get("x", -1)) <= wide
        assert 0 <= float(text.get("y", -1)) <= high
    with pytest.raises(hl.InputError, match="needs a Benchmark with a ranked model"):
        hl.plots.data_sets(found.comparison)


def test_many_models_and_names_that_attack(seven: dict[str, hl.Dataset], tmp_path: Path) -> None:
    attack = "<script>alert(1)</script>\x1b[31m" + "x" * 200
    models = {f"{attack}{k}": KNeighborsClassifier(k) for k in range(1, 12)}
    again = hl.benchmark({f"{attack}{n}": d for n, d in seven.items()}, models, 3, progress=False)
    assert max(map(len, str(again).splitlines())) <= 80
    assert "\x1b" not in str(again)
    assert "<script>alert" not in again._repr_html_()
    page = hl.report(again, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page


def test_predictions_do_not_stay_in_memory(seven: dict[str, hl.Dataset]) -> None:
    gc.collect()
    before = sum(isinstance(one, hl.Predictions) for one in gc.get_objects())
    kept = hl.benchmark(seven, MODELS, 3, progress=False)
    gc.collect()
    after = sum(isinstance(one, hl.Predictions) for one in gc.get_objects())
    assert len(kept.entries) == 21
    assert after <= before


# --- the command line --------------------------------------------------------------------------


def heliast(*words: object) -> Any:
    return CliRunner().invoke(app, ["benchmark", *map(str, words)])


def test_the_command_prints_writes_and_reports(folder: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "results.csv", tmp_path / "report.html"
    done = heliast(
        folder, "--models", "bayes,knn(n_neighbors=3)", "--model", "mine=tree(max_depth=1)",
        "--plan", 3, "-o", out, "--report", page,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "over 8 data sets" in done.stdout
    assert "[12/12] weka: 60 rows, 3 splits" in done.stderr
    lines = out.read_text().splitlines()
    assert lines[0].startswith("data,model,measure,value,low,high")
    assert len(lines) == 1 + 8 * 3
    assert {line.split(",")[1] for line in lines[1:]} == {"bayes", "knn(n_neighbors=3)", "mine"}
    assert "Mean ranks over data sets" in page.read_text(encoding="utf-8")


def test_exit_codes(folder: Path, tmp_path: Path) -> None:
    few = [folder / f"csv{seed}.csv" for seed in range(4)]
    done = heliast(*few, "--models", "bayes,majority", "--plan", 3)
    assert done.exit_code == 3
    assert "mean rank" in done.stdout  # the table is there all the same
    assert "4 complete data sets" in done.stderr
    for words, reason in [
        ((tmp_path / "nowhere", "--models", "bayes,lda"), "no such file or folder"),
        ((folder, "--models", "bayes"), "give two or more"),
        ((folder, "--models", "bayes,bayes"), "twice|already"),
        ((folder, "--models", "bayes,guess"), "no such model"),
        ((folder, "--models", "bayes,lda", "-o", "results.xlsx"), "end the name in .csv"),
        ((folder, "--models", "bayes,lda", "--report", "no/folder.html"), "there is no folder"),
        ((folder, "--models", "bayes,lda", "--target", "nothing"), "none of 12 data sets"),
    ]:
        refused = heliast(*words)
        assert isinstance(refused.exception, hl.InputError), words
        assert refused.exception.exit_code == 2
        assert re.search(reason, str(refused.exception)), refused.exception


def test_json_is_the_whole_record(folder: Path) -> None:
    done = heliast(folder, "--models", "bayes,majority", "--plan", 3, "--json")
    said = json.loads(done.stdout)
    assert said["models"] == ["bayes", "majority"]
    assert len(said["table"]) == 16
    assert set(said["left_out"]) == {"broken", "numbers", "twin", "unnamed"}


# --- interruptions -----------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
COUNTED = """
import os, sys, time
from heliast.cli import start
from tests.faults.noted import before_each_fit
def count(split, seed):
    with open(os.environ["FITS"], "ab", buffering=0) as file:
        file.write(b".")
        held = file.tell() == int(os.environ["HELD"])
    while held:
        time.sleep(0.1)
before_each_fit(count)
sys.argv[0] = "heliast"
start()
"""
"""The command line; it notes every fit in the file FITS, and does not end that with number HELD."""


class Interrupted:
    """`heliast benchmark` in a process of its own, watched through its fits."""

    def __init__(self, place: Path) -> None:
        self.place, self.fits = place, place / "fits"
        (place / "data").mkdir()
        for seed in range(10):
            write_csv(place / "data" / f"set{seed}.csv", seed, 100 + 20 * seed, 0.2 * seed)

    words = (
        "data", "--models", "bayes,lda,majority,stump=tree(max_depth=1)", "--refit",
        "--plan", "kfold(10, repeats=5)", "--seed", "5", "--jobs", "1",
    )  # fmt: skip

    def start(self, held: int = 0) -> "subprocess.Popen[str]":
        """Begin, and if a fit is to be held wait until it is under way."""
        more = ("--store", "kept", "-o", "again.csv")
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {
            **os.environ, "PYTHONPATH": path, "FITS": str(self.fits), "HELD": str(held)
        }  # fmt: skip
        running = subprocess.Popen(
            [sys.executable, "-c", COUNTED, "benchmark", *self.words, *more],
            cwd=self.place, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        while self.fitted < held and running.poll() is None:
            time.sleep(0.02)
        return running

    def undisturbed(self, patch: pytest.MonkeyPatch) -> Any:
        patch.chdir(self.place)
        return heliast(*self.words, "-o", "whole.csv")

    @property
    def fitted(self) -> int:
        return self.fits.stat().st_size if self.fits.exists() else 0


def test_2000_cells_killed_and_interrupted_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = Interrupted(tmp_path)
    whole = it.undisturbed(monkeypatch)
    assert "over 10 data sets" in whole.stdout

    killed = it.start(held=3 * 200 + 17)
    killed.send_signal(signal.SIGKILL)
    assert "[3/10]" in killed.communicate()[1]
    assert killed.returncode == -signal.SIGKILL
    assert it.fitted == 3 * 200 + 17
    assert not (tmp_path / "again.csv").exists()

    stopped = it.start(held=7 * 200 + 31)
    stopped.send_signal(signal.SIGINT)
    said = stopped.communicate()[1]
    assert stopped.returncode == 130
    assert "[7/10]" in said
    assert "interrupted; the same command goes on from the finished work" in said
    assert "Traceback" not in said
    assert it.fitted == 7 * 200 + 31

    last = it.start()
    last.communicate()
    assert last.returncode == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert len((tmp_path / "again.csv").read_text().splitlines()) == 1 + 10 * 4
    assert it.fitted == 10 * 200 + 2  # only what was under way each time is done again


# --- real data ---------------------------------------------------------------------------------


def test_real_data_sets(shared_data: Path) -> None:
    names = ["boston", "contact_lenses", "glass", "housevotes84", "iris", "pima", "sonar", "vowel"]
    files = [shared_data / f"{name}.csv" for name in names]
    done = hl.benchmark(
        [*files, "sklearn:wine"], {**MODELS, "majority": hl.Majority()}, 3, seed=1,
        ignore=["split", "speaker", "sex"], progress=False,
    )  # fmt: skip
    assert list(done.left_out) == ["boston"]
    assert [one.name for one in done.complete] == [*names[1:], "wine"]
    assert done.order[-1] == "majority"
    assert done.comparison is not None
    assert done.comparison.omnibus is not None
    assert done.comparison.omnibus.p < 0.01
    vowel = next(one for one in done.sets if one.name == "vowel")
    assert (vowel.inputs, vowel.classes) == (10, 11)
