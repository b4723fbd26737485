"""What was once answered wrongly in silence: read right, or refused with the line to type."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from typer.testing import CliRunner

import heliast as hl
from heliast._core.errors import InputError
from heliast.cli import app

RNG = np.random.default_rng(11)
N = 60
P = np.round(RNG.beta(1, 1, N), 3)
Y = (RNG.random(N) < P).astype(int)
A, B = (P >= 0.5).astype(int), (P >= 0.7).astype(int)
HOW = ("read", "scan")


def file(folder: Path, columns: dict[object, object], name: str = "a.csv", **said: object) -> Path:
    path = folder / name
    pd.DataFrame(columns).to_csv(path, **{"index": False, **said})  # type: ignore[call-overload]
    return path


def error(table: object) -> float:
    found = hl.assess(table, "error")
    return float(found[found.models[0], "error"].value)


def command(*words: object) -> str:
    """What a command says, or refuses with."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    return str(done.exception) if done.exception else done.output


# --- predictions or data -------------------------------------------------------------------------


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("names", [("score", "age", "target"), ("p", "x1", "y")])
def test_weak_names_beside_inputs_stop_with_both_lines(
    tmp_path: Path, names: tuple[str, ...], how: str
) -> None:
    score, other, truth = names
    path = file(tmp_path, {score: P, other: P * 50, truth: Y})
    with pytest.raises(InputError) as caught:
        getattr(hl.Predictions, how)(path)
    assert f"y_true={truth!r} y_score={score!r}" in str(caught.value)
    assert f"target={truth!r}" in str(caught.value)
    assert error(hl.Predictions.read(path, y_true=truth, y_score=score)) == np.mean(A != Y)
    assert error(hl.Predictions.read(file(tmp_path, {score: P, truth: Y}))) == np.mean(A != Y)


@pytest.mark.parametrize("how", HOW)
def test_columns_named_as_classes_are_scores(tmp_path: Path, how: str) -> None:
    frame = {"target": Y, 0: 1 - P, 1: P}
    assert error(hl.Predictions.read(pd.DataFrame(frame))) == np.mean(A != Y)
    assert error(getattr(hl.Predictions, how)(file(tmp_path, frame))) == np.mean(A != Y)


def test_no_model_is_fitted_on_predictions_unless_told(tmp_path: Path) -> None:
    said = {"age": P * 9, "y_pred": A, "class": Y}
    named = {"class": Y, "0": 1 - P, "1": P}
    for frame in (said, named):
        path = file(tmp_path, frame)
        for source in (path, pd.DataFrame(frame)):
            with pytest.raises(InputError, match=r"--y-true class .*--target class"):
                hl.read(source)
            assert hl.read(source, target="class").target == "class"
        for words in (["run", path, "-o", tmp_path / "o.csv"], ["assess", path]):
            assert "--target class" in command(*words)
    assert not (tmp_path / "o.csv").exists()


# --- rows and parts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sample_id", "uid", "case", "PatientID", "idx", "", "Unnamed: 0"])
def test_what_names_each_row_once_pairs_files(tmp_path: Path, name: str) -> None:
    order = np.lexsort((P, Y))  # the same truths in place, other rows
    first = file(
        tmp_path, {name: np.arange(N) + 7, "y_true": np.sort(Y), "y_pred": A[order]}, "a.csv"
    )
    turned = np.concatenate([np.flatnonzero(np.sort(Y) == one)[::-1] for one in (0, 1)])
    second = {name: turned + 7, "y_true": np.sort(Y), "y_pred": B[order][turned]}
    both = hl.compare(first, file(tmp_path, second, "b.csv"), "error")
    fixed = hl.compare(Y[order], {"a": A[order], "b": B[order]}, measure="error")
    assert both["a", "b"].p == fixed["a", "b"].p
    assert any(f"{name or 'column 1'!r} as row" in note for note in both.notes)


