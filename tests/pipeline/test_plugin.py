"""The plugin of pytest, in runs of pytest of its own."""

import pytest

pytest_plugins = ["pytester"]
TABLE = """
import pytest
truth = ["a", "b"] * 50
"""


@pytest.fixture
def run(pytester, monkeypatch):
    # Named, not found by its entry point: the one of this source, wherever it is installed.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def ran(source, *words):
        pytester.makepyfile(TABLE + source)
        return pytester.runpytest_subprocess("-p", "heliast.testing", *words)

    return ran


def test_requirements_pass_fail_and_wait(run):
    found = run("""
@pytest.mark.heliast("error.high <= 0.1")
def test_good(heliast):
    heliast(truth, truth)

@pytest.mark.heliast("error.high <= 0.1", "accuracy.low >= 0.5")
def test_bad(heliast):
    heliast(truth, ["a"] * 100)

@pytest.mark.heliast("error.high <= 0.1")
def test_few(heliast):
    heliast(truth[:4], truth[:4])

@pytest.mark.heliast("error.high <= 0.1", undecided="skip")
def test_few_skipped(heliast):
    heliast(truth[:4], truth[:4])
""")
    found.assert_outcomes(passed=1, failed=2, skipped=1)
    # Wilson's interval of 50 errors in 100 rows; of 0 in 4 the exact limit, 1 - 0.05^(1/4)
    found.stdout.fnmatch_lines(["FAIL *error.high <= 0.1 *50.0% [[]40.4, 59.6[]]*"])
    found.stdout.fnmatch_lines(["INCONCLUSIVE *error.high <= 0.1 *0.0% [[]0.0, 52.7[]]*"])


def test_cases_of_one_test_are_judged_together(run):
    found = run("""
@pytest.mark.heliast("error.high <= 0.1")
@pytest.mark.parametrize("at", range(100))
def test_each(heliast, at):
    heliast(truth[at], truth[at] if at else "b")
""")
    found.assert_outcomes(passed=100)


def test_the_last_case_says_what_all_are_worth(run):
    found = run("""
@pytest.mark.heliast("error.high <= 0.1")
@pytest.mark.parametrize("at", range(100))
def test_each(heliast, at):
    heliast(truth[at], "a")
""")
    found.assert_outcomes(passed=99, failed=1)
    found.stdout.fnmatch_lines(["*50.0% [[]40.4, 59.6[]]*"])


def test_rows_without_a_requirement_do_not_pass(run):
    found = run("""
def test_collects(heliast):
    heliast(truth, truth)

def test_requires(heliast):
    heliast(truth, truth).require("error.high <= 0.1")
""")
    found.assert_outcomes(passed=2, errors=1)
    found.stdout.fnmatch_lines(["*nothing is required of them*"])


def test_what_is_never_judged_does_not_pass(run):
    found = run("""
@pytest.mark.heliast("error.high <= 0.1")
@pytest.mark.parametrize("at", range(3))
def test_each(heliast, at):
    heliast(truth[at], "a")
    if at == 2:
        pytest.skip("not today")
""")
    assert found.ret == 1
    found.stdout.fnmatch_lines(["heliast: test_each: not judged, as 1 of its cases*"])


@pytest.mark.parametrize(("how", "code"), [("load", 1), ("loadscope", 0)])
def test_several_processes(run, how, code):
    source = """
@pytest.mark.heliast("error.high <= 0.1")
@pytest.mark.parametrize("at", range(60))
def test_each(heliast, at):
    heliast(truth[at], truth[at])
"""
    found = run(source, "-p", "xdist", "-n", "2", "--dist", how)
    assert found.ret == code
    if code:
        found.stdout.fnmatch_lines(["*loadscope*not judged*"])


def test_at_once_of_two_models_and_of_tables(run):
    found = run("""
import heliast as hl

def test_two(heliast):
    heliast(truth, {"new": truth, "old": ["a"] * 100}).require("error(new - old).high <= 0")

def test_table(heliast):
    table = hl.Predictions.of(truth, y_score=[0.1, 0.9] * 50)
    heliast(table).require("auc.low >= 0.9", level=0.9)

def test_single_rows_of_two(heliast):
    for one in truth:
        heliast(one, {"new": one, "old": "a"})
    with pytest.raises(pytest.fail.Exception, match="old"):
        heliast.require("old:error.high <= 0.1")

@pytest.mark.heliast("error.high <= 0.1")
def test_nothing(heliast):
    pass
""")
    found.assert_outcomes(passed=3, failed=1)
    found.stdout.fnmatch_lines(["*no rows were collected*"])


def test_grades_of_cases_end_in_one_decision(run):
    found = run("""
@pytest.mark.heliast("grade.low >= 0.8")
@pytest.mark.parametrize("at", range(60))
def test_answers(heliast, at):
    heliast(grade=at > 2)

@pytest.mark.heliast("grade.low >= 0.8")
@pytest.mark.parametrize("at", range(60))
def test_worse_answers(heliast, at):
    heliast(grade=at % 2 == 0, item=f"q{at}")

@pytest.mark.heliast("grade(new - old).low >= 0", "new:above(bar=4).low >= 0.6", bounds=(1, 5))
@pytest.mark.parametrize("at", range(40))
def test_two_models(heliast, at):
    heliast(grade=4 + at % 2, item=at, model="new", tokens=7)
    heliast(grade=2 + at % 3, item=at, model="old", tokens=9)
""")
    found.assert_outcomes(passed=60 + 59 + 40, failed=1)
    # Wilson of 30 right answers of 60: 0.5 -+ 1.96 sqrt(0.25 / 60 + 3.84 / 14400) / 1.064
    found.stdout.fnmatch_lines(["FAIL *grade.low >= 0.8 *0.500 [[]0.377, 0.623[]]*"])


def test_grades_by_columns_and_again(run):
    found = run("""
def test_columns(heliast):
    heliast(grade=[1, 0] * 50, item=range(100), model="old")
    heliast(grade=[1, 1] * 50, item=range(100), model="new").require("grade(new - old).low >= 0.3")

def test_attempts(heliast):
    for grade in (1, 1, 0, 1) * 20:
        heliast(grade=grade, item="q1")
    with pytest.raises(ValueError, match="attempt='repeats'"):
        heliast.require("pass@1.low >= 0.5")

def test_repeats(heliast):
    for at in range(80):
        heliast(grade=at % 4 > 0, item=at // 4)
    heliast.require("pass@2.low >= 0.8", attempt="repeats")
""")
    found.assert_outcomes(passed=3)
