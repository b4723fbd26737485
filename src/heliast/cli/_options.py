"""Words of the command line to arguments of the verbs."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core import files
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.predictions import Predictions

if TYPE_CHECKING:
    from heliast.data import Dataset


def read_all(files: Sequence[str], **options: Any) -> Predictions:
    """The predictions of one file, or of several joined on their rows."""
    tables = [Predictions.read(file, **options) for file in files]
    table, *others = _told_apart(files, tables)
    for other in others:
        table = table.join(other)
    return table


LARGE = 500_000_000
"""Bytes from which a file of predictions is scanned where it lies instead of read."""


def read_or_scan(
    files: Sequence[str],
    scan: bool,
    table: str | None = None,
    memory: str | None = None,
    **options: Any,
) -> Predictions:
    """The predictions in memory, or scanned where they lie."""
    if not scan:
        return read_all(files, **options)
    if len(files) > 1:
        raise InputError(
            f"a scan takes one table, got {len(files)} files: quote a pattern, as in "
            "'parts/*.parquet', for the parts of one; several models are read with --no-scan"
        )
    return Predictions.scan(files[0], table=table, memory=memory or "1GB", **options)


def scans(files: Sequence[str], asked: bool | None, table: str | None) -> bool:
    """Whether to scan: if asked for, if the file is large, or if it is no single file."""
    if asked is not None:
        return asked
    return len(files) == 1 and (table is not None or _to_scan(files[0]))


def _to_scan(file: str) -> bool:
    """Whether a name is that of a large file, a folder, a pattern or a database."""
    path = Path(file).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as opened:
                head = opened.read(16)
            base = head.startswith(b"SQLite format 3") or head[8:12] == b"DUCK"
            return base or path.stat().st_size >= LARGE
        return path.is_dir() or has_magic(file) or "::" in file
    except (OSError, ValueError):
        return False  # the reader says what is wrong


def _told_apart(files: Sequence[str], tables: list[Predictions]) -> list[Predictions]:
    """Files of one name in different folders are models named after both."""
    paths = [Path(file) for file in files]
    stems = [path.stem for path in paths]
    twice = next((path for at, path in enumerate(paths) if path in paths[:at]), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice: a comparison needs files of different models")
    return [
        replace(table, models=(f"{path.resolve().parent.name}/{path.stem}",))
        if stems.count(path.stem) > 1 and table.models == (path.stem,)
        else table
        for path, table in zip(paths, tables, strict=True)
    ]


def data_instead(
    files: Sequence[str],
    ignore: Sequence[str] | None,
    group: str | None,
    task: str | None,
    drop_missing: bool,
) -> "Dataset | None":
    """A file that holds no predictions, read as data; None if it does not tell its target."""
    if len(files) != 1 or not Path(files[0]).is_file():
        return None
    try:
        found = read_data(files[0], None, ignore, group, task, drop_missing)
    except InputError:
        return None
    # A last column, or one called label, is a fair guess for who asks for data, not for who may
    # have meant otherwise.
    guessed = found.target_by == "last"
    return None if guessed or found.target.lower() == "label" else found


def fits(target: str | None, models: Sequence[str] | None) -> bool:
    """Whether the file holds data: a target is named, or several models, or the file of one."""
    from heliast.fitting.loading import is_model_file

    several = models or ()
    return target is not None or len(several) > 1 or any(is_model_file(one) for one in several)


def only_one(words: Sequence[str]) -> str:
    """The one word of a list that may hold one only."""
    if len(words) != 1:
        raise InputError(f"one is expected here, got {len(words)}: {', '.join(words)}")
    return words[0]


def data_file(files: Sequence[str]) -> str:
    """The one file that models are fitted on."""
    if len(files) != 1:
        raise InputError(
            f"models are fitted on one file of data, got {len(files)}: {', '.join(files)}; files "
            "of predictions are read without --target and --model"
        )
    return files[0]


def read_data(
    source: str,
    target: str | None,
    ignore: Sequence[str] | None,
    group: str | None,
    task: str | None,
    drop_missing: bool,
) -> "Dataset":
    """The data to fit models on."""
    from heliast.data import read

    return read(
        source,
        target,
        ignore=tuple(ignore or ()),
        group=group,
        task=task,  # type: ignore[arg-type]
        missing="drop" if drop_missing else "refuse",
    )


def named_models(
    words: Sequence[str], task: str, trusted: Sequence[str] | None = None
) -> dict[str, Any]:
    """Models in words by name; none may hide another of the same name."""
    from heliast.cli import _words

    found: dict[str, Any] = {}
    for one in words:
        name, model = _words.model(one, task, trusted or ())
        if name in found:
            raise InputError(f"--model {one}: there is a {name!r} already; say other={one}")
        found[name] = model
    return found


def run_models(
    data: "Dataset",
    models: Sequence[str] | None,
    plan: str,
    seed: int,
    trusted: Sequence[str] | None = None,
    **options: Any,
) -> Predictions:
    """Fit the named models, or the panel, on the splits of the plan in words."""
    from heliast.cli import _words
    from heliast.fitting import panel as _panel
    from heliast.fitting.run import run

    chosen = named_models(models, data.task, trusted) if models else _panel.panel(data.task)
    return run(chosen, data, _words.plan(plan), seed, **options)


def models_on(
    data: "Dataset",
    models: Sequence[str] | None,
    plan: str,
    seed: int,
    trusted: Sequence[str] | None,
    fitted: bool,
) -> Predictions:
    """What models say of data: fitted on the splits of a plan, or as they are if `fitted`."""
    if not fitted:
        return run_models(data, models, plan, seed, trusted)
    from heliast.fitting.predict import predict

    if not models:
        raise InputError("--fitted: name the file of a fitted model, as in --model model.skops")
    return predict(named_models(models, data.task, trusted), data)


def write_text(path: str, text: str) -> None:
    """Write a small file whole, or not at all."""
    files.write_text(path, text)


def label_of(word: str, classes: Sequence[Label]) -> Label:
    """The class that a word means: the text itself, or the number or truth value it spells.

    >>> label_of("1", (0, 1)), label_of("1", ("0", "1"))
    (1, '1')
    """
    for class_ in classes:
        if str(class_) == word or str(class_).lower() == word.lower():
            return class_
    for class_ in classes:
        try:
            if not isinstance(class_, str) and float(word) == float(class_):
                return class_
        except ValueError:
            break
    listed = ", ".join(map(str, classes[:8]))
    raise InputError(f"{word!r} is not a class; the classes are: {listed}")


def class_list(words: str | None) -> list[Label] | None:
    """`a,b,c` to classes: numbers if all are numbers.

    >>> class_list("0,1"), class_list("a,b")
    ([0, 1], ['a', 'b'])
    """
    if words is None:
        return None
    parts = [part.strip() for part in words.split(",") if part.strip()]
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return list(parts)
    return [int(number) if number.is_integer() else number for number in numbers]


def score_columns(words: Sequence[str] | None) -> str | dict[str, str] | None:
    """One column for the positive class, or CLASS=COLUMN for each class."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    pairs = {}
    for word in words:
        class_, equals, column = word.partition("=")
        if not equals:
            raise InputError(f"--score {word}: with several scores write CLASS=COLUMN for each")
        pairs[class_] = column
    return pairs


