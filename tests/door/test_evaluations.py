"""Files that lm-evaluation-harness and Inspect wrote give the means that these tools report.

The scripts `make/lm_eval_samples.py` and `make/inspect_logs.py` wrote them with the tools.
"""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast import Predictions
from heliast._core.errors import InputError
from heliast.cli import app

HERE = Path(__file__).parent / "evaluations"
HARNESS, INSPECT = HERE / "lm_eval", HERE / "inspect"


def samples(model: str, task: str) -> Path:
    return next((HARNESS / model).glob(f"samples_{task}_*.jsonl"))


def log(name: str) -> Path:
    return next((INSPECT / name).iterdir())


@pytest.mark.parametrize("model", ["first", "second"])
@pytest.mark.parametrize(
    ("task", "grade"),
    [
        ("colours", "acc,none"),
        ("colours", "acc_norm,none"),
        ("sums", "exact_match,strict"),
        ("sums", "exact_match,flexible"),
    ],
)
def test_means_of_the_harness(model: str, task: str, grade: str) -> None:
    said = json.loads((HARNESS / "answers.json").read_text())[model][task][grade]
    table = Predictions.read(samples(model, task), grade=grade)
    assert table.models == (model,)
    assert hl.assess(table)[model, "grade"].value == pytest.approx(said, abs=1e-12)


def test_one_filter_and_one_metric_are_chosen_and_said() -> None:
    sums = Predictions.read(samples("first", "sums"))
    assert any("filter 'strict' of strict, flexible is read" in note for note in sums.notes)
    colours = Predictions.read(samples("first", "colours"))
    assert any("graded by 'acc'; other grades: acc_norm" in n for n in colours.notes)


def test_a_folder_of_two_tasks_keeps_the_task() -> None:
    table = Predictions.read(HARNESS)
    assert table.models == ("first", "second")
    assert len(table) == 2 * (8 + 12)
    tasks = table.columns["task"].plain().tolist()
    assert tasks.count("sums") == 16
    assert set(table.columns["metric"].plain()) == {"exact_match", "acc"}
    of_colours = table.where(table.columns["task"].plain() == "colours")
    said = json.loads((HARNESS / "answers.json").read_text())
    found = hl.assess(of_colours)
    for model in table.models:
        mean = said[model]["colours"]["acc,none"]
        assert found[model, "grade"].value == pytest.approx(mean, abs=1e-12)


def test_files_of_two_models_pair_by_document() -> None:
    pair = hl.compare(samples("first", "colours"), samples("second", "colours"))
    assert pair["first", "second"].value == pytest.approx(7 / 12 - 3 / 12)
    assert pair["first", "second"].test == "mcnemar"


def test_other_documents_under_the_same_number_do_not_pair(tmp_path: Path) -> None:
    lines = samples("second", "colours").read_text().splitlines()
    record = json.loads(lines[3])
    lines[3] = json.dumps({**record, "doc_hash": "0" * 64})
    changed = tmp_path / "second.jsonl"
    changed.write_text("\n".join(lines))
    with pytest.raises(InputError, match="row 3 has different values of 'doc_hash'"):
        hl.compare(samples("first", "colours"), changed)


def folder_of_two(folder: Path, task: str, change: dict[str, object], at: int | None) -> Path:
    """The files of both models in folders, records of the second changed: all, or one of them."""
    for model in ("first", "second"):
        (folder / model).mkdir()
        shutil.copy(samples(model, task), folder / model)
    changed = folder / "second" / samples("second", task).name
    records = [json.loads(line) for line in changed.read_text().splitlines()]
    for place, record in enumerate(records):
        record |= change if at in (None, place) else {}
    changed.write_text("\n".join(map(json.dumps, records)))
    return folder


def test_a_folder_pairs_the_same_documents_only(tmp_path: Path) -> None:
    folder = folder_of_two(tmp_path, "colours", {"doc_hash": "0" * 64}, 3)
    with pytest.raises(InputError, match=r"second/samples_colours.*: item 3 is another document"):
        Predictions.read(folder)


def test_a_folder_pairs_answers_that_were_read_alike_only(tmp_path: Path) -> None:
    folder = folder_of_two(tmp_path, "sums", {"filter": "flexible"}, 0)
    with pytest.raises(InputError, match=r"filter 'flexible' would be compared with 'strict' of"):
        Predictions.read(folder)
    table = Predictions.read(folder, grade="exact_match,strict", missing="drop")
    assert table.models == ("first", "second")


def test_of_several_files_the_file_and_its_line_are_named(tmp_path: Path) -> None:
    folder = folder_of_two(tmp_path, "colours", {"acc": None}, 4)
    with pytest.raises(InputError, match=r"missing in 1 row"):
        Predictions.read(folder)


