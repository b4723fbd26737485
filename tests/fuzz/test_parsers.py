"""Parsers in this process: any text is taken or refused, and what was taken apart fits together."""

import keyword

import pytest
from hypothesis import HealthCheck, given, settings, target
from hypothesis import strategies as st
from typer.main import get_command

from heliast import plans
from heliast.cli import _words, app
from heliast.cli._settings import read_settings
from heliast.verbs.requirement import MOST, Requirement
from tests.fuzz import guided

PARSERS = guided.parsers()
some = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
MARKS = st.sampled_from([*"()[]{}:.,;-%<>='\"*#\n\t \\²٣½_0123456789eE", ">=", " - ", "low", "nan"])


def near(seeds: list[str]) -> st.SearchStrategy[str]:
    """Texts near these: cut anywhere, with marks and other texts between."""
    cut = st.sampled_from(seeds).flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
            lambda at: text[min(at) : max(at)]
        )
    )
    parts = st.one_of(st.sampled_from(seeds), cut, cut, MARKS, MARKS, st.text(max_size=4))
    return st.lists(parts, max_size=6).map("".join)


def _steps(parser: guided.Callable[[str], object], text: str) -> int:
    """How many lines of our code the parser runs: a search for more of them goes deeper."""
    import sys

    seen: set[tuple[str, int]] = set()

    def note(frame: object, event: str, _: object) -> object:
        if event == "line" and "heliast" in frame.f_code.co_filename:  # type: ignore[attr-defined]
            seen.add((frame.f_code.co_filename, frame.f_lineno))  # type: ignore[attr-defined]
        return note

    before = sys.gettrace()
    sys.settrace(note)  # type: ignore[arg-type]
    try:
        guided.tried(parser, text)
    finally:
        sys.settrace(before)
    return len(seen)


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("effort", [some, pytest.param(many, marks=pytest.mark.long)])
def test_any_text_is_taken_or_refused(name: str, effort: settings) -> None:
    @effort
    @given(near(guided.SEEDS[name]))
    def search(text: str) -> None:
        target(float(_steps(PARSERS[name], text)))

    search()


# --- there and back ------------------------------------------------------------------------------

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,9}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name)
)
SHOWN = st.text(
    st.characters(exclude_characters="\"'", exclude_categories=["Cc", "Cs"]), min_size=1
)
NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))


@some
@given(SHOWN, NAMES, SHOWN, st.sampled_from([(".low", ">="), (".high", "<")]), NUMBERS)
def test_a_requirement_is_what_it_was_put_together_from(model, measure, class_, end, bar) -> None:  # type: ignore[no-untyped-def]
    words = f'"{model}":{measure}["{class_}"]{end[0]} {end[1]} {bar!r}'
    if len(words) > MOST:
        return
    found = Requirement.parse(words)
    assert (found.model, found.measure, found.class_) == (model, measure, class_)
    assert (f".{found.end}", found.operator, found.bar) == (*end, bar)
    assert Requirement.parse(found.words) == found


@some
@given(SHOWN, SHOWN, NUMBERS)
def test_a_difference_is_what_it_was_put_together_from(a: str, b: str, bar: float) -> None:
    found = Requirement.parse(f'error("{a}" - "{b}").high <= {bar!r}')
    assert (found.pair, found.bar) == ((a, b), bar)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=6,
)  # fmt: skip


@some
@given(st.lists(NAMES, min_size=1, max_size=3), st.lists(VALUES), st.dictionaries(NAMES, VALUES))
def test_a_call_is_what_it_was_put_together_from(path, arguments, named) -> None:  # type: ignore[no-untyped-def]
    listed = [*map(repr, arguments), *(f"{name}={value!r}" for name, value in named.items())]
    words = f"{'.'.join(path)}({', '.join(listed)})"
    assert _words.call(words, "--model") == (".".join(path), arguments, named)
    assert _words.split_words(f"{words}, {words}") == [words, words]


@pytest.mark.parametrize(
    "plan",
    [plans.KFold(5, repeats=2), plans.Holdout(0.5), plans.Bootstrap(7), plans.Subsampling(3)],
    ids=str,
)
def test_a_plan_is_read_from_what_it_shows(plan: plans.Plan) -> None:
    assert plans.as_plan(repr(plan)) == plan


@some
@given(st.floats(0.01, 0.99), st.integers(0, 9**9), st.lists(SHOWN, min_size=1, max_size=3))
def test_settings_come_back(tmp_path_factory, level, seed, require) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path_factory.mktemp("s") / "heliast.toml"
    listed = ", ".join(f"'{one}'" for one in require)
    file.write_text(f"level = {level!r}\n[gate]\nseed = {seed}\nrequire = [{listed}]\n", "utf-8")
    commands = get_command(app).commands  # type: ignore[attr-defined]
    _, values = read_settings("gate", commands, str(file))
    assert values == {"seed": seed, "require": require}  # the level of a gate is not for files
    assert read_settings("assess", commands, str(file))[1] == {"level": level}
