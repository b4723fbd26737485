"""Files as other tools write them give the measures that these tools compute, or stop with a line.

The scripts in `make` wrote `gallery`, and beside the files what the tools themselves say of them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast import Predictions
from heliast._core.errors import InputError, NotPredictions
from heliast._core.syntax import on_command_line
from heliast.cli import app

GALLERY = Path(__file__).parent / "gallery"
ANSWERS: dict[str, dict[str, Any]] = {
    name: answer
    for file in sorted(GALLERY.glob("answers-*.json"))
    for name, answer in json.loads(file.read_text()).items()
}
STOPS = {name: answer["stops"] for name, answer in ANSWERS.items() if "stops" in answer}
GIVEN = [name for name in ANSWERS if name not in STOPS]


def test_every_file_has_its_answer() -> None:
    files = {path.name for path in GALLERY.iterdir() if not path.name.startswith("answers-")}
    assert files == set(ANSWERS)
    assert len(files) >= 40


def options(name: str) -> dict[str, Any]:
    return {key: ANSWERS[name][key] for key in ("positive", "y_true", "decimal_separator")
            if key in ANSWERS[name]}  # fmt: skip


IN_MEMORY = (
    "sk_arrays.csv", "json_nested.ndjson", "spark_two.parquet", "spark_two.json", "spark_two.csv",
    "spark_three.parquet", "spark_three.json", "spark_three.csv", "spark_sparse.csv",
)  # fmt: skip


@pytest.mark.parametrize("name", IN_MEMORY)
def test_scores_in_records_or_text_are_not_scanned(name: str) -> None:
    with pytest.raises(InputError, match="--no-scan"):
        Predictions.scan(GALLERY / name, **options(name))


@pytest.mark.parametrize(
    ("how", "name"),
    [*(("read", name) for name in GIVEN), *(("scan", n) for n in GIVEN if n not in IN_MEMORY)],
)
def test_measures_are_those_of_the_tool(name: str, how: str) -> None:
    table = getattr(Predictions, how)(GALLERY / name, **options(name))
    measures = ANSWERS[name]["measures"]
    if how == "scan" and len(table.splits) > 1:
        pytest.skip("several splits are not scanned")
    found = hl.assess(table, measures=list(measures) or None)
    for measure, value in measures.items():
        assert found[table.models[0], measure].value == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in STOPS if not name.startswith("doubt_class")])
@pytest.mark.parametrize("how", ["read", "scan"])
def test_what_is_not_clear_stops_with_the_line_to_type(name: str, how: str) -> None:
    with on_command_line(), pytest.raises(InputError) as caught:
        getattr(Predictions, how)(GALLERY / name)
    assert STOPS[name] in str(caught.value)
    assert not isinstance(caught.value, NotPredictions)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_command_line_fits_nothing_on_predictions(name: str) -> None:
    more = [f"--{key.replace('_', '-')}={value}" for key, value in options(name).items()]
    done = CliRunner().invoke(app, ["assess", str(GALLERY / name), *more])
    assert "majority" not in done.output
    assert "holds data" not in done.output
    if name in STOPS:
        assert getattr(done.exception, "exit_code", None) == 2
        assert STOPS[name] in str(done.exception)
    else:
        assert done.exit_code == 0, done.exception


@pytest.mark.parametrize("name", [name for name in GIVEN if {*options(name)} - {"positive"}])
def test_without_the_option_the_error_shows_it(name: str) -> None:
    (key,) = {*options(name)} - {"positive"}
    with pytest.raises(InputError, match=f"{key}="):
        Predictions.read(GALLERY / name)
