"""The paragraph on methods: complete sentences, cited works that docstrings declare, BibTeX."""

import re

import pytest

import heliast as hl
from heliast import comparisons, estimates
from heliast.views.methods import Facts, methods
from heliast.views.references import Reference, cited, of_methods

DECLARED = [
    (room.__name__, name)
    for room in (estimates, comparisons)
    for name in room.__all__
    if callable(getattr(room, name)) and "\n    References\n" in (getattr(room, name).__doc__ or "")
]


@pytest.mark.parametrize(("room", "name"), DECLARED)
def test_what_docstrings_declare_can_be_cited(room: str, name: str) -> None:
    doc = getattr({"heliast.estimates": estimates}.get(room, comparisons), name).__doc__
    works = cited(doc)
    said = " ".join(doc.split("References")[1].split())
    assert len(works) == len(re.findall(r"\(\d{4}\), ", said))
    for one in works:
        assert re.fullmatch(r"[a-z]+\d{4}", one.key)
        assert one.title[0].isupper()
        assert " ".join(one.title.split()) in said
        assert one.bibtex.count("{") == one.bibtex.count("}")
        assert all(author in said for author in one.authors)
        assert one.source, f"{one.key} does not say where it appeared"
        assert not re.search(r"\b(JASA|JMLR|JRSS|ICML|NeurIPS)\b", one.source), "spell it out"


def test_a_reference_by_hand() -> None:
    doc = """One line.

    References
    ----------
    R. L. Iman and J. M. Davenport (1980), Approximations of the critical region of the Friedman
    statistic, Communications in Statistics A 9; E. B. Wilson (1927), Probable inference, the law
    of succession, and statistical inference.
    """
    iman, wilson = cited(doc)
    assert iman == Reference(
        ("R. L. Iman", "J. M. Davenport"), "1980",
        "Approximations of the critical region of the Friedman statistic",
        "Communications in Statistics A 9",
    )  # fmt: skip
    assert (iman.key, iman.short) == ("iman1980", "Iman and Davenport 1980")
    assert "author = {R. L. Iman and J. M. Davenport}" in iman.bibtex
    assert iman.bibtex.startswith("@article{iman1980,")
    assert "journal = {Communications in Statistics A},\n  volume = {9}" in iman.bibtex
    assert "pages = {571--595},\n  doi = {10.1080/03610928008827904}" in iman.bibtex
    title = "Probable inference, the law of succession, and statistical inference"
    assert (wilson.title, wilson.source) == (title, "")
    assert cited("No references here.") == ()


def test_where_methods_and_captions_come_from_is_said_in_full() -> None:
    works = of_methods(["wilson", "nemenyi", "iman_davenport"])
    (wilson,) = works["wilson"]
    assert "journal = {Journal of the American Statistical Association}" in wilson.bibtex
    assert "volume = {22},\n  pages = {209--212}" in wilson.bibtex
    assert works["nemenyi"][0].bibtex.startswith("@phdthesis{")
    assert [one.key for one in works["iman_davenport"]] == ["friedman1937", "iman1980"]


def test_intervals_and_tests_are_found_by_their_keys() -> None:
    found = of_methods(["wilson", "corrected_t", "nothing of the kind", ""])
    assert {key: [one.key for one in works] for key, works in found.items()} == {
        "wilson": ["wilson1927"],
        "corrected_t": ["nadeau2003"],
    }


@pytest.fixture(scope="module")
def table() -> hl.Predictions:
    truth = ["a", "b"] * 40
    ones = {"tree": ["a"] * 20 + truth[20:], "knn": ["b"] * 10 + truth[10:], "none": ["a"] * 80}
    made = [hl.Predictions.of(truth, label, model=m, row=range(80)) for m, label in ones.items()]
    return made[0].join(made[1]).join(made[2])


def test_the_paragraph_of_an_assessment(table: hl.Predictions) -> None:
    said = hl.assess(table, ["error", "kappa"]).methods()
    assert "on one test set of 80 rows" in said.text
    assert "Wilson (Wilson 1927) for error rate" in said.text
    assert f"version {hl.__version__}" in said.text
    assert "@software{heliast," in said.bibtex
    assert r"Wilson~\cite{wilson1927}" in said.latex
    assert "[@wilson1927]" in said.markdown
    assert said.bibtex.startswith("@article{wilson1927,")


