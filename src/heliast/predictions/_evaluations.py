"""What evaluations of language models write: samples of lm-evaluation-harness, logs of Inspect."""

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import commonpath
from pathlib import Path
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.places import ROWS, Places
from heliast.predictions._names import Asked, Found, Source
from heliast.tables.records import broken_line
from heliast.tables.room import refuse_more

HARNESS, INSPECT = "lm-evaluation-harness", "Inspect"
GRADE = "grade"
"""What the column of the grades that are read is called."""
SAMPLES = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl")
"""How lm-evaluation-harness names its files, after the task."""
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_HEAD = 1 << 16
Record = dict[str, Any]


@dataclass
class Run:
    """What one model did on one task: a record for each answer, with the grades that it has."""

    path: Path
    tool: str
    model: str
    task: str
    records: list[Record]
    grades: list[str]
    """Names of grades, the one that is read unasked first."""
    lines: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    filter: str = ""
    """Which of several ways to read answers was graded."""


def is_evaluation(path: Path, head: bytes) -> bool:
    """Whether a file, or any file in a folder, is one that an evaluation wrote."""
    return _reader(path, head) is not None


def evaluations(folder: Path) -> list[Path]:
    """The files of evaluations in a folder and in its folders, by name."""
    found = sorted(
        path for path in folder.rglob("*") if path.suffix in (".jsonl", ".json", ".eval")
    )
    return [path for path in found if path.is_file() and is_evaluation(path, _head(path, 16))]


def evaluation_source(paths: Sequence[Path], asked: Asked) -> tuple[Source, Asked]:
    """The answers in these files as one source, and what is asked of it with the grade to read."""
    runs = []
    for path in paths:
        reader = _reader(path, _head(path, 16))
        if reader is not None:
            runs.append(reader(path, asked.roles.get("grade")))
    _refuse_twice(runs)
    _refuse_others(runs)
    notes = list(dict.fromkeys(note for run in runs for note in run.notes))
    chosen = _grades(runs, asked.roles.get("grade"), notes)
    _check_tasks(runs, notes)
    rows = [
        {"model": run.model, **({"task": run.task} if run.task else {})}
        | {key: one for key, one in record.items() if key != name}
        | ({"metric": name} if len(set(chosen)) > 1 else {})
        | {GRADE: record.get(name)}
        for run, name in zip(runs, chosen, strict=True)
        for record in run.records
    ]
    names = list(dict.fromkeys(name for row in rows for name in row))
    title = f"{Path(commonpath(paths)).name}{f' ({len(paths)} files)' * (len(paths) > 1)}"

    def fetch(found: Found) -> Mapping[str, Column]:
        return {name: column([row.get(name) for row in rows], name) for name in found.used()}

    source = Source(title, paths[0].stem, names, fetch, _places(runs), notes)
    keep = [name for name in ("doc_hash",) if name in names]
    keep += ["metric"] if len(set(chosen)) > 1 else []
    options = replace(asked.options, task="graded")
    roles = {**asked.roles, "grade": GRADE}
    return source, replace(asked, roles=roles, options=options, keep=(*asked.keep, *keep))


# --- several files -------------------------------------------------------------------------------


def _named(path: Path) -> str:
    """A file by its name and that of its folder, as evaluations of two models are called alike."""
    return Path(path.parent.name, path.name).as_posix()


def _places(runs: Sequence[Run]) -> Places:
    """How messages name answers: by the line, or else the number of the sample, and the file."""
    lines = all(run.lines for run in runs)
    if len(runs) == 1:
        own = runs[0].lines
        return Places("line", lambda positions: [own[at] for at in positions]) if lines else ROWS
    where = [
        f"{run.lines[at] if lines else at + 1} of {_named(run.path)}"
        for run in runs
        for at in range(len(run.records))
    ]
    return Places("line" if lines else "sample", lambda positions: [where[at] for at in positions])


def _refuse_others(runs: Sequence[Run]) -> None:
    """Refuse items that are other documents in another file, or answers read in another way."""
    documents: dict[tuple[str, Any], tuple[Any, Run]] = {}
    for run in runs:
        for record in run.records:
            key, known = (run.task, record["item"]), record.get("doc_hash")
            before, other = documents.setdefault(key, (known, run))
            if run.filter != other.filter:
                raise InputError(
                    f"{_named(run.path)}: filter {run.filter!r} would be compared with "
                    f"{other.filter!r} of {_named(other.path)}; say which, such as --grade "
                    f"{run.grades[0]},{run.filter}"
                )
            if known != before and known is not None and before is not None:
                raise InputError(
                    f"{_named(run.path)}: item {key[1]!r} is another document than in "
                    f"{_named(other.path)} (their 'doc_hash' differ): evaluate both on the same "
                    "version of the task, or assess each by itself"
                )


def _refuse_twice(runs: Sequence[Run]) -> None:
    seen: dict[tuple[str, str], Path] = {}
    for run in runs:
        other = seen.setdefault((run.model, run.task), run.path)
        if other != run.path:
            raise InputError(
                f"{_named(run.path)}: model {run.model!r} is graded on task {run.task!r} in "
                f"{_named(other)} already; name the files of one evaluation each, or move one away"
            )


