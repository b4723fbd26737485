"""Commands that fit models: `heliast run`, `fit`, `predict`, `combine`, `explain`, `benchmark`."""

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from heliast._core.errors import InputError
from heliast._core.files import write_text
from heliast.cli import _words
from heliast.cli._app import command, is_on_line, refuse_options
from heliast.cli._options import (
    MODEL,
    DataFile,
    DataOptions,
    DropMissing,
    ModelOptions,
    Order,
    OutputFile,
    OutputOptions,
    PlanWords,
    QuestionOptions,
    ReadOptions,
    Trust,
    WorkOptions,
    column,
    option,
)
from heliast.cli._tables import decision_regions, fit_on, read_predictions
from heliast.cli._terminal import remark, say, say_json, write_report

ENSEMBLE = ("estimator", "trust", "n_estimators", "plan")  # options of combine about what it fits
KINDS = {".csv": "csv", ".json": "json", ".md": "md", ".tex": "latex", ".html": "html"}


@command
def run(
    data: DataFile,
    output: OutputFile = None,
    in_sample: Annotated[bool, option("Also predict the training rows.", "--in-sample")] = False,
    seed: Annotated[int, typer.Option(min=0, metavar="SEED", help="Random seed.")] = 0,
    report: Annotated[
        str | None, option("Also write everything as an HTML file.", metavar="FILE")
    ] = None,
    *,
    models: ModelOptions,
    work: WorkOptions,
) -> None:
    """Fit models on the splits of a plan and write predictions.

    -o FILE is Parquet or CSV. With --store every finished fit is kept, and the same command goes
    on where it was stopped.
    """
    if output is None and work.store is None:
        raise InputError("-o FILE says where to write what models predict; or keep it by --store")
    table = fit_on(models.read(data), models, work, seed, in_sample=in_sample)
    if output is not None:
        table.write(output)
    say(f"{output or work.store}: {table!r}")
    regions = decision_regions(report, [data], table, models, work, seed)
    write_report(table, report, seed=seed, **regions)


@command
def fit(
    data: DataFile,
    output: Annotated[
        str, option("Where the model is saved: .skops.", "-o", "--output", metavar="FILE")
    ],
    nested: Annotated[
        str | None, option("Select inside each split, by this plan: 5.", metavar="PLAN")
    ] = None,
    *,
    question: QuestionOptions,
    models: ModelOptions,
    work: WorkOptions,
    shown: OutputOptions,
    context: typer.Context,
) -> None:
    """Select the best model, fit it on all rows and save it.

    --model combine takes what `heliast combine` recommends; --model 'combine(n_estimators=50)' with
    so many members. The estimate is of the learning algorithm, fitted on the rows of a split: no
    row is left to assess the saved model by. `heliast predict FILE NEW -o PREDICTIONS` applies it.
    """
    import heliast.verbs.fit as verbs
    from heliast.fitting.loading import ENDING, to_trust
    from heliast.fitting.panel import panel

    if Path(output).suffix.lower() != ENDING:
        raise InputError(f"-o {output}: a model is kept as a skops file; end the name in {ENDING}")
    _check_folder(output)
    source = models.read(data)
    keywords = question.without_unused(context, "fit").on_one_measure(source.classes)
    members = _members_of_combine(models.model or [])
    if members is None:
        candidates: Any = _words.named_models(models.model, source.task, models.trust)
    else:
        candidates = _combine(
            source, None, members, plan=models.plan, **keywords, **work.keywords()
        )
        keywords.pop("interval", None)
    fitted = verbs.fit(
        candidates or panel(source.task), source, models.plan, nested=nested,
        **keywords, **work.keywords(), progress=True,
    )  # fmt: skip
    path = fitted.save(output)
    shown.show(fitted, fitted.predictions, **keywords)
    trust = "".join(f" --trust {name}" for name in to_trust(path))
    remark(f"{path}: {fitted.name}; on new rows: heliast predict {quote(str(path))} NEW.csv "
           f"-o PREDICTIONS.csv{trust}")  # fmt: skip