def test_the_paragraph_of_a_comparison_names_test_and_correction(table: hl.Predictions) -> None:
    said = hl.compare(table).methods()
    assert "tree, knn and none were compared by error rate." in said.text
    assert "Pairs were tested by McNemar (McNemar 1947; Fagerland and others 2013)." in said.text
    assert "The p values of 3 pairs are Holm-adjusted (Holm 1979)" in said.text
    assert "The equivalence margin was 0.01." in said.text
    assert {one.key for one in said.references} >= {"holm1979", "mcnemar1947"}


def test_only_what_is_cited_is_listed_and_all_of_it(table: hl.Predictions) -> None:
    for said in (hl.assess(table).methods(), hl.compare(table).methods()):
        keys = set(re.findall(r"@(\w+)", said.markdown))
        assert keys == {one.key for one in said.references}
        assert set(re.findall(r"@\w+\{(\w+),", said.bibtex)) == keys
        for sentence in said.sentences:
            assert sentence.endswith(".")
            assert sentence[0].isupper() or sentence.startswith(("tree", "4 "))


def test_a_model_named_like_a_citation_is_left_alone() -> None:
    made = hl.Predictions.of(["a", "b"] * 9, ["a"] * 18, model="m [@nobody1999]")
    said = hl.assess(made, "error").methods()
    assert "[@nobody1999]" in said.text
    assert r"\cite{nobody" not in said.latex


def test_folds_count_fewer_rows_and_what_has_no_interval_has_no_method() -> None:
    truth, label = ["a", "b"] * 50, ["a", "b", "b", "b", "a"] * 20
    whole = hl.assess(truth, label).methods().text
    folds = hl.assess(truth, label, split=[at % 5 for at in range(100)], row=range(100))
    assert "effective sample size" not in whole
    assert "effective sample size" in folds.methods().text
    sure = hl.assess(truth, y_score=[0.0, 1.0, 1.0, 0.0] * 25, split=[at % 5 for at in range(100)])
    assert sure["model", "log_loss"].value == float("inf")
    assert "log loss" not in sure.methods().text


def test_each_measure_is_listed_once_with_the_methods_of_its_classes() -> None:
    """Three classes: a class's precision is a rate, the mean over classes is a sum of rates."""
    truth, label = ["a", "b", "c"] * 30, ["a", "b", "b", "a", "c", "c"] * 15
    said = hl.assess(truth, label, ["error", "precision", "kappa"]).methods().text
    parts = re.search(r"intervals \(95%\): (.+?)\. ", said)
    assert parts is not None
    assert parts[1].split("; ") == [
        "Wilson (Wilson 1927) for error rate",
        "MOVER of Wilson limits (Zou and Donner 2008) or Wilson (Wilson 1927) for precision",
        "delta on the atanh scale for Cohen's kappa",
    ]
    two = hl.assess(["a", "b"] * 30, ["a", "b", "b", "a", "a", "b"] * 10, "precision").methods()
    assert "Wilson (Wilson 1927) for precision." in two.text


def test_a_measure_of_two_methods_names_both_once() -> None:
    """The Brier score of one model is skewed, that of the other is not."""
    truth = ["a", "b"] * 50
    sure = [0.01, 0.99] * 49 + [0.99, 0.01]
    tables = {"skewed": sure, "even": [0.3, 0.6, 0.4, 0.9] * 25}
    said = hl.assess(truth, tables, "brier").methods().text
    assert "skewness-corrected t (Hall 1992) or Student t (Student 1908) for Brier score." in said
    assert "Where two methods are named, the data decide" in said


def test_no_two_works_have_one_key_and_no_work_two() -> None:
    names = [*comparisons.__all__, *estimates.__all__, *estimates.methods()]
    works = [one for cites in of_methods(names).values() for one in cites]
    keys = {(one.key, one.authors, one.title) for one in works}
    assert len(works) > 60
    assert len({key for key, *_ in keys}) == len(keys) == len({title for *_, title in keys})
    alone = {name: of_methods([name]) for name in names}
    assert {one for cites in alone.values() for one in next(iter(cites.values()), ())} == set(works)


def test_two_works_of_one_author_and_year_are_both_listed() -> None:
    (works,) = of_methods(["prediction_powered"]).values()
    assert [one.key for one in works] == ["angelopoulos2023b", "angelopoulos2023a"]
    assert [one.short for one in works] == [f"Angelopoulos and others 2023{one}" for one in "ba"]
    assert all("year = {2023}" in one.bibtex for one in works)


def test_facts_of_a_run_are_named() -> None:
    facts = Facts(("a",), plan="10 folds", seed=7, hyperparameters={"a": "max_depth=3"})
    text = methods(facts).text
    assert "Rows were split by 10 folds (seed 7). Hyperparameters: a: max_depth=3." in text
