"""Logs of tools that evaluate language models, as tables of graded responses.

Read are samples of lm-evaluation-harness, logs of Inspect, results of promptfoo, per-instance
statistics of HELM and records of OpenAI evals, each as the tool writes it.
"""

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import commonpath
from pathlib import Path
from typing import Any

from heliast._core.columns import column
from heliast._core.errors import InputError
from heliast._core.syntax import option
from heliast.predictions.columns import Request
from heliast.tables.files import read_records
from heliast.tables.room import refuse_more
from heliast.tables.table import Table

GRADE = "grade"  # the column of the grades that are read
# How lm-evaluation-harness names its files, after the task.
SAMPLES = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl")
HEAD = 1 << 16
DAMAGED = (
    OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
ZSTD = 93  # how a ZIP archive says that a file is packed
Record = dict[str, Any]


@dataclass
class Log:
    """What one model did on one task: a record per response, with all of its grades.

    Of `grades` the first is read unless the caller names another. `filter` is which of several
    ways to extract answers was graded.
    """

    path: Path
    model: str
    task: str
    records: list[Record]
    grades: list[str]
    notes: list[str] = field(default_factory=list)
    filter: str = ""

    @property
    def name(self) -> str:
        """The file with its folder: evaluations of two models are called alike."""
        return Path(self.path.parent.name, self.path.name).as_posix()


def evaluations(path: Path) -> list[Path]:
    """The logs of evaluations in a folder and its folders, or the path itself if it is one."""
    if path.is_file():
        return [path] if _reader(path) else []
    if not path.is_dir():
        return []
    suffixes = (".jsonl", ".json", ".eval")
    found = sorted(file for file in path.rglob("*") if file.suffix in suffixes and file.is_file())
    return [file for file in found if _reader(file)]


def evaluation_table(paths: Sequence[Path], request: Request) -> tuple[Table, Request]:
    """The responses in these files as one table, and the request with the grade to read."""
    wanted = request.roles.get("grade")
    logs: list[Log] = []
    for path in paths:
        reader = _reader(path)
        logs += reader(path, wanted) if reader else []
    _refuse_inconsistent(logs)
    notes = list(dict.fromkeys(note for log in logs for note in log.notes))
    chosen = _choose_grades(logs, wanted, notes)
    _check_tasks(logs, notes)
    rows = []
    for log, name in zip(logs, chosen, strict=True):
        about = {"model": log.model} | ({"task": log.task} if log.task else {})
        about |= {"metric": name} if len(set(chosen)) > 1 else {}
        for record in log.records:
            others = {key: value for key, value in record.items() if key not in (name, *log.grades)}
            rows.append({**about, **others, GRADE: record.get(name)})
    names = list(dict.fromkeys(name for row in rows for name in row))
    count = f" ({len(paths)} files)" if len(paths) > 1 else ""
    table = Table(
        f"{Path(commonpath(paths)).name}{count}",
        paths[0].stem,
        names,
        lambda name: column([row.get(name) for row in rows], name),
        notes=notes,
    )
    keep = [name for name in ("doc_hash", "metric") if name in names]
    options = replace(request.options, task="graded")
    roles = {**request.roles, "grade": GRADE}
    return table, replace(request, roles=roles, options=options, keep=(*request.keep, *keep))


def _refuse_inconsistent(logs: Sequence[Log]) -> None:
    """Refuse a task twice, items that are other documents elsewhere, and other filters."""
    paths: dict[tuple[str, str], Log] = {}
    documents: dict[tuple[str, Any], tuple[Any, Log]] = {}
    for log in logs:
        twin = paths.setdefault((log.model, log.task), log)
        if twin is not log:
            raise InputError(
                f"{log.name}: model {log.model!r} is graded on task {log.task!r} in {twin.name} "
                "already; name the files of one evaluation each, or move one away"
            )
        for record in log.records:
            key, document = (log.task, record["item"]), record.get("doc_hash")
            known, other = documents.setdefault(key, (document, log))
            if log.filter != other.filter:
                raise InputError(
                    f"{log.name}: filter {log.filter!r} would be compared with {other.filter!r} of "
                    f"{other.name}; say which, as in "
                    f"{option('grade', f'{log.grades[0]},{log.filter}')}"
                )
            if known is not None and document not in (None, known):
                raise InputError(
                    f"{log.name}: item {key[1]!r} is another document than in {other.name} (their "
                    "'doc_hash' differ): evaluate both on the same version of the task"
                )


def _choose_grades(logs: Sequence[Log], wanted: str | None, notes: list[str]) -> list[str]:
    """The grade to read of each log: as named, the first that all have, or its own first."""
    if wanted is not None:
        name = wanted if all(wanted in log.grades for log in logs) else wanted.partition(",")[0]
        for log in logs:
            if name not in log.grades:
                raise InputError(
                    f"{log.name}: no grade {name!r}; there are {', '.join(log.grades)}"
                )
        return [name] * len(logs)
    common = [name for name in logs[0].grades if all(name in log.grades for log in logs)]
    if not common:
        own = dict.fromkeys(f"{log.task} by {log.grades[0]!r}" for log in logs)
        notes.append(f"tasks are graded by metrics of their own: {', '.join(own)}")
        return [log.grades[0] for log in logs]
    others = f"; other grades: {', '.join(common[1:])}" if len(common) > 1 else ""
    notes.append(f"graded by {common[0]!r}{others}")
    return [common[0]] * len(logs)


def _check_tasks(logs: Sequence[Log], notes: list[str]) -> None:
    """State which tasks there are, and refuse models that share none."""
    tasks = list(dict.fromkeys(log.task for log in logs))
    by_model: dict[str, set[str]] = {}
    for log in logs:
        by_model.setdefault(log.model, set()).add(log.task)
    if len(by_model) > 1 and not set.intersection(*by_model.values()):
        listed = "; ".join(f"{model}: {', '.join(sorted(own))}" for model, own in by_model.items())
        raise InputError(
            f"the models have no task in common ({listed}): compare models that were graded on the "
            "same tasks, or assess each by itself"
        )
    if len(tasks) > 1:
        shown = ", ".join(tasks[:12])
        notes.append(f"{len(tasks)} tasks: {shown}; the column 'task' tells them apart")


# --- lm-evaluation-harness -----------------------------------------------------------------------


def _harness(path: Path, wanted: str | None) -> list[Log]:
    """A file of samples: one line per document and filter, with the metrics by name."""
    metric, _, filter_ = (wanted or "").partition(",")
    log = Log(path, path.stem, "", [], [])
    filters, metrics = dict[str, None](), dict[str, None]()
    for record in read_records(path):
        name = str(record.get("filter", "none"))
        filters.setdefault(name, None)
        if name != (filter_ or next(iter(filters))):
            continue
        names = [str(name) for name in record.get("metrics") or ()]
        metrics |= dict.fromkeys(n for n in names if isinstance(record.get(n), (int, float)))
        row = _scalars(record.get("doc")) | {"item": record.get("doc_id")}
        row |= {name: record.get(name) for name in names}
        if "doc_hash" in record:  # tells whether two files hold the same documents
            row["doc_hash"] = record["doc_hash"]
        log.records.append(row)
    if filter_ and filter_ not in filters:
        raise InputError(
            f"{log.name}: no filter {filter_!r}; there are {', '.join(map(repr, filters))} (say "
            f"{option('grade', 'METRIC,FILTER')})"
        )
    if not metrics:
        raise InputError(f"{log.name}: no metric has a number for each sample; nothing to assess")
    log.grades = [*metrics]
    log.filter = filter_ or next(iter(filters))
    others = [name for name in filters if name != log.filter]
    if others:
        other = option("grade", f"{metric or log.grades[0]},{others[0]}")
        log.notes.append(f"filter {log.filter!r} of {', '.join(filters)} is read; {other} reads "
                         "another one")  # fmt: skip
    elif log.filter != "none":
        log.notes.append(f"answers are read by the filter {log.filter!r}")
    match = SAMPLES.fullmatch(path.name)
    if match:
        log.task, log.model = match[1], path.resolve().parent.name
        results = _json(path.with_name(f"results_{path.stem.rpartition('_')[2]}.json"), {})
        if isinstance(results, dict) and isinstance(results.get("model_name"), str):
            log.model = results["model_name"] or log.model
    return [log]


def _scalars(values: object) -> Record:
    """What is known of an item as text or numbers, which can be kept as columns."""
    if not isinstance(values, dict):
        return {}
    return {key: value for key, value in values.items() if isinstance(value, (str, int, float))}


def _json(path: Path, default: Any = None) -> Any:
    """A JSON file; the default, if there is one, where it cannot be read."""
    try:
        refuse_more(4 * path.stat().st_size, "the log holds more than a table")
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        if default is not None:
            return default
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path.parent.name}/{path.name}: this log is no whole JSON: it is cut short or "
            "damaged; write it again"
        ) from None


