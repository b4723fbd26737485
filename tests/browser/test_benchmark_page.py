"""The report of a benchmark in a browser: hostile names, a phone, a screen reader."""

from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import heliast as hl

ATTACK = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    sets = {
        f"{ATTACK} set {at}": (rng.normal(size=(40, 2)) + y[:, None], y.astype(str))
        for at in range(7)
    }
    models = {
        "bayes": GaussianNB(),
        ATTACK: KNeighborsClassifier(1),
        "5-nn": KNeighborsClassifier(),
    }
    found = hl.benchmark({**sets, "lost": "nowhere.csv"}, models, 3, progress=False)
    assert list(found.left_out) == ["lost"]
    return hl.report(found, tmp_path_factory.mktemp("page") / "benchmark.html", command=ATTACK)


@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_quietly_and_fits(open_page, written, width):
    opened = open_page(written, viewport={"width": width, "height": 900})
    assert opened.complaints == []
    assert opened.asked == [written.as_uri()]
    assert opened.page.locator(".failed").count() == 0
    assert opened.page.locator("script").count() == 2
    assert opened.overflow() <= 0
    assert opened.page.locator("#benchmark svg").count() == 2
    assert opened.page.locator("[data-table=benchmark-values] tbody tr").count() == 7
    assert ATTACK[:12] in opened.page.locator("[data-table=benchmark-pairs]").inner_text()


def test_nothing_stands_in_the_way_of_a_screen_reader(open_page, written):
    opened = open_page(written, bypass_csp=True)  # Axe is a script from outside
    found = Axe().run(opened.page).response["violations"]
    assert [one["id"] for one in found] == []