def test_a_name_that_repeats_is_no_row_but_perhaps_a_group(tmp_path: Path) -> None:
    path = file(tmp_path, {"patient_id": np.arange(N) // 2, "y_true": Y, "y_pred": A})
    table = hl.Predictions.read(path)
    assert table.row is None
    assert any("row='patient_id' or group='patient_id'" in note for note in table.notes)


def test_rows_of_one_table_alone_pair_nothing() -> None:
    named = hl.Predictions.of(Y, A, model="a", row=np.arange(N))
    with pytest.raises(InputError, match="give both or neither"):
        named.join(hl.Predictions.of(Y, B, model="b"))


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["set", "partition", "Dataset", "split", "fold", "usage"])
def test_training_rows_are_not_counted(tmp_path: Path, name: str, how: str) -> None:
    part = np.where(np.arange(N) < 20, "train", np.where(np.arange(N) < 30, "validation", "test"))
    path = file(tmp_path, {name: part, "y_true": Y, "y_pred": A})
    assert error(getattr(hl.Predictions, how)(path)) == np.mean(A[30:] != Y[30:])


@pytest.mark.parametrize(("name", "train"), [("is_train", True), ("in_test", False), ("train", 1)])
def test_a_mark_of_training_rows_is_understood(tmp_path: Path, name: str, train: object) -> None:
    marks = np.where(np.arange(N) < 20, train, not train)
    marks = marks.astype(int) if train == 1 and train is not True else marks.astype(bool)
    path = file(tmp_path, {name: marks, "y_true": Y, "y_pred": A})
    assert error(hl.Predictions.read(path)) == np.mean(A[20:] != Y[20:])


@pytest.mark.parametrize("names", [(".row", "id", "id2"), ("row", "repeat", "fold")])
def test_repeats_and_folds_are_splits(tmp_path: Path, names: tuple[str, ...]) -> None:
    row, repeat, fold = names
    folds = {row: [*range(30)] * 2, repeat: ["Repeat1"] * 30 + ["Repeat2"] * 30}
    folds[fold] = [f"Fold{at % 3}" for at in range(60)]
    table = hl.Predictions.read(
        file(tmp_path, {**folds, "y_true": [*Y[:30]] * 2, ".pred_class": A})
    )
    found = [(one.repeat, one.fold) for one in table.splits]
    assert found == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    caret = file(tmp_path, {"obs": Y, "pred": A, "Resample": ["Fold1.Rep1", "Fold2.Rep1"] * 30})
    assert [(one.repeat, one.fold) for one in hl.Predictions.read(caret).splits] == [(1, 1), (1, 2)]


# --- values --------------------------------------------------------------------------------------


def test_a_class_that_truth_never_has_is_no_shift() -> None:
    truth = RNG.integers(1, 5, 200)
    label = np.where(RNG.random(200) < 0.7, truth, RNG.integers(0, 5, 200))
    assert error(hl.Predictions.of(truth, label)) == np.mean(truth != label)


@pytest.mark.parametrize("how", HOW)
def test_whose_score_it_is(tmp_path: Path, how: str) -> None:
    table = getattr(hl.Predictions, how)(file(tmp_path, {"y_true": Y, "proba_0": 1 - P}))
    assert table.positive == 0
    assert "positive class: 0, which the score column names" in table.notes
    path = file(tmp_path, {"y_true": np.where(Y, "ill", "well"), "score": P})
    with pytest.raises(InputError, match="say positive='ill'"):
        getattr(hl.Predictions, how)(path)
    assert error(hl.Predictions.read(path, positive="ill")) == np.mean(A != Y)
    assert error(hl.Predictions.read(path, positive="well")) > 0.5


YES, SAYS = np.where(Y, "yes", "no"), np.where(A, "yes", "no")


def test_letters_are_told_apart_by_case() -> None:
    assert hl.Predictions.of(["a", "A", "b", "a"], ["a", "a", "b", "A"]).classes == ("A", "a", "b")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("truth", "label"),
    [
        ("churn", "predicted_churn"),  # Vertex AI
        ("churn", "churn_PREDICTION"),  # DataRobot
        ("Class", "prediction_label"),  # PyCaret
        ("label", "predicted_label"),  # BigQuery ML
    ],
)
def test_labels_that_are_named_after_the_truth(
    tmp_path: Path, truth: str, label: str, how: str
) -> None:
    path = file(tmp_path, {"id": range(N), truth: YES, label: SAYS, "prediction_score": P})
    assert error(getattr(hl.Predictions, how)(path)) == np.mean(A != Y)