# --- Inspect -------------------------------------------------------------------------------------


def _inspect(path: Path, wanted: str | None) -> list[Log]:
    """A log of Inspect as JSON: all in one object."""
    log = _json(path)
    return [_inspect_log(path, log, log.get("samples") or [])]


def _inspect_archive(path: Path, wanted: str | None) -> list[Log]:
    """A log of Inspect as an archive: its header, and a summary of each sample."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "header.json" not in names:
                raise InputError(
                    f"{path.name}: a log of Inspect that was not finished (no header.json in it): "
                    "run the evaluation to its end (inspect eval-retry)"
                )
            log = json.loads(_entry(archive, path, archive.getinfo("header.json")))
            if "summaries.json" in names:
                samples = json.loads(_entry(archive, path, archive.getinfo("summaries.json")))
            else:
                parts = sorted(name for name in names if name.startswith("samples/"))
                samples = [
                    json.loads(_entry(archive, path, archive.getinfo(name))) for name in parts
                ]
    except InputError:
        raise
    except DAMAGED:
        raise InputError(f"{path.name}: a damaged log of Inspect; write it again") from None
    return [_inspect_log(path, log, samples)]


def _entry(archive: zipfile.ZipFile, path: Path, info: zipfile.ZipInfo) -> bytes:
    """A file of an archive; Inspect packs with zstd, which zipfile cannot unpack everywhere."""
    import pyarrow as pa

    refuse_more(4 * info.file_size, "the log holds more than a table")
    if info.compress_type != ZSTD:
        return archive.read(info)
    with path.open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(30)
        name, extra = struct.unpack("<HH", head[26:30])
        file.seek(info.header_offset + 30 + name + extra)
        packed = file.read(info.compress_size)
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        return bytes(stream.read(info.file_size + 1))


def _inspect_log(path: Path, log: Mapping[str, Any], samples: Iterable[Mapping[str, Any]]) -> Log:
    about = log.get("eval")
    if not isinstance(about, dict):
        raise InputError(f"{path.name}: a log of Inspect without its 'eval'; write it again")
    scorers: dict[str, None] = {}
    records = []
    for sample in samples:
        scores = sample.get("scores") or {}
        scorers |= dict.fromkeys(scores)
        record = _scalars(sample.get("metadata"))
        record |= {"item": sample.get("id"), "epoch": sample.get("epoch", 1)}
        for name, score in scores.items():
            record[name] = score.get("value") if isinstance(score, dict) else score
            if isinstance(record[name], (dict, list)):
                raise InputError(
                    f"{path.name}: the scorer {name!r} gives several values a sample; write the "
                    "one to assess as CSV: model, item, attempt, grade"
                )
        usage = (sample.get("model_usage") or {}).values()
        tokens = [part.get("total_tokens") for part in usage if isinstance(part, dict)]
        if tokens and all(isinstance(count, (int, float)) for count in tokens):
            record["tokens"] = sum(tokens)
        if isinstance(sample.get("total_time"), (int, float)):
            record["seconds"] = sample["total_time"]
        records.append(record)
    if not records or not scorers:
        raise InputError(f"{path.name}: this log of Inspect holds no graded sample")
    model, task = str(about.get("model", path.stem)), str(about.get("task", ""))
    status = log.get("status")
    notes = [f"{path.name}: Inspect says {status!r}, not 'success'"] if status != "success" else []
    return Log(path, model, task, records, [*scorers], notes=notes)


# --- promptfoo, HELM, OpenAI evals ---------------------------------------------------------------


def _promptfoo(path: Path, wanted: str | None) -> list[Log]:
    """Results of promptfoo: a record per provider, prompt and test, each pair a model."""
    results = _json(path)["results"]
    results = results["results"] if isinstance(results, dict) else results
    prompts = {record.get("promptIdx", 0) for record in results}
    logs: dict[str, Log] = {}
    for record in results:
        provider = record.get("provider") or {}
        provider = provider if isinstance(provider, dict) else {"id": provider}
        model = str(provider.get("label") or provider.get("id") or path.stem)
        prompt = record.get("prompt") or {}
        if len(prompts) > len({*_providers(results)}):
            model += f" / {prompt.get('label') or record.get('promptIdx')}"
        log = logs.setdefault(model, Log(path, model, "", [], ["success", "score"]))
        named = {k: v for k, v in (record.get("namedScores") or {}).items() if k not in log.grades}
        log.grades += named
        row = _scalars(record.get("vars")) | {"item": record.get("testIdx", len(log.records))}
        row |= {"success": record.get("success"), "score": record.get("score"), **named}
        row |= {"cost": record["cost"]} if isinstance(record.get("cost"), (int, float)) else {}
        if isinstance(record.get("latencyMs"), (int, float)):
            row["seconds"] = record["latencyMs"] / 1000
        log.records.append(row)
    if not logs:
        raise InputError(f"{path.name}: these results of promptfoo hold no response")
    return [*logs.values()]


def _providers(results: Sequence[Record]) -> list[str]:
    return [json.dumps(record.get("provider"), sort_keys=True) for record in results]


def _helm(path: Path, wanted: str | None) -> list[Log]:
    """Statistics of HELM per instance; the run is described beside them."""
    spec = _json(path.with_name("run_spec.json"), {"name": path.parent.name})
    adapter = spec.get("adapter_spec") or {}
    log = Log(path, str(adapter.get("model") or path.parent.name), "", [], [])
    log.task = str(spec.get("name", "")).split(",model=")[0].split(":model=")[0]
    metrics = dict[str, None]()
    for instance in _json(path):
        if instance.get("perturbation"):
            continue
        stats = {stat["name"]["name"]: stat.get("mean") for stat in instance.get("stats", ())}
        metrics |= dict.fromkeys(stats)
        trial = instance.get("train_trial_index", 0)
        log.records.append({"item": instance.get("instance_id"), "attempt": trial, **stats})
    known = ("exact_match", "quasi_exact_match", "prefix_exact_match", "f1_score")
    log.grades = [name for name in known if name in metrics] + [
        n for n in metrics if n not in known
    ]
    if not log.records or not log.grades:
        raise InputError(f"{path.name}: these statistics of HELM hold no instance")
    return [log]


def _openai_evals(path: Path, wanted: str | None) -> list[Log]:
    """Records of OpenAI evals: a line per event; matches and metrics of a sample are grades."""
    log, spec = Log(path, path.stem, "", [], []), dict[str, Any]()
    metrics = dict[str, None]()
    for event in read_records(path):
        spec = event.get("spec") or spec
        data = event.get("data")
        if event.get("type") not in ("match", "metrics") or not isinstance(data, dict):
            continue
        grades = {n: v for n, v in data.items() if isinstance(v, (bool, int, float))}
        metrics |= dict.fromkeys(grades)
        log.records.append({"item": event.get("sample_id"), **grades})
    functions = spec.get("completion_fns") or [log.model]
    log.model, log.task = str(functions[0]), str(spec.get("eval_name", ""))
    log.grades = sorted(metrics, key=lambda name: name != "correct")
    if not log.records or not log.grades:
        raise InputError(f"{path.name}: this log of OpenAI evals holds no graded sample")
    return [log]


# --- which is which ------------------------------------------------------------------------------


def _reader(path: Path) -> Callable[[Path, str | None], list[Log]] | None:
    """What reads the file, if an evaluation wrote it."""
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".json", ".eval"):
        return None
    try:
        with path.open("rb") as file:
            begin = file.read(HEAD)
    except OSError:
        return None
    if suffix == ".eval" and begin.startswith(b"PK"):
        return _inspect_archive
    if path.name == "per_instance_stats.json":
        return _helm
    begin = re.sub(rb"\s", b"", begin[: HEAD if suffix == ".jsonl" else 4096])
    if suffix == ".jsonl":
        names = (b'"doc_id"', b'"filtered_resps"', b'"resps"')
        if all(name in begin for name in names):
            return _harness
        is_evals = begin.startswith(b'{"spec":') and b'"completion_fns"' in begin
        return _openai_evals if is_evals else None
    if begin.startswith(b'{"version":') and b'"status":' in begin and b'"eval":{' in begin:
        return _inspect
    is_promptfoo = begin.startswith((b'{"evalId":', b'{"results":{"version":'))
    return _promptfoo if is_promptfoo else None
