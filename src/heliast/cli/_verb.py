"""A verb's options: its own, and those of the groups it takes, each declared once."""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, fields
from functools import cache
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, ClassVar, get_type_hints

import typer

from heliast._core.errors import InputError
from heliast.cli import _config
from heliast.cli._app import app, remark
from heliast.cli._narrow import Command

CURRENT: ContextVar[typer.Context] = ContextVar("heliast.context")
"""The context of the verb that is at work."""


@dataclass(frozen=True)
class Again:
    """What the context of a command holds that is given again from a record."""

    settings: _config.Settings
    resumed: Any


class Group:
    """Options that belong together: a frozen dataclass whose fields are annotated options.

    A verb that takes a parameter of this class has these options, and gets the record. `line` are
    those that no file of settings may give: they run code, write files, or go out.
    """

    panel: ClassVar[str] = "Options"
    line: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @cache
    def every(cls) -> dict[str, Parameter]:
        """All options of the group, by name."""
        hints = get_type_hints(cls, include_extras=True)
        return {
            field.name: _parameter(field.name, hints[field.name], field.default)
            for field in fields(cls)  # type: ignore[arg-type]
        }

    @classmethod
    def options(cls, verb: str) -> dict[str, Parameter]:
        """The options that this verb has, by name."""
        return cls.every()


def verb(*settings: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Join the app as the verb of the function's name, with its groups spread over its options.

    Files of settings may give the options of its groups, and those of its own that are named here.
    A function that asks for the `context` gets it.
    """

    def join(function: Callable[..., None]) -> Callable[..., None]:
        name = function.__name__
        hints = get_type_hints(function, include_extras=True)
        kinds = {key: hint for key, hint in hints.items() if isinstance(hint, type)}
        groups = {key: kind for key, kind in kinds.items() if issubclass(kind, Group)}
        spread = {key: group.options(name) for key, group in groups.items()}
        heard = {key: set(spread[key]) - set(groups[key].line) for key in groups}
        own = [key for key in signature(function).parameters if key not in groups]
        options = _options(function, hints, groups, spread)
        told = set(settings).union(*heard.values())
        _config.VERBS[name] = {
            field: option.annotation.__origin__
            for field, option in options.items()
            if field in told
        }

        def command(context: typer.Context, **given: Any) -> None:
            given["context"] = context
            records = {}
            for key, group in groups.items():
                taken = {one for one in spread[key] if one in heard[key] or said(context, one)}
                records[key] = group(**{field: given[field] for field in taken})
            CURRENT.set(context)
            function(**{key: given[key] for key in own}, **records)

        made = [_parameter("context", typer.Context, Parameter.empty), *options.values(), _CONFIG]
        command.__name__, command.__doc__ = name, function.__doc__
        command.__signature__ = Signature(made)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in made}
        app.command(cls=_Grouped)(command)
        return function

    return join


def _options(
    function: Callable[..., None],
    hints: Mapping[str, Any],
    groups: Mapping[str, type[Group]],
    spread: Mapping[str, Mapping[str, Parameter]],
) -> dict[str, Parameter]:
    """The verb's own options and those of its groups, in the order of its parameters."""
    options: dict[str, Parameter] = {}
    for key, parameter in signature(function).parameters.items():
        for field, option in spread.get(key, {}).items():
            options[field] = _joined(options.get(field), option, groups[key].panel)
        if key not in groups and key != "context":
            options[key] = _parameter(key, hints[key], parameter.default)
    return options


def said(context: typer.Context, option: str) -> bool:
    """Whether the option stands on the command line, and not in a file of settings or nowhere."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def shared(context: typer.Context, option: str) -> bool:
    """Whether the top level of a file of settings gives the option: who has no use skips it."""
    told, _, own = settings_of(context)
    return not said(context, option) and option in told and option not in own


def refuse_said(context: typer.Context, options: Iterable[str], why: str) -> None:
    """Refuse by name what was said for this verb and is of no use: on the line, in its section."""
    _, file, own = settings_of(context)
    for one in context.command.params:
        option = str(one.name)
        if option in options and said(context, option):
            raise InputError(f"{one.opts[0]} {why}")
        if option in options and option in own:
            raise InputError(f"{file}: [{context.info_name}] {option} {why}")


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)


def _joined(there: Parameter | None, option: Parameter, panel: str) -> Parameter:
    """One option for two groups that both have it: it says what it is for each."""
    (info,) = option.annotation.__metadata__
    made = copy(info)
    made.rich_help_panel = panel
    if there is not None:
        (made,) = there.annotation.__metadata__
        if info.help not in made.help:
            made.help = f"{made.help} {info.help}"
    return option.replace(annotation=Annotated[option.annotation.__origin__, made])


_SETTINGS = "heliast.settings"
"""Where the context keeps what a file says."""


def settings_of(context: typer.Context) -> _config.Settings:
    """What a file of settings says for this verb."""
    settings: _config.Settings = context.meta[_SETTINGS]
    return settings


def _read_settings(context: typer.Context, file: str | None) -> str | None:
    """Let a file say what the command line does not; click asks it for each option.

    What goes on from a record has the settings of then, whatever the file says by now.
    """
    if not context.resilient_parsing:
        if isinstance(context.obj, Again):
            settings = context.obj.settings
        else:
            settings = _config.settings(str(context.info_name), file)
        context.meta[_SETTINGS] = settings
        context.default_map = dict(settings.told)
        if settings.told:
            remark(f"settings from {settings.file}")
    return file


_CONFIG = _parameter(
    "config",
    Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            is_eager=True,
            callback=_read_settings,
            help="TOML file of settings; heliast.toml or pyproject.toml here if not set.",
        ),
    ],
    None,
)


class _Grouped(Command):
    """Help with the options under the name of their group."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for one in self.get_params(ctx):
            line = one.get_help_record(ctx)
            if line is not None:
                argument = one.param_type_name == "argument"
                panel = "Arguments" if argument else getattr(one, "rich_help_panel", "")
                panels.setdefault(panel or "Options", []).append(line)
        for panel, lines in panels.items():
            with formatter.section(panel):
                formatter.write_dl(lines)