@pytest.mark.parametrize(
    "header", ["Outcome,phat,age", "target,PRED_1,age", "class,my probability,x1"]
)
def test_nothing_is_fitted_on_what_may_have_been_said(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        header + "\n" + "".join(f"{y},{p},{9 * p}\n" for y, p in zip(Y, P, strict=True))
    )
    said = command("assess", path)
    assert "majority" not in said
    assert "--target" in said


# --- the order of classes, labels and scores -----------------------------------------------------


def test_classes_are_in_order_whatever_the_order_of_score_columns() -> None:
    truth = np.where(Y, "spam", "ham")
    wanted = hl.Predictions.of(truth, y_score={"ham": 1 - P, "spam": P})
    for score in (
        {"spam": P, "ham": 1 - P},
        pd.DataFrame({"spam": P, "ham": 1 - P}),
    ):
        table = hl.Predictions.of(truth, y_score=score)
        assert (table.classes, table.positive) == (("ham", "spam"), "spam")
        assert np.array_equal(table.scores, wanted.scores)
        assert hl.assess(truth, y_score=score, measures="error")["model", "error"].value == error(
            wanted
        )
    turned = hl.Predictions.of(Y, y_score=pd.DataFrame({1: P, 0: 1 - P}))
    assert (turned.classes, turned.positive) == ((0, 1), 1)
    assert np.array_equal(turned.scores, P)
    told = hl.Predictions.of(truth, y_score={"ham": 1 - P, "spam": P}, classes=["spam", "ham"])
    assert told.classes == ("spam", "ham")


def test_a_third_label_beside_two_true_classes_is_a_label() -> None:
    label = np.where(np.arange(N) % 9 == 0, 2, A)
    assert error(hl.Predictions.of(Y, label)) == np.mean(label != Y)


# --- counts, models and parts --------------------------------------------------------------------


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["method", "algorithm", "classifier", "learner", "estimator"])
def test_several_models_are_not_pooled(tmp_path: Path, name: str, how: str) -> None:
    both = {name: ["rf"] * N + ["xgb"] * N, "y_true": [*Y, *Y], "prob": [*P, *(1 - P)]}
    table = getattr(hl.Predictions, how)(file(tmp_path, both))
    assert table.models == ("rf", "xgb")
    assert error(table) == np.mean(A != Y)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("name", "train", "test"),
    [
        ("sample", "in", "out"),
        ("sample", "In-Sample", "out_of_sample"),
        ("split", "tr", "te"),
        ("split", "training", "unseen"),
        ("fold", "train", "oof"),
    ],
)
def test_other_words_for_training(
    tmp_path: Path, name: str, train: str, test: str, how: str
) -> None:
    part = np.where(np.arange(N) < 20, train, test)
    path = file(tmp_path, {name: part, "y_true": Y, "y_pred": A})
    assert error(getattr(hl.Predictions, how)(path)) == np.mean(A[20:] != Y[20:])
    patients = file(tmp_path, {"type": np.where(P > 0.5, "in", "out"), "y_true": Y, "y_pred": A})
    assert error(getattr(hl.Predictions, how)(patients)) == np.mean(A != Y)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["split", "subset"])
def test_an_unknown_word_beside_training_stops(tmp_path: Path, name: str, how: str) -> None:
    part = np.where(np.arange(N) < 20, "train", "foo")
    with pytest.raises(InputError, match="what 'foo' means is not known"):
        getattr(hl.Predictions, how)(file(tmp_path, {name: part, "y_true": Y, "y_pred": A}))


# --- several models ------------------------------------------------------------------------------


def test_several_columns_of_labels_are_several_models(tmp_path: Path) -> None:
    path = file(tmp_path, {"y_true": Y, "pred_a": A, "pred_b": B, "soft": P})
    assert "--y-pred pred_a --y-pred pred_b" in command("compare", path)
    table = hl.Predictions.read(path, y_pred=["pred_a", "pred_b", "soft"])
    assert table.models == ("pred_a", "pred_b", "soft")
    assert table.score_kind_of("soft") == "probability"
    assert "pred_a" in command("compare", path, "--y-pred", "pred_a", "--y-pred", "pred_b")
    with pytest.raises(InputError, match="--no-scan"):
        hl.Predictions.scan(path, y_pred=["pred_a", "pred_b"])