def _members_of_combine(words: list[str]) -> int | None:
    """The number of members, if `combine` or `combine(n_estimators=50)` is the model; else None."""
    for word in words:
        if word.partition("(")[0].strip() == "combine":
            if len(words) > 1:
                raise InputError("--model combine: it has its own candidates; name no other model")
            _, arguments, keywords = _words.call(word, "--model")
            if arguments or {*keywords} - {"n_estimators"}:
                raise InputError(f"--model {word}: combine takes n_estimators=N alone here")
            members: int = keywords.get("n_estimators", 200)
            return members
    return None


def _combine(source: Any, base: Any, members: int, **keywords: Any) -> Any:
    import heliast.verbs.combine as verbs
    from heliast.verbs.recipes import recipes_of

    if not sys.stderr.isatty():  # a progress bar shows it elsewhere
        names = recipes_of(source.task, base, members).names
        remark(f"fitting {len(names)} candidates: {', '.join(names)}")
    return verbs.combine(source, base, members, **keywords, progress=True)


@command
def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A fitted model: .skops.")],
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="New rows, with or without the target."),
    ] = None,
    output: OutputFile = None,
    target: Annotated[str | None, column("The target, if the model does not tell.")] = None,
    row: Annotated[str | None, column("What names the rows; else they are counted.")] = None,
    trust: Trust = None,
) -> None:
    """Apply a saved model to new rows and write its predictions.

    Columns are found by name. Rows need no target; where they have it, `heliast assess FILE`
    assesses the predictions. Without DATA the card of the model is shown: its estimate, and the
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
    answer = applied(model, data, trusted=trust or (), target=target, row=row)
    path = answer.write(output)
    for note in answer.notes:
        remark(f"{data}: {note}")
    after = ""
    if answer.known:
        after = f"; assess them by: heliast assess {quote(str(path))}"
    elif answer.target:
        after = f", whose {answer.target!r} is not known"
    table = answer.table
    say(f"{path}: {len(table):,} rows predicted by {table.models[0]}{after}")


@command
def combine(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="CSV, Parquet or ARFF data; or predictions."),
    ],
    estimator: Annotated[
        str | None, option("What votes: a name or import path.", metavar="MODEL")
    ] = None,
    trust: Trust = None,
    n_estimators: Annotated[int, option("Members of each ensemble, at most.", metavar="N")] = 200,
    plan: PlanWords = "10",
    method: Annotated[
        str | None, option("Of predictions: greedy (if not set) or stacked.", metavar="METHOD")
    ] = None,
    output: OutputFile = None,
    *,
    question: QuestionOptions,
    reading: ReadOptions,
    inputs: DataOptions,
    work: WorkOptions,
    shown: OutputOptions,
    context: typer.Context,
) -> None:
    """Try ensembles beside single models: does a vote pay?

    With files of predictions nothing is fitted: weights of a vote of their models are chosen, and
    the vote is assessed on rows that did not choose them, beside the best single model and the
    plain vote. -o FILE writes the predictions as well.
    """
    import heliast.verbs.combine as verbs

    fits = any(is_on_line(context, name) for name in ("target", *ENSEMBLE))
    table = None if fits else read_predictions(files, reading, context)
    data_names, read_names = {*DataOptions.options("")}, {*ReadOptions.options("")}
    if table is not None:
        unused = {*data_names, *WorkOptions.options(""), *ENSEMBLE} - read_names
        why = f"is for fits on data; {files[0]} holds predictions: leave it out"
        refuse_options(context, unused, why)
        keywords = question.without_unused(context, "combine").on_one_measure(table.classes)
        how: dict[str, Any] = {} if method is None else {"method": method}
        combination = verbs.combine(table, **how, **keywords)
    else:
        why = f"is for files of predictions; {files[0]} holds data: leave it out"
        refuse_options(context, {*read_names, "method"} - data_names, why)
        if len(files) > 1:
            raise InputError(
                f"ensembles are fitted on one file of data, got {len(files)}: {', '.join(files)}; "
                "files of predictions are combined without --target, --estimator, --n-estimators "
                "and --plan"
            )
        source = inputs.read(files[0])
        voter = None
        if estimator not in (None, "tree"):
            _, voter = _words.model(estimator, source.task, trust or ())
        keywords = question.without_unused(context, "combine").on_one_measure(source.classes)
        combination = _combine(
            source, voter, n_estimators, plan=plan, **keywords, **work.keywords()
        )
    shown.show(combination, combination, **keywords)
    if output is not None:
        combination.predictions.write(output)


@command
def explain(
    data: DataFile,
    model: Annotated[list[str] | None, option(MODEL, metavar="MODEL")] = None,
    trust: Trust = None,
    times: Annotated[int, option("Resamples each model is fitted on.", metavar="N")] = 100,
    *,
    question: QuestionOptions,
    inputs: DataOptions,
    work: WorkOptions,
    output: OutputOptions,
    context: typer.Context,
) -> None:
    """Decompose the error of models into bias and variance."""
    import heliast.verbs.explain as verbs

    source = inputs.read(data)
    models = _words.named_models(model or ["tree"], source.task, trust)
    keywords = question.without_unused(context, "explain").keywords(source.classes)
    explanation = verbs.explain(
        models=models, data=source, times=times, **keywords, **work.keywords(), progress=True
    )
    output.show(explanation, explanation)


@command
def benchmark(
    data: Annotated[
        list[str],
        typer.Argument(metavar="DIR...", help="A folder of data files, files, or sklearn:NAME."),
    ],
    model: Annotated[
        list[str] | None, option(f"{MODEL} Several: a,b,c.", "--model", "--models", metavar="MODEL")
    ] = None,
    trust: Trust = None,
    plan: PlanWords = "10",
    target: Annotated[
        str | None, column("What is to be predicted: a name, first, last, 0, -1.")
    ] = None,
    ignore: Annotated[list[str] | None, column("Not a feature.")] = None,
    drop_missing: DropMissing = False,
    order: Order = None,
    shortcuts: Annotated[
        bool, typer.Option("--shortcuts/--refit", help="Save fits where the result is the same.")
    ] = True,
    output: OutputFile = None,
    *,
    question: QuestionOptions,
    work: WorkOptions,
    shown: OutputOptions,
    context: typer.Context,
) -> None:
    """Fit models on many data sets, rank them and test the ranks.

    A folder stands for its CSV, Parquet and ARFF files. -o FILE writes the table: .csv, .md, .tex,
    .html; or everything, for export and draw: .json. With --store the same command goes on where
    it was stopped. Exit code 3: too few data sets for a test; the table is printed all the same.
    """
    import heliast.verbs.benchmark as verbs
    from heliast import measures
    from heliast.fitting.panel import panel

    if output is not None and Path(output).suffix.lower() not in KINDS:
        raise InputError(f"-o {output}: end the name in {', '.join(KINDS)}")
    for path in (output, shown.report):
        _check_folder(path)
    keywords = question.without_unused(context, "benchmark").on_one_measure()
    task = measures.get(keywords.get("measure", "error")).task
    words = [part for word in model or () for part in _words.split_words(word)]
    models = _words.named_models(words, task, trust) or panel(task)
    ranked = verbs.benchmark(
        data, models, plan, **keywords, **work.keywords(), target=target,
        ignore=tuple(ignore or ()), missing="drop" if drop_missing else "refuse",
        order=_words.class_list(order), shortcuts=shortcuts, told=remark,
    )  # fmt: skip
    shown.show(ranked, ranked)
    if output is not None:
        _write_benchmark(ranked, output)
    if ranked.comparison is None:
        remark(f"heliast: not enough data: {ranked.reason}")
        raise typer.Exit(3)


def _check_folder(path: str | None) -> None:
    """Refuse a file that could not be written before anything is fitted."""
    if path is not None and not Path(path).absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {str(Path(path).parent)!r}; make it")


def _write_benchmark(ranked: Any, output: str) -> None:
    """The table for a paper; as CSV every value, as JSON the whole record, which export reads."""
    from heliast.views import exports

    kind = KINDS[Path(output).suffix.lower()]
    if kind == "csv":
        text = exports.export([row.to_dict() for row in ranked.entries], kind)
    else:
        text = exports.of_record(ranked, kind)
    write_text(output, text)