def costs(words: str | None, classes: Sequence[Label]) -> list[list[float]] | None:
    """`0,1;5,0`, or a CSV file without header: rows = true class, columns = label."""
    if words is None:
        return None
    path = Path(words)
    if path.suffix == ".csv":
        rows = _cost_rows(path, words)
    else:
        rows = [row.split(",") for row in words.split(";") if row.strip()]
    try:
        return [[float(cell) for cell in row] for row in rows]
    except ValueError:
        order = ", ".join(map(str, classes))
        raise InputError(
            f"--cost {words}: expected numbers like '0,1;5,0', one row per true class in the "
            f"order {order}"
        ) from None


def _cost_rows(path: Path, words: str) -> list[list[str]]:
    if not path.is_file():
        raise InputError(f"--cost {words}: no such file")
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"--cost {words}: cannot be read as CSV in UTF-8 ({error})") from None


def shares(words: str | None, classes: Sequence[Label]) -> Mapping[Label, float] | None:
    """`a=0.9,b=0.1` to class shares."""
    if words is None:
        return None
    found: dict[Label, float] = {}
    for part in words.split(","):
        word, equals, share = part.rpartition("=")
        try:
            found[label_of(word.strip(), classes)] = float(share)
        except ValueError:
            raise InputError(
                f"--prevalence {words}: expected CLASS=SHARE for each class, like a=0.9,b=0.1"
            ) from None
        if not equals:
            raise InputError(f"--prevalence {words}: expected CLASS=SHARE for each class")
    return found