def test_stages_outlive_csv(tmp_path: Path) -> None:
    table = hl.run(
        {"vote": hl.BaggedVote(hl.Tree(), 4)}, hl.read("sklearn:iris"), 3, progress=False
    )
    assert table.stages
    path = table.write(tmp_path / "s.csv")
    for how in HOW:
        assert getattr(hl.Predictions, how)(path).stages == table.stages


class Broken(LogisticRegression):
    """Fails wherever it is fitted."""

    def fit(self, X: object, y: object) -> "Broken":
        raise ValueError("no such luck")


def test_compare_says_why_a_model_is_left_out() -> None:
    models = {"a": hl.Tree(), "b": hl.Majority(), "broken": Broken()}
    with pytest.warns(match="failed in 3 of 3"):
        table = hl.run(models, hl.read("sklearn:iris"), 3, progress=False)
    left = str(hl.compare(table))
    assert "broken" in left
    assert "failed in 3 of 3 splits, first in split 0: ValueError: no such luck" in " ".join(
        left.split()
    )


# --- calls ---------------------------------------------------------------------------------------


def test_models_in_place_of_predictions_get_the_line_to_type() -> None:
    model = LogisticRegression().fit(P[:, None], Y)
    with pytest.raises(
        InputError, match=r"a model \(LogisticRegression\): give y_test and model.predict"
    ):
        hl.assess(Y, model)
    with pytest.raises(InputError, match=r"model 'a': .*give y_test and model.predict"):
        hl.compare(Y, {"a": model, "b": A})


def test_one_column_is_one_column_whatever_its_shape() -> None:
    wanted = error(hl.Predictions.of(Y, A))
    for truth, label in (
        (Y[:, None], A[:, None]),
        (pd.DataFrame({"y": Y}), pd.DataFrame({"p": A})),
        (pd.DataFrame({"y": Y}), A),
    ):
        found = hl.assess(truth, label, "error")
        assert found["model", "error"].value == wanted
    with pytest.raises(InputError, match="look like scores"):
        hl.assess(Y, P[:, None])


def test_benchmarks_of_classes_in_an_order(tmp_path: Path) -> None:
    x = RNG.normal(size=60)
    classes = np.array(["low", "mid", "high"])[np.digitize(x + RNG.normal(size=60), [-0.5, 0.5])]
    file(tmp_path, {"x": x, "z": RNG.normal(size=60), "class": classes})
    words = ["--models", "tree,majority", "--plan", "2", "--measure", "class_mae"]
    assert "--order" in command("benchmark", tmp_path, *words)
    done = CliRunner().invoke(app, ["benchmark", str(tmp_path), *words, "--order", "low,mid,high"])
    assert done.exit_code == 3  # one data set is too few for a test
    assert "tree ranks best over 1 data set" in done.output


def test_frames_in_another_order_are_not_paired_by_place() -> None:
    first = pd.DataFrame({"y_true": Y, "y_pred": A}, index=np.arange(N) + 5)
    second = pd.DataFrame({"y_true": Y, "y_pred": B}, index=np.arange(N) + 5).sample(
        frac=1, random_state=1
    )
    for given in ((first, second), ({"a": first, "b": second},)):
        with pytest.raises(InputError, match=r"df2.loc\[df1.index\]"):
            hl.compare(*given)
    found = hl.compare(first, second.loc[first.index])
    assert found.pairs[0].p == hl.compare(Y, {"a": A, "b": B}).pairs[0].p


@pytest.mark.parametrize("how", HOW)
def test_a_header_among_the_rows_is_refused(tmp_path: Path, how: str) -> None:
    body = "".join(f"{y},{a}\n" for y, a in zip(Y, A, strict=True))
    path = tmp_path / "a.csv"
    path.write_text(("y_true,y_pred\n" + body) * 2)
    with pytest.raises(InputError, match="header stands among the rows"):
        getattr(hl.Predictions, how)(path)