def _grades(runs: Sequence[Run], asked: str | None, notes: list[str]) -> list[str]:
    """The grade that is read of each file: as asked, the first that all have, or its own first."""
    wanted = asked
    if asked is not None and runs[0].tool == HARNESS:
        wanted = asked.partition(",")[0]
    if wanted is not None:
        for run in runs:
            if wanted not in run.grades:
                raise InputError(
                    f"{_named(run.path)}: no grade {wanted!r}; there are {', '.join(run.grades)}"
                )
        return [wanted] * len(runs)
    common = [one for one in runs[0].grades if all(one in run.grades for run in runs)]
    if not common:
        own = dict.fromkeys(f"{run.task} by {run.grades[0]!r}" for run in runs)
        notes.append(f"tasks are graded by metrics of their own: {', '.join(own)}")
        return [run.grades[0] for run in runs]
    rest = f"; --grade reads another one: {', '.join(common[1:])}" if len(common) > 1 else ""
    notes.append(f"graded by {common[0]!r}{rest}")
    return [common[0]] * len(runs)


def _check_tasks(runs: Sequence[Run], notes: list[str]) -> None:
    """Say which tasks there are, and refuse models that share none."""
    if len({run.task for run in runs}) < 2:
        return
    by_model: dict[str, list[str]] = {}
    for run in runs:
        by_model.setdefault(run.model, []).append(run.task)
    if len(by_model) > 1 and not _shared(by_model):
        said = "; ".join(f"{model}: {', '.join(tasks)}" for model, tasks in by_model.items())
        odd = [one for one in by_model if _shared(by_model, but=one)] if len(by_model) > 2 else []
        hint = f"; the others have some without {' or '.join(odd)}" if odd else ""
        raise InputError(
            f"the models have no task in common ({said}){hint}: compare models that were graded on "
            "the same tasks, or assess each by itself"
        )
    every = list(dict.fromkeys(run.task for run in runs))
    notes.append(f"{len(every)} tasks: {', '.join(every[:12])}; the column 'task' tells them apart")


def _shared(by_model: Mapping[str, Sequence[str]], but: str = "") -> set[str]:
    """The tasks that all models were graded on, or all but one."""
    return set.intersection(*({*tasks} for model, tasks in by_model.items() if model != but))


# --- lm-evaluation-harness -----------------------------------------------------------------------


def _samples(path: Path, asked: str | None) -> Run:
    """A file of samples: one line for each document and filter, with the metrics by name."""
    metric, _, wanted = (asked or "").partition(",")
    records, lines = list[Record](), list[int]()
    filters, metrics = dict[str, None](), dict[str, None]()
    for line, record in _json_lines(path):
        name = str(record.get("filter", "none"))
        filters.setdefault(name, None)
        if name != (wanted or next(iter(filters))):
            continue
        names = [str(one) for one in record.get("metrics") or ()]
        metrics |= dict.fromkeys(one for one in names if isinstance(record.get(one), (int, float)))
        kept = _plain(record.get("doc"))
        own = {one: record.get(one) for one in names}
        if "doc_hash" in record:  # tells whether two files speak of the same documents
            own["doc_hash"] = record["doc_hash"]
        records.append({**kept, "item": record.get("doc_id"), **own})
        lines.append(line)
    if wanted and wanted not in filters:
        raise InputError(
            f"{_named(path)}: no filter {wanted!r}; there are {', '.join(map(repr, filters))} (say "
            "grade= as METRIC,FILTER)"
        )
    chosen = wanted or next(iter(filters), "")
    if not metrics:
        raise InputError(
            f"{_named(path)}: no metric has a number for each sample; nothing to assess"
        )
    notes = []
    if len(filters) > 1:
        other = next(one for one in filters if one != chosen)
        first = metric or next(iter(metrics))
        notes.append(
            f"filter {chosen!r} of {', '.join(filters)} is read; --grade {first},{other} reads "
            "another one"
        )
    elif chosen != "none":
        notes.append(f"answers are read by the filter {chosen!r}")
    found = SAMPLES.fullmatch(path.name)
    task = found[1] if found else ""
    model = _model_beside(path) if found else path.stem
    return Run(path, HARNESS, model, task, records, [*metrics], lines, notes, chosen)


def _plain(about: object) -> Record:
    """What is known of an item, where it is a text or a number: columns that can be kept."""
    if not isinstance(about, dict):
        return {}
    return {key: one for key, one in about.items() if isinstance(one, (str, int, float))}


def _model_beside(path: Path) -> str:
    """The model whose samples these are: as the results beside them say, or named by the folder."""
    time = path.stem.rpartition("_")[2]
    results = path.with_name(f"results_{time}.json")
    if results.is_file():
        try:
            name = json.loads(results.read_text("utf-8")).get("model_name")
        except (OSError, ValueError, AttributeError):
            name = None
        if isinstance(name, str) and name:
            return name
    return path.resolve().parent.name


