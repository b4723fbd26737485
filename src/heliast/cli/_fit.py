"""The verbs that fit models on data: `heliast run`, `fit`, `combine`, `explain`, `benchmark`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast.cli import _words
from heliast.cli._app import remark, say, say_json, write_report
from heliast.cli._options import (
    MODEL,
    Asked,
    Data,
    DataFile,
    Models,
    Output,
    PlanWords,
    Reading,
    Trust,
    Work,
    column,
    told,
)
from heliast.cli._tables import fitted_on, pictured, predicted
from heliast.cli._verb import refuse_said, said, verb

FAMILY = ("base", "trust", "members", "plan")
"""What says how combine fits votes."""
PREDICTED, HELD = "%s holds predictions: leave it out", "%s holds data: leave it out"
KINDS = {".csv": "csv", ".json": "json", ".md": "md", ".tex": "latex", ".html": "html"}
"""The endings of what benchmark writes, and what each means."""


@verb("seed")
def run(
    data: DataFile,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Parquet or CSV predictions; needed without --store.",
        ),
    ] = None,
    in_sample: Annotated[
        bool, typer.Option("--in-sample", help="Also predict the training rows.")
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, metavar="SEED", help="Seed of whatever is drawn.")
    ] = 0,
    report: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write everything as one HTML file.")
    ] = None,
    *,
    models: Models,
    work: Work,
) -> None:
    """Fit models on every split of a plan and write what they predict.

    With --store, `heliast runs show STORE -o FILE` can also write it later.
    """
    if output is None and work.store is None:
        raise InputError("-o FILE says where to write what models predict; or keep it by --store")
    table = fitted_on(models.read(data), models, work, seed, in_sample=in_sample)
    if output is not None:
        table.write(output)
    say(f"{output or work.store}: {table!r}")
    write_report(table, report, seed=seed, **pictured(report, [data], table, models, work, seed))


@verb("nested")
def fit(
    data: DataFile,
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="Where the model is kept: .skops."),
    ],
    nested: Annotated[
        str | None,
        told("Choose anew inside each split, by this plan: 5, or kfold(5).", metavar="PLAN"),
    ] = None,
    *,
    asked: Asked,
    models: Models,
    work: Work,
    shown: Output,
    context: typer.Context,
) -> None:
    """Choose the best of some models, fit it on all rows, keep it, and say what it is worth.

    --model combine takes what `heliast combine` recommends: a vote, a forest, a selection;
    --model 'combine(members=50)' with so many members. The estimate speaks for the recipe, fitted
    on the rows of a split: no row is left to judge the model by that is kept. `heliast predict
    FILE NEW -o PREDICTIONS` applies it to new rows.
    """
    import heliast.verbs.fit as verbs
    from heliast.fitting.loading import ENDING, to_trust
    from heliast.fitting.panel import panel

    if Path(output).suffix.lower() != ENDING:
        raise InputError(f"-o {output}: a model is kept as a skops file; end the name in {ENDING}")
    _check_places(None, output)
    source = models.read(data)
    question = asked.useful(context, "fit").of_one(source.classes)
    family = _family(models.model or ())
    named: Any = {} if family else _words.named_models(
        models.model or (), source.task, models.trust
    )  # fmt: skip
    inner = None if nested is None else _words.plan(nested)
    plan = _words.plan(models.plan)
    with work.begun() as options:
        if family:
            named = _combined(source, {**family, "plan": plan, **question, **options})
            question.pop("interval", None)
        fitted = verbs.fit(
            named or panel(source.task), source, plan, nested=inner,
            **question, **options, progress=True,
        )  # fmt: skip
    place = fitted.save(output)
    shown.show(fitted, fitted.predictions, **question)
    trust = "".join(f" --trust {one}" for one in to_trust(place))
    remark(f"{place}: {fitted.name}; on new rows: heliast predict {quote(str(place))} NEW.csv "
           f"-o PREDICTIONS.csv{trust}")  # fmt: skip


def _family(words: Sequence[str]) -> dict[str, Any]:
    """How combine is to choose, if it is what was named: `combine`, `combine(members=50)`."""
    meant = [word for word in words if word.strip().partition("(")[0].strip() == "combine"]
    if not meant:
        return {}
    if len(words) > 1:
        raise InputError("--model combine: it has its own candidates; name no other model")
    _, unnamed, named = _words.call(meant[0], "--model")
    if unnamed or {*named} - {"members"}:
        raise InputError(f"--model {meant[0]}: combine takes members=N alone here")
    return {"members": 200, **named}


def _combined(source: Any, asked: dict[str, Any]) -> Any:
    import heliast.verbs.combine as verbs

    _tell_candidates(source.task, None, asked["members"])
    return verbs.combine(source, **asked, progress=True)


def _tell_candidates(task: str, base: Any, members: int) -> None:
    """Off a terminal, the one line that says what is at work: a bar shows it elsewhere."""
    from heliast.verbs.recipes import recipes_of

    if not sys.stderr.isatty():
        names = recipes_of(task, base, members).names
        remark(f"fitting {len(names)} candidates: {', '.join(names)}")


@verb("target")
def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A fitted model: .skops.")],
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="New rows, with or without the target."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="CSV or Parquet predictions."),
    ] = None,
    target: Annotated[
        str | None, column("The target, where the rows have it, if the model does not tell.")
    ] = None,
    row: Annotated[str | None, column("What names the rows; else they are counted.")] = None,
    trust: Trust = None,
) -> None:
    """Apply a model that `heliast fit` has kept to new rows, and write what it predicts.

    Columns are found by name. Rows need no target; where they have it, `heliast assess FILE`
    judges the predictions. Without DATA the card of the model is shown: what it is worth, and the
    data, plan and versions behind it.
    """
    from heliast.fitting.loading import load_card
    from heliast.fitting.predict import applied

    if data is None:
        card = load_card(model)
        if not card:
            raise InputError(f"{model}: it has no card; name the rows to predict")
        say_json(card)
        return
    if output is None:
        raise InputError("-o FILE says where to write what the model predicts")
    found = applied(model, data, trusted=trust or (), target=target, row=row)
    place = found.write(output)
    for note in found.notes:
        remark(f"{data}: {note}")
    judged = f"; judge them by: heliast assess {quote(str(place))}" if found.known else ""
    said = "" if found.known or not found.target else f", whose {found.target!r} is not known"
    say(f"{place}: {len(found.table):,} rows predicted by {found.table.models[0]}{said}{judged}")


@verb("members", "plan", "method")
def combine(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="CSV, Parquet or ARFF data; or predictions."),
    ],
    base: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="What votes: a short name or import path."),
    ] = None,
    trust: Trust = None,
    members: Annotated[int, typer.Option(metavar="N", help="Members of each vote, at most.")] = 200,
    plan: PlanWords = "10",
    method: Annotated[
        str | None, told("Of predictions: greedy (if not set) or stacked.", metavar="METHOD")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the predictions as well."),
    ] = None,
    *,
    asked: Asked,
    reading: Reading,
    inputs: Data,
    work: Work,
    shown: Output,
    context: typer.Context,
) -> None:
    """Fit the family of votes beside its base and single models, and say whether voting pays.

    Files of predictions are not fitted on: weights of a vote of their models are chosen, and the
    vote is judged by rows that did not choose them, beside the best single model and the plain
    vote.
    """
    import heliast.verbs.combine as verbs

    fits = any(said(context, name) for name in ("target", *FAMILY))
    table = None if fits else predicted(files, reading, context)
    if table is not None:
        idle = {*Data.every(), *Work.every(), *FAMILY} - {*Reading.every()}
        refuse_said(context, idle, f"is for votes that are fitted on data; {PREDICTED % files[0]}")
        source: Any = table
    else:
        idle = {*Reading.every(), "method"} - {*Data.every()}
        refuse_said(context, idle, f"is for files of predictions; {HELD % files[0]}")
        if len(files) > 1:
            raise InputError(
                f"votes are fitted on one file of data, got {len(files)}: {', '.join(files)}; "
                "files of predictions are combined without --target, --base, --members and --plan"
            )
        source = inputs.read(files[0])
    chosen = None if base in (None, "tree") else _words.model(base, source.task, trust or ())[1]
    question = asked.useful(context, "combine").of_one(source.classes)
    how: dict[str, Any] = {} if method is None else {"method": method}
    if table is None:
        _tell_candidates(source.task, chosen, members)
    with work.begun() as options:
        combination = verbs.combine(
            source, chosen, members, _words.plan(plan), **how, **question, **options, progress=True
        )
    shown.show(combination, combination.predictions, **question, stages=True)
    if output is not None:
        combination.predictions.write(output)


@verb("times")
def explain(
    data: DataFile,
    model: Annotated[list[str] | None, told(MODEL, metavar="MODEL")] = None,
    trust: Trust = None,
    times: Annotated[
        int, typer.Option(metavar="N", help="Resamples each model is fitted on.")
    ] = 100,
    *,
    asked: Asked,
    inputs: Data,
    work: Work,
    output: Output,
) -> None:
    """Bias and variance of models, how their fits vote on rows, and what that suggests."""
    import heliast.verbs.explain as verbs
    from heliast.fitting import panel

    source = inputs.read(data)
    chosen = _words.named_models(model or (), source.task, trust)
    question = asked.keywords(source.classes)
    with work.begun() as options:
        explanation = verbs.explain(
            models=chosen or {"tree": panel.CLASSES["tree"]()}, data=source, times=times,
            **question, **options, progress=True,
        )  # fmt: skip
    output.show(explanation, explanation.predictions, **question)


@verb("target", "plan", "ignore", "drop_missing")
def benchmark(
    data: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="A folder of data files, files, or sklearn:NAME."),
    ],
    model: Annotated[
        list[str] | None,
        told(f"{MODEL}; several, or a,b,c.", "--model", "--models", metavar="MODEL"),
    ] = None,
    trust: Trust = None,
    plan: PlanWords = "10",
    target: Annotated[
        str | None, column("What is to be predicted: a name, first, last, 0, -1.")
    ] = None,
    ignore: Annotated[list[str] | None, column("Not an input.")] = None,
    drop_missing: Annotated[
        bool, told("Leave out rows with missing values.", "--drop-missing")
    ] = False,
    order: Annotated[str | None, told("All classes from least to most.", metavar="CLASSES")] = None,
    shortcuts: Annotated[
        bool, typer.Option("--shortcuts/--refit", help="Save fits where the result is the same.")
    ] = True,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the table: .csv, .md, .tex, .html; or all, for export and draw: .json.",
        ),
    ] = None,
    *,
    asked: Asked,
    work: Work,
    shown: Output,
    context: typer.Context,
) -> None:
    """Fit models on many data sets, rank them, and say which are told apart over data sets.

    A folder stands for its CSV, Parquet and ARFF files. With --store an interrupted benchmark goes
    on when the same command is given again. Exit code 3: too few data sets for a test; the table
    is printed all the same.
    """
    import heliast.verbs.benchmark as verbs
    from heliast import measures
    from heliast.fitting.panel import panel

    _check_places(output, shown.report)
    question = asked.useful(context, "benchmark").of_one()
    task = measures.get(question.get("measure", "error")).task
    words = [part for word in model or () for part in _words.parted(word)]
    chosen = _words.named_models(words, task, trust) or panel(task)
    with work.begun(again="the same command goes on from there") as options:
        ranked = verbs.benchmark(
            data, chosen, _words.plan(plan), **question, **options, target=target,
            ignore=tuple(ignore or ()), missing="drop" if drop_missing else "refuse",
            order=_words.class_list(order), shortcuts=shortcuts, told=remark,
        )  # fmt: skip
    shown.show(ranked, ranked)
    if output is not None:
        _write(ranked, output)
    if all(one.comparison is None for one in ranked.rankings):
        remark(f"heliast: not enough data: {ranked.reason}")
        raise typer.Exit(3)


def _check_places(output: str | None, report: str | None) -> None:
    """Refuse what could not be written before anything is fitted."""
    if output is not None and Path(output).suffix.lower() not in KINDS:
        raise InputError(f"-o {output}: end the name in {', '.join(KINDS)}")
    for place in (output, report):
        if place is not None and not Path(place).absolute().parent.is_dir():
            raise InputError(f"{place}: there is no folder {str(Path(place).parent)!r}; make it")


def _write(ranked: Any, output: str) -> None:
    """The table for a paper; for programs every value, or the whole record, which export reads."""
    from heliast._core.files import write_text
    from heliast.views import exports

    kind = KINDS[Path(output).suffix.lower()]
    rows = [one.to_dict() for one in ranked.table]
    text = exports.export(rows, kind) if kind == "csv" else exports.of_record(ranked, kind)
    write_text(output, text)
