"""The application, and how a function becomes one of its commands."""

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import fields
from glob import glob
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_type_hints

import typer
from typer.core import TyperCommand

from heliast import __version__
from heliast._core.errors import InputError
from heliast._core.syntax import on_command_line
from heliast.cli._settings import read_settings
from heliast.cli._terminal import remark, say

PACKAGES = (
    "numpy", "scipy", "scikit-learn", "numba", "duckdb", "narwhals", "joblib", "typer", "jinja2",
    "pyarrow", "matplotlib", "skops", "dask", "ray", "pyspark", "mlflow",
)  # fmt: skip
OUTPUTS = ("output", "report", "junit")  # options that name a file to write
# What others call our options: shown where such an option is not known.
OTHER_NAMES = {
    "--metric": "--measure", "--metrics": "--measure", "--scoring": "--measure",
    "--cv": "--plan", "--folds": "--plan", "--resampling": "--plan", "--n-jobs": "--jobs",
    "--random-state": "--seed", "--groups": "--group", "--sample-weight": "--weight",
    "--truth": "--y-true", "--actual": "--y-true", "--label": "--y-pred", "--predicted": "--y-pred",
    "--prob": "--score", "--probability": "--score", "--alpha": "--level",
    "--confidence": "--level", "--estimators": "--model", "--learner": "--model",
    "--out": "--output", "--html": "--report",
}  # fmt: skip

app = typer.Typer(
    name="heliast", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
)


def _show_versions(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        say(f"heliast {__version__}\npython {platform.python_version()}")
        for package in PACKAGES:
            try:
                say(f"{package} {version(package)}")
            except PackageNotFoundError:
                continue
        raise typer.Exit


def _set_quiet(wanted: bool) -> None:
    if wanted:
        os.environ["HELIAST_QUIET"] = "1"


def _set_no_color(wanted: bool) -> None:
    if wanted:
        os.environ["NO_COLOR"] = "1"


Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", callback=_set_quiet, help="Only the result and errors."),
]
NoColor = Annotated[bool, typer.Option("--no-color", callback=_set_no_color, help="No colors.")]


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_versions, is_eager=True, help="Show versions."),
    ] = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
) -> None:
    """Assess, compare and combine classifiers, with a confidence interval on every number.

    Results go to stdout, progress and remarks to stderr.
    """


class Group:
    """Options that several commands share: a frozen dataclass whose fields are Typer options."""

    panel: ClassVar[str]

    @classmethod
    def options(cls, command: str) -> dict[str, Parameter]:
        """The options of the group that this command has, by name."""
        hints = get_type_hints(cls, include_extras=True)
        options = {}
        for field in fields(cls):  # type: ignore[arg-type]
            hint = hints[field.name]
            info = copy(hint.__metadata__[0])  # several groups may have the same option
            info.rich_help_panel = cls.panel
            hint = Annotated[hint.__origin__, info]
            options[field.name] = _parameter(field.name, hint, field.default)
        return options


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Add a function to the app as the command of its name.

    Typer makes options from the signature of a function and knows no groups of options. Written
    out, the shared options would take 330 lines in ten signatures of up to 45 parameters. So a
    parameter whose type is a `Group` stands for the options of its fields: they are put in its
    place in the `__signature__` that Typer reads, and the function gets the dataclass.
    """
    name = function.__name__
    hints = get_type_hints(function, include_extras=True)
    groups = {key: hint.options(name) for key, hint in hints.items() if _is_group(hint)}
    options = {"context": _parameter("context", typer.Context, Parameter.empty)}
    for key, parameter in signature(function).parameters.items():
        own = {key: _parameter(key, hints[key], parameter.default)}
        for option in groups.get(key, own).values():
            options.setdefault(option.name, option)
    options |= COMMON

    def run(context: typer.Context, **values: Any) -> None:
        _refuse_overwriting(context.params)
        values["context"] = context
        arguments = {}
        for key in signature(function).parameters:
            if key in groups:
                arguments[key] = hints[key](**{field: values[field] for field in groups[key]})
            else:
                arguments[key] = values[key]
        with on_command_line():
            function(**arguments)

    run.__name__, run.__doc__ = name, function.__doc__
    run.__signature__ = Signature([*options.values()])  # type: ignore[attr-defined]
    app.command(cls=_Command)(run)
    return function


def _is_group(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Group)


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)


class _Command(TyperCommand):
    """A command whose help shows options under the name of their group."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; one that others call by another name is shown by ours."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            ours = OTHER_NAMES.get(getattr(error, "option_name", ""))
            if ours is not None and any(ours in param.opts for param in self.params):
                error.possibilities = [ours]  # type: ignore[attr-defined]
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                is_argument = param.param_type_name == "argument"
                panel = "Arguments" if is_argument else getattr(param, "rich_help_panel", None)
                panels.setdefault(panel or "Options", []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records)


# --- what the command line says ------------------------------------------------------------------


def is_on_line(context: typer.Context, option: str) -> bool:
    """Whether the option stands on the command line, not in a settings file or nowhere."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def refuse_options(context: typer.Context, options: Iterable[str], why: str) -> None:
    """Refuse the first of these options that stands on the command line."""
    options = {*options}
    for param in context.command.params:
        if param.name in options and is_on_line(context, param.name):
            raise InputError(f"{param.opts[0]} {why}")


def _load_settings(context: typer.Context, path: str | None) -> str | None:
    """Let a settings file give the options that the command line does not."""
    if not context.resilient_parsing and context.parent is not None:
        commands = context.parent.command.commands  # type: ignore[attr-defined]
        file, context.default_map = read_settings(str(context.info_name), commands, path)
        if context.default_map:
            remark(f"settings from {file}")
    return path


_CONFIG = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        is_eager=True,
        callback=_load_settings,
        help="TOML file of settings, if not heliast.toml or pyproject.toml here.",
    ),
]
COMMON = {
    "config": _parameter("config", _CONFIG, None),
    "quiet": _parameter("quiet", Quiet, False),
    "no_color": _parameter("no_color", NoColor, False),
}


# --- inputs are never overwritten ----------------------------------------------------------------


def _refuse_overwriting(values: dict[str, Any]) -> None:
    """Refuse to write a file that the same command reads, or two outputs to one file."""
    paths = [os.path.expanduser(values[name]) for name in OUTPUTS if values.get(name)]
    places = [os.path.realpath(path) for path in paths]
    for place, path in enumerate(paths):
        if places[place] in places[:place]:
            raise InputError(f"{path}: two outputs of this command; give each a file of its own")
    outputs = [path for path in paths if os.path.isfile(path)]
    if not outputs:
        return
    for name, value in values.items():
        words = value if isinstance(value, list) else [value]
        for word in words if name not in OUTPUTS else ():
            for path in _paths_in(word) if isinstance(word, str) else ():
                for output in outputs:
                    if os.path.isfile(path) and os.path.samefile(path, output):
                        raise InputError(f"{output}: read by this command; write to another file")


def _paths_in(word: str) -> Iterator[str]:
    """The files that a word may name: `FILE`, `FOLDER`, `PATTERN`, `NAME=FILE`, `FILE::TABLE`."""
    for name in (word, word.partition("=")[2], word.partition("::")[0]):
        path = os.path.expanduser(name)
        if path and "\0" not in path:
            yield from (path, *glob(path))
            if os.path.isdir(path):  # a report beside the files is not one of them
                yield from (str(file) for file in Path(path).iterdir() if file.suffix != ".html")