def _json_lines(path: Path) -> Iterator[tuple[int, Record]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                raise InputError(broken_line(_named(path), number)) from None
            if not isinstance(record, dict):
                raise InputError(f"{_named(path)}: line {number} is no record by names")
            yield number, record


# --- Inspect -------------------------------------------------------------------------------------


def _log(path: Path, asked: str | None) -> Run:
    """A log of Inspect as JSON: all in one object."""
    refuse_more(4 * path.stat().st_size, "the log holds more than a table")
    try:
        log = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise InputError(
            f"{_named(path)}: this log of Inspect is no whole JSON: it is cut short or damaged; "
            "write it again"
        ) from None
    return _run(path, log, log.get("samples") or [])


def _archive(path: Path, asked: str | None) -> Run:
    """A log of Inspect as an archive: its header, and a summary of each sample."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "header.json" not in names:
                raise InputError(
                    f"{_named(path)}: a log of Inspect that was not finished (no header.json in "
                    "it): run the evaluation to its end (inspect eval-retry)"
                )
            log = json.loads(_entry(path, archive.getinfo("header.json")))
            if "summaries.json" in names:
                samples = json.loads(_entry(path, archive.getinfo("summaries.json")))
            else:
                parts = sorted(name for name in names if name.startswith("samples/"))
                samples = [json.loads(_entry(path, archive.getinfo(name))) for name in parts]
    except InputError:
        raise
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, zlib.error, struct.error):
        raise InputError(f"{_named(path)}: a damaged log of Inspect; write it again") from None
    return _run(path, log, samples)


def _entry(path: Path, info: zipfile.ZipInfo) -> bytes:
    """A file of an archive; Inspect packs with zstd, which zipfile cannot unpack everywhere."""
    refuse_more(4 * info.file_size, "the log holds more than a table")
    with path.open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(30)
        name, extra = struct.unpack("<HH", head[26:30])
        file.seek(info.header_offset + 30 + name + extra)
        packed = file.read(info.compress_size)
    if info.compress_type == _ZSTD:
        import pyarrow as pa

        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            return bytes(stream.read(info.file_size + 1))
    if info.compress_type == _DEFLATED:
        return zlib.decompressobj(-15).decompress(packed, info.file_size + 1)
    if info.compress_type == _STORED:
        return packed
    raise zipfile.BadZipFile(f"packed by method {info.compress_type}")


def _run(path: Path, log: Mapping[str, Any], samples: Iterable[Mapping[str, Any]]) -> Run:
    about = log.get("eval")
    if not isinstance(about, dict):
        raise InputError(
            f"{_named(path)}: a log of Inspect without what was evaluated; write it again"
        )
    records: list[Record] = []
    scorers: dict[str, None] = {}
    for sample in samples:
        scores = sample.get("scores") or {}
        scorers |= dict.fromkeys(scores)
        record = _plain(sample.get("metadata"))
        record |= {"item": sample.get("id"), "epoch": sample.get("epoch", 1)}
        record |= {name: _value(path, name, one) for name, one in scores.items()}
        usage = (sample.get("model_usage") or {}).values()
        tokens = [one.get("total_tokens") for one in usage if isinstance(one, dict)]
        if tokens and all(isinstance(one, (int, float)) for one in tokens):
            record["tokens"] = sum(tokens)
        if isinstance(sample.get("total_time"), (int, float)):
            record["seconds"] = sample["total_time"]
        records.append(record)
    if not records or not scorers:
        raise InputError(f"{_named(path)}: this log of Inspect holds no graded sample")
    status = log.get("status")
    notes = (
        [f"{_named(path)}: Inspect says {status!r}, not 'success'"] if status != "success" else []
    )
    model, task = str(about.get("model", path.stem)), str(about.get("task", ""))
    return Run(path, INSPECT, model, task, records, [*scorers], notes=notes)


def _value(path: Path, name: str, score: Any) -> Any:
    value = score.get("value") if isinstance(score, dict) else score
    if isinstance(value, (dict, list)):
        raise InputError(
            f"{_named(path)}: the scorer {name!r} gives several values a sample; write the one to "
            "assess as CSV: model, item, attempt, grade"
        )
    return value


# --- which is which ------------------------------------------------------------------------------


def _head(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _reader(path: Path, head: bytes) -> Callable[[Path, str | None], Run] | None:
    """What reads the file, if an evaluation wrote it."""
    if head.startswith(b"PK") and path.suffix.lower() == ".eval":
        return _archive
    if not head.lstrip().startswith(b"{"):
        return None
    if path.suffix.lower() == ".jsonl":
        begin = _head(path, _HEAD)
        names = (b'"doc_id"', b'"filtered_resps"', b'"resps"')
        return _samples if all(name in begin for name in names) else None
    if path.suffix.lower() == ".json":
        begin = re.sub(rb"\s", b"", _head(path, 4096))
        told = begin.startswith(b'{"version":') and b'"status":' in begin and b'"eval":{' in begin
        return _log if told else None
    return None
