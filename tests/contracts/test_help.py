"""`help()` answers: every public thing says what it takes, what it gives, and shows it once."""

import dataclasses
import inspect
import re
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_type_hints

import pytest

import heliast
from heliast.data import simulate
from heliast.views.record import Record

ROOMS = """
    codes comparisons curves data decoders ensembles estimates learners measures
    plans plots theory
"""
UNTYPED = {
    "X": "a frame, an array, a sparse matrix or lists, whatever the model takes",
    "y": "likewise",
    "sample_weight": "likewise",
    "estimator": "any object with scikit-learn's habits; it need not be of a class of theirs",
    "model": "likewise",
    "models": "likewise: one, several, or by name",
    "estimators": "likewise",
    "splitter": "anything with scikit-learn's split",
    "plan": "a plan, a number of folds, or such a splitter",
    "nested": "likewise",
    "cv": "the same as scikit-learn takes it",
    "data_sets.found": "a Benchmark, which sits above the plots",
    "datasets": "several data sets, in a list or by name, or a folder of files",
    "data": "a Dataset, a frame of any package, a path, or arrays",
    "ax": "matplotlib's axes; it is an extra, and has no types for them",
    "to_axes.return": "likewise",
    "record": "any record that has a plot",
    "source": "a path, a frame of any package, or columns in memory",
    "frame": "a frame of any package",
    "simulated": "a simulated task, which imports the data that hold it",
    "rows.return": "rows of such a frame, or an array",
    "to_arrow.return": "an array of pyarrow, which is imported when it is asked for",
    "load_model.return": "whatever model the file holds",
    "to_frame.return": "a table of the package that is asked for",
}
"""Parameters that may be `Any` or `object`, and why; options handed on (`**options`) may too."""
OF_RECORDS = ("facts", "plots", "records", "tables")
"""Methods that `Record` explains for every result."""
RULES = re.compile(r"^(?P<title>[A-Z][\w ]*)\n-{3,}\n", re.MULTILINE)


def test_every_public_thing_is_explained():
    wrong = [f"{name}: {lack}" for name, lack in lacks()]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(UNTYPED))
def test_what_may_be_untyped_is_untyped(name):
    assert any(_may_be(at, part) == name for at, part in untyped()), "typed: take it off the list"


@cache
def lacks() -> list[tuple[str, str]]:
    """What is wrong with which name."""
    found = [(name, lack) for name, thing in public() for lack in _lacking(thing)]
    untold = [(at, f"{part} is untyped") for at, part in untyped() if not _may_be(at, part)]
    return found + untold


@cache
def public() -> list[tuple[str, Any]]:
    """Functions, classes and public methods by the name that a user says; each once."""
    found: dict[int, tuple[str, Any]] = {}
    rooms = [(room, getattr(heliast, room)) for room in ROOMS.split()]
    for room, module in [*rooms, ("data.simulate", simulate), ("", heliast)]:
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, types.ModuleType) or not _ours(thing):
                continue
            at = f"{room}.{name}".lstrip(".")
            found.setdefault(id(thing), (at, thing))
            if inspect.isclass(thing):
                for method, part in _methods(thing):
                    found.setdefault(id(part), (f"{at}.{method}", part))
    return list(found.values())


def _ours(thing: Any) -> bool:
    return callable(thing) and getattr(thing, "__module__", "").startswith("heliast")


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods that heliast defines, also those inherited from classes of its own."""
    for name, _ in inspect.getmembers(kind, callable):
        part = inspect.getattr_static(kind, name)
        if issubclass(kind, Record) and name in OF_RECORDS:
            part = vars(Record)[name]
        part = getattr(part, "__func__", part)
        if name[0] != "_" and getattr(part, "__name__", "") == name and _ours(part):
            yield name, part


def _lacking(thing: Any) -> Iterator[str]:
    sections = sections_of(thing)
    if not sections[""]:
        yield "has no docstring"
    told = sections.get("Parameters", "")
    if dataclasses.is_dataclass(thing):
        told += sections.get("Attributes", "")
    for name in _parameters(thing):
        if not re.search(rf"^([^\s:]+, )*\*{{0,2}}{name}(, [^\s:]+)*( :.*)?$", told, re.MULTILINE):
            yield f"does not explain {name}"
    if inspect.isfunction(thing) and "." in thing.__qualname__:  # a method; its class has examples
        returned = _hints(thing).get("return")
    else:
        returned = None if inspect.isclass(thing) else _hints(thing).get("return")
        if ">>>" not in sections.get("Examples", ""):
            yield "has no example"
    if returned not in (None, type(None)) and not {"Returns", "Yields"} & set(sections):
        yield "does not say what it returns"


def sections_of(thing: Any) -> dict[str, str]:
    """The sections of a docstring by title; what stands before the first under ''.

    A method may have that of the class it inherits from, as `help()` shows it; a class may not.
    """
    own = thing.__dict__.get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)
    parts = RULES.split(inspect.cleandoc(own or ""))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _parameters(thing: Any) -> list[str]:
    if inspect.isclass(thing) and thing.__init__ is object.__init__:
        return []
    if inspect.isclass(thing) and not _ours(thing.__init__):
        return []  # an exception, a tuple
    makes = thing.__init__ if inspect.isclass(thing) else thing
    return [name for name in inspect.signature(makes).parameters if name not in ("self", "cls")]


def _hints(thing: Callable[..., Any]) -> dict[str, Any]:
    makes = thing.__init__ if inspect.isclass(thing) else thing
    try:
        return get_type_hints(makes)
    except NameError:  # a name that is imported for type checkers only
        return dict(getattr(makes, "__annotations__", {}))


@cache
def untyped() -> list[tuple[str, str]]:
    """Parameters and results whose type is any at all."""
    return [
        (at, part)
        for at, thing in public()
        if not inspect.isclass(thing) or thing.__init__ is not object.__init__
        for part, kind in _hints(thing).items()
        if kind in (Any, object, "Any", "object") and part not in _handed_on(thing)
    ]


def _handed_on(thing: Any) -> set[str]:
    makes = thing.__init__ if inspect.isclass(thing) else thing
    given = inspect.signature(makes).parameters.values()
    return {one.name for one in given if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}


def _may_be(at: str, part: str) -> str:
    """The reviewed exception that covers it, if there is one."""
    return next((key for key in (part, f"{at.split('.')[-1]}.{part}") if key in UNTYPED), "")
