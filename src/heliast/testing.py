"""A plugin of pytest: requirements on models become tests, with the interval in what they say.

Installed with heliast, it costs nothing until a test asks for its fixture or marker::

    @pytest.mark.heliast("error.high <= 0.1", "auc.low >= 0.8")
    def test_filter(heliast):
        heliast(y_true, y_score=p)

The marker says what has to be met, as `heliast gate` does; calls of the fixture collect rows, and
after the test they are judged together. Cases of a parametrised test are collected until the last
one has run, so that a test a question of a language model ends in one decision. Answers that are
graded already need no truth: `heliast(grade=True)`, with `item=`, `model=` and others.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

UNDECIDED = ("fail", "skip", "pass")
"""What a test may do where the data are too few to tell."""
_ASKED = pytest.StashKey["dict[object, Collected]"]()


@dataclass
class Collected:
    """What the fixture `heliast` gathers: calls, each with rows, until they are judged.

    Parameters
    ----------
    name : str
        The test that they are of.
    cases : int
        How many cases of it have still to run.
    calls : list
        The arguments of each call.
    """

    name: str = "heliast"
    cases: int = 1
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def __call__(self, *rows: Any, **columns: Any) -> "Collected":
        """Add rows: what `hl.gate` takes in place of a table, or single values.

        Parameters
        ----------
        *rows : table, file, frame, arrays or single values
            Predictions, or truth and label, or truth and {model: labels or scores}.
        **columns : array-like or single values
            `y_score`, `group` and other columns of `Predictions.of`; or `grade` and what else
            `Predictions.graded` takes of an answer: `item`, `model`, `attempt`, `group`; further
            ones are kept under their names, such as `task` and `tokens`.

        Returns
        -------
        Collected
            Itself, so that `require` may follow.
        """
        self.calls.append((rows, columns))
        return self

    def require(self, *requirements: str, undecided: str = "fail", **question: Any) -> None:
        """Judge the rows collected so far, and end the test where a requirement is not met.

        Parameters
        ----------
        *requirements : str
            What has to be met, such as "error.high <= 0.1".
        undecided : {'fail', 'skip', 'pass'}
            What to do where the data are too few to tell.
        **question : keywords
            Whatever else `hl.gate` takes: `level`, `cost`, `positive`, `looks`, ...; of grades
            also `bounds` and `attempt="repeats"`.
        """
        from heliast.verbs import gate as verb

        if undecided not in UNDECIDED:
            raise pytest.UsageError(f"undecided={undecided!r}: choose fail, skip or pass")
        if not self.calls:
            pytest.fail(f"{self.name}: no rows were collected; call heliast(y_true, y_pred)", False)
        rows, columns = self._together()
        self.calls.clear()
        if "grade" in columns and not rows:
            rows, columns = (_graded(columns, question),), {}
        gate: Any = verb.gate  # its calls are more than its types tell
        ruled = gate(*rows, requirements=list(requirements), **columns, **question)
        if ruled.outcome == "fail" or (ruled.outcome, undecided) == ("inconclusive", "fail"):
            pytest.fail(str(ruled), pytrace=False)
        if ruled.outcome == "inconclusive" and undecided == "skip":
            pytest.skip(ruled.summary)

    def _together(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """One call as it is; the columns of several, one behind the other."""
        rows, columns = self.calls[0]
        first = columns.get("grade", next(iter((*rows[1:], *columns.values())), None))
        if len(self.calls) == 1 and not _single(first):
            return rows, columns
        shapes = {(len(rows), *sorted(columns)) for rows, columns in self.calls}
        if len(shapes) > 1:
            raise pytest.UsageError(
                f"{self.name}: every call of heliast() must have the same columns"
            )
        every = [_level({**dict(enumerate(rows)), **columns}) for rows, columns in self.calls]
        joined: dict[Any, Any] = {key: _joined([one[key] for one in every]) for key in every[0]}
        return tuple(joined.pop(at) for at in range(len(rows))), joined


def _graded(columns: dict[str, Any], question: dict[str, Any]) -> Any:
    """The table of grades; what `Predictions.graded` does not name is a column to keep.

    What is said of the whole table, such as its bounds, is taken out of the question.
    """
    import inspect

    from heliast.predictions import Predictions

    named = {*inspect.signature(Predictions.graded).parameters}
    said = {name: columns[name] for name in columns if name in named}
    said |= {name: question.pop(name) for name in [*question] if name in named}
    kept = {name: columns[name] for name in columns if name not in named}
    return Predictions.graded(**said, columns=kept or None)


def _single(value: Any) -> bool:
    """Whether this is the value of one row, and not a column."""
    import numpy as np

    if isinstance(value, dict):
        return all(map(_single, value.values()))
    return isinstance(value, (bool, int, float, str, np.generic))


def _level(columns: dict[Any, Any]) -> dict[Any, Any]:
    """A call's columns, where single values beside them stand for every row."""
    long = [len(one) for one in columns.values() if not isinstance(one, dict) and not _single(one)]
    if not long:
        return columns
    return {name: [one] * long[0] if _single(one) else one for name, one in columns.items()}