def test_rows_as_dicts_and_models_with_a_score_a_class() -> None:
    rows = [{"y_true": int(y), "y_pred": int(a)} for y, a in zip(Y, A, strict=True)]
    assert hl.assess(rows, "error")["model", "error"].value == np.mean(A != Y)
    by_class = {"a": {1: P, 0: 1 - P}, "b": pd.DataFrame({0: 1 - P**2, 1: P**2})}
    plain = hl.compare(Y, {"a": P, "b": P**2})
    assert hl.compare(Y, by_class).pairs[0].p == plain.pairs[0].p
    with pytest.raises(InputError, match=r"columns=\{'name': values\}"):
        hl.assess(Y, A, by=A)
    gate = hl.gate(Y, A, require="error.high <= 0.9")
    assert gate.passed == hl.gate(Y, A, "error.high <= 0.9").passed


@pytest.mark.parametrize("how", HOW)
def test_score_columns_that_nearly_name_a_class(tmp_path: Path, how: str) -> None:
    path = file(tmp_path, {"y_true": np.where(Y, "Yes", "No"), "prob_yes": P})
    table = getattr(hl.Predictions, how)(path)
    assert error(table) == np.mean(A != Y)


def test_columns_named_after_classes_get_the_line_of_scores(tmp_path: Path) -> None:
    path = file(tmp_path, {"y_true": YES, "no_prob": 1 - P, "yes_prob": P})
    assert "--y-score CLASS1=no_prob CLASS2=yes_prob" in command("assess", path)


def test_it_is_the_label_that_holds_fractions() -> None:
    found = hl.assess(np.arange(N) ** 2, np.arange(N) + P, "mae")
    assert "y_pred holds fractions: a regression task" in found.notes


def test_new_rows_that_are_written_otherwise(tmp_path: Path) -> None:
    flag, dates = RNG.random(N) < 0.5, pd.date_range("2024-01-01", periods=N)
    rows: dict[object, object] = {"x": P, "flag": flag, "day": dates.strftime("%Y-%m-%d")}
    train = file(tmp_path, {**rows, "class": np.where(flag, "yes", "no")})
    model, said = tmp_path / "m.skops", tmp_path / "said.csv"
    line = " ".join(command("fit", train, "--model", "tree", "--plan", "2", "-o", model).split())
    trust = line.partition("PREDICTIONS.csv ")[2].split()
    assert trust.count("--trust") > 1  # the line that fit shows works as it stands

    def predicted(**other: object) -> str:
        named = {**rows, "class": np.where(flag, "yes", "no"), **other}
        path = file(tmp_path, dict(named), "new.csv")
        return command("predict", model, path, "-o", said, *trust)

    assert "did not have ('0', '1'), in 60 of 60 rows" in predicted(flag=flag.astype(int))
    unknown = predicted(**{"class": np.where(flag, "YES", "NO")})
    assert "class: unknown labels" in unknown
    assert "'YES'" in unknown
    assert "it takes the column 'day', left out as free text" in predicted(
        day=dates.strftime("%d/%m/%Y")
    )


@pytest.mark.parametrize("name", ["Freq", "n", "count", "N"])
def test_a_column_of_counts_asks_for_the_option(tmp_path: Path, name: str) -> None:
    cells = pd.crosstab(Y, A).stack().reset_index()
    cells.columns = ["y_true", "pred", name]
    path = file(tmp_path, dict(cells))
    with pytest.raises(InputError, match=f"weight='{name}'.*keep='{name}'"):
        hl.Predictions.read(path)
    assert error(hl.Predictions.read(path, weight=name)) == np.mean(A != Y)
    named = file(tmp_path, {"id": range(N), "y_true": Y, "pred": A, name: np.arange(N)})
    assert hl.Predictions.read(named).weight is None


def test_labels_under_other_names_are_a_warning(tmp_path: Path) -> None:
    path = file(tmp_path, {"y_true": Y, "prob": P, "final_decision": B})
    (warning,) = (note for note in hl.Predictions.read(path).notes if "reserved" in note)
    assert "y_pred='final_decision'" in warning
    assert error(hl.Predictions.read(path, y_pred="final_decision")) == np.mean(B != Y)
    with pytest.raises(InputError, match="y_pred='COLUMN' or y_score='COLUMN'"):
        hl.Predictions.read(file(tmp_path, {"y_true": Y, "decision": A}))