def test_the_grade_that_is_read_is_said_and_not_called_unused(tmp_path: Path) -> None:
    change = {"metrics": ["acc"]}
    notes = Predictions.read(folder_of_two(tmp_path, "colours", change, None)).notes
    assert "graded by 'acc'" in notes
    assert not any("not used" in note and "'acc'" in note for note in notes)


def test_columns_of_documents_can_be_kept() -> None:
    table = Predictions.read(samples("first", "colours"), keep="shade")
    assert set(table.columns["shade"].plain()) == {"light", "dark"}


def test_a_line_that_is_cut_short_is_named(tmp_path: Path) -> None:
    text = samples("first", "sums").read_text()
    cut = tmp_path / samples("first", "sums").name
    cut.write_text(text[:-200])
    with pytest.raises(InputError, match="line 16 is no whole JSON record"):
        Predictions.read(cut)
    plain = tmp_path / "plain.jsonl"
    plain.write_text('{"model": "a", "item": 1, "correct": 1}\n{"model": "a", "item": 2, "corr')
    with pytest.raises(InputError, match=r"plain.jsonl: line 2 is no whole JSON record"):
        Predictions.read(plain)


def test_models_without_a_common_task_are_refused(tmp_path: Path) -> None:
    for model, task in (("first", "sums"), ("second", "colours")):
        (tmp_path / model).mkdir()
        shutil.copy(samples(model, task), tmp_path / model)
    with pytest.raises(InputError, match="no task in common"):
        Predictions.read(tmp_path)
    (tmp_path / "third").mkdir()
    shutil.copy(samples("second", "sums"), tmp_path / "third")
    (tmp_path / "third" / "results.json").unlink(missing_ok=True)
    with pytest.raises(InputError, match="no task in common"):
        Predictions.read(tmp_path)


def test_one_task_twice_is_refused(tmp_path: Path) -> None:
    first = samples("first", "sums")
    shutil.copy(first, tmp_path / first.name)
    again = first.name.replace("T02-", "T03-")
    shutil.copy(first, tmp_path / again)
    with pytest.raises(InputError, match="already; name the files of one evaluation"):
        Predictions.read(tmp_path)


@pytest.mark.parametrize("model", ["new", "old"])
@pytest.mark.parametrize("kind", ["json", "eval"])
def test_means_of_inspect(model: str, kind: str) -> None:
    table = Predictions.read(log(f"{kind}-{model}"))
    said = json.loads((INSPECT / "answers.json").read_text())[f"json-{model}"]
    assert table.models == (f"mockllm/{model}",)
    assert table.attempts == 2
    found = hl.assess(table)[table.models[0], "grade"]
    assert found.value == pytest.approx(said["exact"]["mean"]["value"], abs=1e-12)
    assert "seconds" in table.columns


def test_two_scorers_are_told_apart() -> None:
    said = json.loads((INSPECT / "answers.json").read_text())["json-two"]
    for scorer in ("exact", "includes"):
        table = Predictions.read(log("json-two"), grade=scorer)
        mean = next(iter(said[scorer].values()))["value"]
        assert table.y_pred.mean() == pytest.approx(mean)
    assert any("other grades: includes" in n for n in
               Predictions.read(log("json-two")).notes)  # fmt: skip


def test_a_scorer_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no grade 'bleu'; there are exact, includes"):
        Predictions.read(log("json-two"), grade="bleu")


def test_an_unfinished_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    with pytest.raises(InputError, match="not finished"):
        Predictions.read(path)
    path.write_bytes(log("eval-new").read_bytes()[:9000])
    with pytest.raises(InputError, match="damaged log of Inspect"):
        Predictions.read(path)
    whole = log("json-new").read_text()
    cut = tmp_path / "cut.json"
    cut.write_text(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="no whole JSON"):
        Predictions.read(cut)


def test_the_command_line_compares_a_folder_of_logs(tmp_path: Path) -> None:
    for name in ("eval-new", "eval-old"):
        shutil.copy(log(name), tmp_path)
    done = CliRunner().invoke(app, ["compare", str(tmp_path), "--group", "topic"])
    assert "only 2 groups" in str(done.exception)
    done = CliRunner().invoke(app, ["compare", str(tmp_path)])
    assert done.exit_code == 0, done.exception
    assert "mockllm/new vs mockllm/old: mean grade higher by" in done.output


def test_a_data_frame_of_samples_is_the_log() -> None:
    frame = Predictions.read(INSPECT / "samples_df.csv")
    whole = Predictions.read(log("eval-old"))
    assert frame.models == whole.models
    assert frame.row.tolist() == whole.row.tolist()
    assert frame.scores.tolist() == whole.scores.tolist()
    assert frame.notes[0].startswith("columns read: 'score_exact' as grade, 'id' as row")
