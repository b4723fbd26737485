"""The report as a dict and as a file: what it says, what it leaves out, what it survives."""

import json
import re

import numpy as np
import pytest

import heliast as hl
from heliast._core.notes import Note
from heliast.verbs.options import Options as Question
from heliast.verbs.report import material_of
from heliast.views.report import page, summarise
from heliast.views.report.page import HERE, scripts, styles
from heliast.views.report.sections import SECTIONS


def table_of(wrong: dict[str, int], n: int = 400, **options: object) -> hl.Predictions:
    """Models that err on so many of the first rows."""
    truth = np.array(["a", "b"] * (n // 2))
    found = None
    for model, errors in wrong.items():
        label = truth.copy()
        label[:errors] = np.where(truth[:errors] == "a", "b", "a")
        one = hl.Predictions.of(truth, label, model=model, row=np.arange(n), **options)
        found = one if found is None else found.join(one)
    assert found is not None
    return found


def scored(n: int = 500, seed: int = 0, **options: object) -> hl.Predictions:
    draw = np.random.default_rng(seed)
    truth = draw.random(n) < 0.3
    score = 1 / (1 + np.exp(-draw.normal(1.5 * truth - 1, 1)))
    return hl.Predictions.of(truth.astype(int), y_score=score, **options)


def summary_of(table: hl.Predictions, **asked: object) -> dict:
    return summarise(material_of(table, Question(**asked), {"title": "T"}))


def part(summary: dict, key: str) -> dict:
    return next(one for one in summary["sections"] if one["key"] == key)


# --- the dict ----------------------------------------------------------------------------------


def test_json_can_hold_it_and_it_is_the_same_twice():
    table = scored()
    first = json.dumps(summary_of(table), allow_nan=False)
    assert first == json.dumps(summary_of(table), allow_nan=False)


def test_sections_come_in_the_order_that_readers_need():
    keys = [one["key"] for one in summary_of(scored())["sections"]]
    first, last = ["models", "confusion", "decisions"], ["warnings", "methods", "stamp"]
    assert keys == [*first, "classes", *last]


def test_every_section_has_a_name_of_its_own_and_a_template():
    assert len({one.key for one in SECTIONS}) == len(SECTIONS)
    for one in SECTIONS:
        assert one.title
        assert one.short
        assert (HERE / "templates" / one.template).is_file()


@pytest.mark.parametrize(
    ("wrong", "word", "words"),
    [
        ({"one": 20}, "one model", ["one: error rate 5.0% (95% CI 3.3% to 7.6%, n = 400)."]),
        ({"good": 20, "bad": 80}, "significant difference",
         ["Best: good, error rate 5.0%", "adjusted for selecting the best of 2 models",
          "good vs bad: error rate lower by 15.0 percentage points", "significantly better"]),
        ({"good": 20, "same": 22}, "inconclusive", ["error rate lower by 0.5", "inconclusive"]),
        ({"x": 20, "y": 20}, "identical predictions", ["identical predictions"]),
        ({"x": 20, "y": 22, "z": 90}, "no clear winner",
         ["better than 1 of 2 models; no significant difference from y"]),
        ({"x": 20, "y": 80, "z": 160}, "best model significant", ["better than both models"]),
    ],
)  # fmt: skip
def test_the_verdict_in_words(wrong, word, words):
    verdict = summary_of(table_of(wrong))["verdict"]
    assert verdict["word"] == word
    sentences = " ".join(verdict["sentences"])
    for phrase in words:
        assert phrase in sentences
    assert "Majority-class baseline: 50.0%" in sentences


def test_an_algorithm_is_told_by_its_training_rows():
    table = table_of({"tree": 40}, split=np.arange(400) % 10)
    assert "trained on 360 rows" in summary_of(table)["verdict"]["sentences"][0]


def test_tiles_show_value_and_interval_of_the_best_model(tmp_path):
    summary = summary_of(table_of({"bad": 80, "good": 20}))
    assert summary["best"] == "good"
    first = summary["tiles"][0]
    assert (first["title"], first["value"]) == ("Error rate, adjusted", "5.0%")
    assert summary["choice"] == "adjusted for selecting the best of 2 models"
    assert f"the first is {summary['choice']}</h2>" in page(summary)
    own = summary_of(table_of({"good": 20}))
    assert (own["choice"], own["tiles"][0]["title"]) == ("", "Error rate")
    assert own["tiles"][0]["interval"] == "95% CI 3.3% to 7.6%"
    assert {"name": "rows tested", "value": "400"} in summary["facts"]


def test_rows_tested_are_all_rows_whatever_a_measure_counts():
    table = table_of({"good": 20}, n=150)
    summary = summary_of(table, measures="recall")
    facts = {one["name"]: one["value"] for one in summary["facts"]}
    own = int(np.sum(np.asarray(table.y_true) == table.y_true[0]))
    sizes = {str(own), str(150 - own)}
    assert facts["rows tested"] == "150"
    assert facts["of these count for recall"] in sizes
    assert not any("test rows" in one["text"] for one in part(summary, "warnings")["warnings"])
    assert "of these count for error rate" not in {
        one["name"] for one in summary_of(table)["facts"]
    }


def test_models_are_ranked_by_the_measure_asked_for():
    table = table_of({"x": 20, "y": 30})
    summary = summary_of(table, measures="kappa")
    assert summary["tiles"][0]["title"].startswith("Cohen's kappa, almost perfect")
    assert "x vs y: Cohen's kappa higher by" in " ".join(summary["verdict"]["sentences"])
    priced = summary_of(table, measures="expected_cost", cost=[[0, 1], [9, 0]])
    assert priced["tiles"][0]["title"] == "Expected cost, adjusted"


def test_every_warning_says_what_to_do():
    warned = part(summary_of(table_of({"x": 3, "y": 4, "z": 5}, n=40)), "warnings")["warnings"]
    assert {
        "text": "only 40 test rows: all intervals are wide",
        "do": "collect more rows",
    } in warned
    assert "adjusted for selecting" in warned[0]["text"]
    assert "on new rows" in warned[0]["do"]


def test_unlike_splits_and_undefined_measures_are_warned_of():
    note = Note("split 3 is not representative: the target differs from that of all", "unlike")
    table = table_of({"x": 20}).noted(note, "column 'y' read as y_true")
    warned = part(summary_of(table), "warnings")
    assert note in [one["text"] for one in warned["warnings"] if "redraw=" in one["do"]]
    assert warned["inferred"][-1] == "column 'y' read as y_true"
    assert note not in warned["inferred"]
    never = hl.Predictions.of(["a", "b"] * 60, ["a"] * 120, positive="b")
    texts = " ".join(one["text"] for one in part(summary_of(never), "warnings")["warnings"])
    assert "precision undefined: class 'b' is never predicted" in texts


def test_labels_alone_have_no_curves_and_the_report_says_why():
    summary = summary_of(table_of({"x": 20}))
    assert summary["absent"] == [
        {
            "title": "Thresholds, costs and prevalence",
            "why": "the predictions have no scores, and curves need scores",
        }
    ]
    assert part(summary, "warnings")["absent"] == summary["absent"]


def test_a_report_of_a_regression_holds_no_row():
    """Points are binned: no value of a row, nor the ends of the data, can be read back."""
    draw = np.random.default_rng(1)
    truth = draw.normal(size=200)
    forecast = truth + draw.normal(size=200)
    table = hl.Predictions.of(truth, forecast, task="regression")
    text = page(summary_of(table))
    assert "mean absolute error" in text
    assert 'class="failed"' not in text
    for figure in part(summary_of(table), "residuals")["figures"]:
        assert figure["svg"].count("<rect") < 100
        assert all(
            int(rows) >= 3 for rows in re.findall(r"<title>(\d+) rows</title>", figure["svg"])
        )
    record = hl.curves.predicted(table)
    plot = hl.plots.predicted(record)
    for end in (forecast.min(), forecast.max(), truth.min(), truth.max()):
        assert not np.isclose([plot.x.low, plot.x.high, plot.y.low, plot.y.high], end, 0.001).any()


def test_a_model_that_failed_on_some_rows_is_not_called_the_best():
    truth = np.array(["a", "b"] * 100)
    wrong = np.where(np.arange(200) < 30, "a", truth)
    table = hl.Predictions.of(
        np.concatenate([truth, truth, truth[:50]]),
        np.concatenate([wrong, np.full(200, "a"), truth[:50]]),
        model=["whole"] * 200 + ["constant"] * 200 + ["part"] * 50,
        row=[*range(200), *range(200), *range(50)],
    )
    summary = summary_of(table)
    assert summary["best"] == "whole"
    said = " ".join(one["text"] for one in part(summary, "warnings")["warnings"])
    assert "part is left out" in said


def test_learning_curves_and_speed_are_shown_when_the_table_has_them():
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    plan = hl.LearningCurve(hl.KFold(5), shares=(0.2, 1.0))
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    table = hl.run(models, hl.read("sklearn:iris"), plan, progress=False)
    summary = summary_of(table)
    shown = part(summary, "varied")
    assert ">training rows</text>" in shown["figures"][0]["svg"]
    assert {row[0]["text"] for row in part(summary, "speed")["tables"][0]["rows"]} == set(models)
    assert part(summary, "splits")["figures"]
    stamp = {one["name"]: one["value"] for one in part(summary, "stamp")["stamp"]}
    assert stamp["data"] == table.meta.data_fingerprint
    assert stamp["plan"] == table.meta.plan_fingerprint
    assert not [one for one in summary["sections"] if "failed" in one]


def test_members_of_a_vote_are_one_line():
    table = table_of({"vote/B=5": 60, "vote/B=20": 40, "vote/B=100": 35, "tree": 70})
    svg = part(summary_of(table), "ensembles")["figures"][0]["svg"]
    assert "vote: 0.087 at 100" in svg
    assert not [one for one in summary_of(scored())["sections"] if one["key"] == "ensembles"]


def test_several_data_sets_get_ranks_and_a_critical_difference(tmp_path):
    tables = {
        f"set {i}": table_of({"x": 20 + i, "y": 40 + (i * 7) % 30, "z": 90 + i}) for i in range(8)
    }
    text = hl.report(tables, tmp_path / "r.html").read_text(encoding="utf-8")
    compared = hl.compare(tables)
    assert compared.summary in text
    assert "Mean ranks over data sets" in text
    assert "Nemenyi" not in text
    assert "set 7" in text
    assert 'class="failed"' not in text
    with pytest.raises(hl.NotEnoughData, match="data sets"):
        hl.report({"a": tables["set 0"], "b": tables["set 1"]}, tmp_path / "r.html")


def noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(9).random(shape)


@pytest.mark.parametrize(
    "make",
    [
        lambda: hl.Predictions.of(["a"], ["b"], classes=["a", "b"]),
        lambda: hl.Predictions.of([0, 1] * 20, y_score=[0.0, 1.0] * 20),
        lambda: hl.Predictions.of([0, 1] * 20, y_score=[0.5] * 40),
        lambda: hl.Predictions.of([0] * 20, y_score=noise(20), classes=[0, 1]),
        lambda: hl.Predictions.of(
            ["a", "b"] * 20, y_score=np.full((40, 3), 1 / 3), classes=list("abc")
        ),
        lambda: hl.Predictions.of([0, 1] * 50, y_score=noise(100), group=np.arange(100) // 50),
        lambda: hl.Predictions.of(
            [0, 1] * 50, y_score=noise(100), weight=[0, 0] * 25 + [1, 2] * 25, weights="frequency"
        ),
        lambda: hl.Predictions.of(
            ["a", "b"] * 20, y_score=np.round(9 * noise(40, 2)), scores="votes", classes=list("ab")
        ),
        lambda: scored(60, model="s", row=range(60)).join(
            hl.Predictions.of(scored(60).y_true, [0, 1] * 30, model="l", row=range(60))
        ),
        lambda: hl.Predictions.of([1.5], [2.5]),
    ],
)
def test_no_section_fails_on_odd_tables(make, tmp_path):
    summary = summary_of(make())
    assert [one["failed"] for one in summary["sections"] if "failed" in one] == []
    text = page(summary)
    assert 'class="failed"' not in text
    json.dumps(summary, allow_nan=False)


# --- the live counts ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["probability", "decision", "weighted"])
def test_counts_at_every_kept_threshold_are_those_of_all_rows(kind):
    draw = np.random.default_rng(4)
    n = 30_000
    truth = draw.random(n) < 0.2
    score = draw.normal(1.5 * truth, 1)
    weight = draw.integers(1, 4, n) if kind == "weighted" else None
    if kind == "probability":
        score = 1 / (1 + np.exp(-score))
    scores = "probability" if kind == "probability" else "decision"
    table = hl.Predictions.of(
        truth.astype(int), y_score=score, scores=scores, weight=weight,
        weights=None if weight is None else "frequency",
    )  # fmt: skip
    live = part(summary_of(table), "decisions")["live"]
    one = live["curves"][0][1]
    w = np.ones(n) if weight is None else weight
    assert one["t"][0] is None
    assert one["t"][1:] == sorted(one["t"][1:], reverse=True)
    assert len(one["t"]) < 1000
    for t, tp, fp in list(zip(one["t"], one["tp"], one["fp"], strict=True))[1::7]:
        assert tp == w[truth & (score >= t)].sum()
        assert fp == w[~truth & (score >= t)].sum()
    assert (one["P"], one["N"]) == (w[truth].sum(), w[~truth].sum())
    roc = hl.curves.roc(table, thin=False)
    corners = {(float(roc.tp[i]), float(roc.fp[i])) for i in roc.hull}
    assert {(one["tp"][i], one["fp"][i]) for i in one["hull"]} == corners
    if kind == "probability":
        assert one["t"][one["start"]] == 0.5


def test_a_table_that_stays_on_disk_has_live_counts_too(tmp_path):
    table = scored(4000)
    table.write(tmp_path / "scores.parquet")
    scanned = hl.Predictions.scan(tmp_path / "scores.parquet")
    one = part(summary_of(scanned), "decisions")["live"]["curves"][0][1]
    rows = table.rows()
    truth, score = rows.y_true == 1, rows.score_of(1)
    for t, tp, fp in list(zip(one["t"], one["tp"], one["fp"], strict=True))[1::5]:
        assert tp == (truth & (score >= t)).sum()
        assert fp == (~truth & (score >= t)).sum()
    assert one["t"][one["start"]] == pytest.approx(0.5, abs=0.02)
    assert 'class="failed"' not in page(summary_of(scanned))


def test_many_curves_share_the_room():
    draw = np.random.default_rng(0)
    k, n = 20, 400
    truth = draw.integers(0, k, n)
    raw = draw.random((n, k)) + 0.6 * np.eye(k)[truth]
    table = hl.Predictions.of(truth, y_score=raw / raw.sum(axis=1, keepdims=True))
    live = part(summary_of(table), "decisions")["live"]
    assert sum(len(one["t"]) for one in live["curves"][0].values()) < 40_000
    assert len(live["curves"][0]) == k


def test_class_counts_fixed_by_design_need_a_share():
    table = scored(design="classes")
    live = part(summary_of(table), "decisions")["live"]
    assert live["byClass"] is True
    given = {0: 0.99, 1: 0.01}
    summary = summary_of(table, prevalences=given)
    assert part(summary, "decisions")["live"]["shares"] == [0.99, 0.01]
    assert not [one for one in summary["sections"] if "failed" in one]


def test_sampling_weights_give_no_live_interval():
    weight = np.random.default_rng(0).random(500) + 0.5
    live = part(summary_of(scored(weight=weight, weights="sampling")), "decisions")["live"]
    assert "sampling weights" in live["noInterval"]


def test_the_file_holds_no_row_and_asks_for_nothing(tmp_path):
    n = 300
    names = np.array([f"patient-{i}" for i in range(n)])
    table = scored(n, row=names, group=names)
    text = hl.report(table, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "patient-" not in text
    assert not re.search(r"(?:src|href)\s*=\s*[\"']?(?:https?:)?//", text)
    assert "@import" not in styles()
    assert "url(" not in styles()
    assert "style=" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_the_same_table_gives_the_same_bytes(tmp_path):
    table = table_of({"x": 20, "y": 33})
    one = hl.report(table, tmp_path / "one.html").read_bytes()
    assert hl.report(table, tmp_path / "two.html").read_bytes() == one


def test_sizes(tmp_path):
    assert len(scripts()) + len(styles()) < 80_000
    assert hl.report(scored(), tmp_path / "r.html").stat().st_size < 500_000


def test_data_and_scripts_cannot_end_their_elements():
    assert "</script" not in scripts().lower()
    assert "</style" not in styles().lower()
    attack = "</script><script>alert(1)</script><!--"
    table = hl.Predictions.of(["a", attack] * 30, y_score=np.linspace(0, 1, 60), positive=attack)
    text = page(summary_of(table))
    data = re.search(r'<script type="application/json" id="heliast-data">(.*?)</script>', text)
    assert data is not None
    assert not set("<>&") & set(data.group(1))
    assert json.loads(data.group(1))["classes"][0].startswith("[1] </script>")
    assert attack not in text


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "r.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(hl.InputError, match="there is no folder"):
        hl.report(scored(), tmp_path / "no" / "r.html")
    with pytest.raises(hl.InputError, match=r"end the name in \.html"):
        hl.report(scored(), tmp_path / "r.pdf")
    with pytest.raises(hl.InputError, match="there is no such file"):
        hl.report("scores.csv", path)
    with pytest.raises(hl.InputError, match="level"):
        hl.report(scored(), path, level=95)
    assert path.read_text(encoding="utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"]


def test_several_splits_have_a_mean_roc_curve(tmp_path):
    def of(splits):
        return summary_of(scored(split=np.arange(500) % splits, row=np.arange(500)))

    section = part(of(5), "splits")
    assert "mean AUC" in section["figures"][1]["svg"]
    # Of one row a split there is no curve, and of one split no mean.
    for splits in (500, 1):
        figures = [one for made in of(splits)["sections"] for one in made.get("figures", ())]
        assert not [one for one in figures if "mean AUC" in one["svg"]]


def test_the_gate_stands_first_with_its_ruling(tmp_path):
    """Each requirement with its interval and its outcome."""
    table = table_of({"x": 20, "y": 33})
    gate = hl.gate(table, ["error.high <= 0.1", "x:error.high <= 0.02"])
    text = hl.report(table, tmp_path / "r.html", results=[gate]).read_text(encoding="utf-8")
    assert f"{gate.summary}</h1>".replace(">=", "&gt;=") in text
    assert text.index('id="gate"') < text.index('id="models"')
    for ruling in gate:
        assert ruling.requirement.words.replace("<", "&lt;") in text


def test_the_areas_in_the_legend_of_the_roc_curves_have_intervals():
    table = scored()
    auc = hl.assess(table, "auc")["model", "auc"]
    (svg,) = [
        one["svg"]
        for one in part(summary_of(table), "decisions")["figures"]
        if one["live"] == "roc"
    ]
    assert f"AUC {auc.value:.3f} [{auc.low:.3f}, {auc.high:.3f}]" in svg