def _joined(values: list[Any]) -> Any:
    """Values or columns of several calls as one column; of {model: column}, each model's."""
    import numpy as np

    if isinstance(values[0], dict):
        return {name: _joined([one[name] for one in values]) for name in values[0]}
    if all(map(_single, values)):
        return values
    return np.concatenate([np.atleast_1d(one) for one in values])


def _test(item: pytest.Item) -> object:
    """What the cases of one parametrised test have in common."""
    return item.path, getattr(item, "cls", None), getattr(item, "originalname", item.name)


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest of the marker."""
    config.addinivalue_line(
        "markers",
        "heliast(*requirements, undecided='fail', **question): what the rows that the fixture "
        "`heliast` collects have to meet, as in `heliast gate`",
    )
    config.stash[_ASKED] = {}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Count the cases of each test that has requirements."""
    asked = config.stash[_ASKED]
    for item in items:
        if item.get_closest_marker("heliast") is not None:
            name = getattr(item, "originalname", item.name)
            asked.setdefault(_test(item), Collected(name, 0)).cases += 1


@pytest.fixture(name="heliast")
def _heliast(request: pytest.FixtureRequest) -> Iterator[Collected]:
    """Collects rows of predictions, which the marker's requirements or `require` judge."""
    marked = request.config.stash[_ASKED].get(_test(request.node))
    collected = marked or Collected(request.node.name)
    yield collected
    if marked is None and collected.calls:
        pytest.fail(
            f"{collected.name}: rows were collected and nothing is required of them; call "
            'heliast(...).require("error.high <= 0.1"), or mark the test with '
            '@pytest.mark.heliast("error.high <= 0.1")',
            pytrace=False,
        )


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run the test; after its last case judge what was collected."""
    found = yield
    marker = pyfuncitem.get_closest_marker("heliast")
    if marker is not None:
        collected = pyfuncitem.config.stash[_ASKED][_test(pyfuncitem)]
        collected.cases -= 1
        if not collected.cases:
            collected.require(*marker.args, **marker.kwargs)
    return found


def _open(config: pytest.Config) -> Iterator[str]:
    """Tests whose rows were collected and never judged."""
    for one in config.stash[_ASKED].values():
        if one.calls:
            yield (
                f"{one.name}: not judged, as {one.cases} of its cases did not run to their end here"
            )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """What was collected and never judged has not passed."""
    config, left = session.config, list(_open(session.config))
    if hasattr(config, "workeroutput"):
        config.workeroutput["heliast"] = left
    elif left and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Several processes (pytest-xdist): cases of one test that were dealt to several."""
    asked = node.config.stash[_ASKED]
    for line in getattr(node, "workeroutput", {}).get("heliast", ()):
        name = line.partition(":")[0]
        asked[name, node.gateway.id] = Collected(f"{name} (use --dist loadscope)", 1, [((), {})])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what was not judged."""
    for line in _open(config):
        terminalreporter.write_line(f"heliast: {line}", red=True)
