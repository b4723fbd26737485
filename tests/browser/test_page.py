"""The report as a page: names that attack, schemes, phones, keyboards, printers, no scripts."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.browser.tables import binary, several

import heliast as hl
from heliast.views.report import Material, page, summarise
from heliast.views.report.contents import Section
from heliast.views.report.sections import SECTIONS

LETTERS = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
ATTACKS = [
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(2)>",
    "{{ 7 * 7 }}${7*7}",
    "أ" * 40 + "\u202e",
    "x" * 5000,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(folder):
    return hl.report(binary(), folder / "plain.html")


@pytest.fixture(scope="module")
def attacked(folder):
    models = [f"m {name}" for name in ATTACKS]
    table = several(120, ATTACKS, models)
    return hl.report(table, folder / "attacked.html", title=ATTACKS[0], command=ATTACKS[1])


@pytest.fixture(scope="module")
def letters(folder):
    return hl.report(several(800, LETTERS, ["first", "second"]), folder / "letters.html")


@pytest.fixture(scope="module")
def crowd(folder):
    """Thirty models of three classes."""
    return hl.report(
        several(150, ["a", "b", "c"], [f"model number {i}" for i in range(30)]),
        folder / "crowd.html",
    )


def overlapping(opened, selector):
    """Pairs of texts in one drawing that cover each other."""
    return opened.page.evaluate(
        """selector => {
          const found = [];
          for (const svg of document.querySelectorAll(selector)) {
            const boxes = [...svg.querySelectorAll("text")]
              .map(one => [one.textContent, one.getBoundingClientRect()])
              .filter(([text, box]) => text.trim() && box.width > 0);
            boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
              const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
              const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
              if (wide > 2 && high > 4) found.push([a.slice(0, 40), b.slice(0, 40)]);
            }));
          }
          return found;
        }""",
        selector,
    )


# --- names -----------------------------------------------------------------------------------


def test_names_do_not_run_break_or_overlap(open_page, attacked):
    for width in (1280, 390):
        opened = open_page(attacked, viewport={"width": width, "height": 900})
        assert opened.complaints == []
        assert opened.asked == [attacked.as_uri()]
        assert opened.page.locator("img").count() == 0
        assert opened.page.locator("script").count() == 2
        assert opened.page.locator(".failed").count() == 0
        assert opened.overflow() <= 0
        assert overlapping(opened, "figure svg") == []
        assert ATTACKS[0][:12] in opened.page.locator("#pick-class").inner_text()
        assert "{{ 7 * 7 }}" in opened.page.locator("#classes").inner_text()
        opened.page.locator("#pick-class").select_option(label=ATTACKS[1])
        assert opened.complaints == []


def test_the_policy_lets_no_other_script_run(open_page, plain):
    opened = open_page(plain)
    ran = opened.page.evaluate(
        """() => {
          const made = document.createElement("script");
          made.textContent = "window.ran = true";
          document.body.append(made);
          const image = document.createElement("img");
          image.setAttribute("onerror", "window.ran = true");
          image.src = "data:image/png;base64,none";
          document.body.append(image);
          return new Promise(done => setTimeout(() => done(Boolean(window.ran)), 100));
        }"""
    )
    assert not ran
    assert any("Content Security Policy" in one for one in opened.complaints)


# --- schemes, sizes, print -------------------------------------------------------------------


def ink_and_paper(opened):
    return opened.page.evaluate(
        """() => ["color", "backgroundColor"].map(name => getComputedStyle(document.body)[name]
             .match(/\\d+/g).slice(0, 3).reduce((sum, value) => sum + Number(value), 0))"""
    )


def test_dark_and_light_follow_the_system_and_the_button(open_page, plain):
    light, dark = open_page(plain, color_scheme="light"), open_page(plain, color_scheme="dark")
    ink, paper = ink_and_paper(light)
    assert ink < 200 < 600 < paper
    ink, paper = ink_and_paper(dark)
    assert paper < 200 < 600 < ink
    button = light.page.get_by_role("button", name="Colours")
    button.click()
    button.click()
    ink, paper = ink_and_paper(light)
    assert paper < 200 < 600 < ink


@pytest.mark.parametrize("name", ["plain", "letters", "crowd"])
def test_a_phone_scrolls_the_page_in_one_direction(open_page, request, name):
    opened = open_page(
        request.getfixturevalue(name),
        viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True,
    )  # fmt: skip
    assert opened.overflow() <= 0
    box = opened.page.locator(".controls").bounding_box()
    assert 300 < box["width"] <= 390
    assert opened.page.locator("h1").bounding_box()["width"] <= 390


def test_print_shows_all_and_no_buttons(open_page, plain):
    opened = open_page(plain)
    opened.page.emulate_media(media="print")
    assert not opened.page.locator(".top").is_visible()
    assert not opened.page.locator(".save").first.is_visible()
    assert opened.page.locator("figure .moving svg").first.is_visible()
    opened.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert opened.page.locator("details:not([open])").count() == 0


# --- keyboard, readers, no scripts -----------------------------------------------------------


def test_keys_reach_and_move_everything(open_page, plain):
    opened = open_page(plain)
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    slider = opened.page.locator("#pick-threshold")
    slider.focus()
    before = opened.value("#cell-tp") + opened.value("#cell-fp")
    for _ in range(5):
        opened.page.keyboard.press("ArrowRight")
    after = opened.value("#cell-tp") + opened.value("#cell-fp")
    assert after < before  # a higher threshold calls fewer rows positive
    assert "found" in slider.get_attribute("aria-valuetext")
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "lowest cost"
    opened.page.keyboard.press("Enter")
    ring = opened.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"


@pytest.mark.parametrize(
    ("name", "scheme"), [("plain", "light"), ("plain", "dark"), ("letters", "light")]
)
def test_axe_finds_no_serious_issue(open_page, request, name, scheme):
    # Axe is a script from outside, which the page's own policy refuses.
    file = request.getfixturevalue(name)
    opened = open_page(file, color_scheme=scheme, bypass_csp=True)
    for fold in opened.page.locator("details").all():
        fold.evaluate("one => { one.open = true; }")
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in Axe().run(opened.page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_without_scripts_tables_and_plots_are_there(open_page, plain):
    opened = open_page(plain, java_script_enabled=False)
    assert not opened.page.locator(".controls").is_visible()
    figures = opened.page.locator("figure .still svg")
    assert figures.count() >= 6
    assert all(one.is_visible() for one in figures.all())
    assert opened.page.locator("[data-table=measures] td").first.is_visible()
    assert opened.page.locator("noscript").first.is_visible()


# --- many classes, many models ---------------------------------------------------------------


def test_26_classes_stay_readable(open_page, letters):
    opened = open_page(letters, viewport={"width": 1280, "height": 900})
    assert opened.overflow() <= 0
    assert overlapping(opened, "#confusion svg, #classes svg, .moving svg") == []
    assert opened.page.locator("#pick-class option").count() == 26
    opened.page.locator("#pick-class").select_option(label="Q")
    texts = opened.page.locator("figure[data-live=roc] .moving text").all_text_contents()
    assert any(text.startswith("class Q against the rest") for text in texts)
    assert letters.stat().st_size < 2_000_000


def test_30_models_stay_readable(open_page, crowd):
    opened = open_page(crowd, viewport={"width": 1280, "height": 900})
    assert opened.overflow() <= 0
    assert overlapping(opened, "#models svg, .moving svg") == []
    assert opened.page.locator("#pick-model option").count() == 30
    assert opened.page.locator("[data-table=pairs] tbody tr").count() >= 29
    assert crowd.stat().st_size < 2_000_000


# --- tables out, and a section that fails ----------------------------------------------------


def test_tables_are_downloaded_in_full_precision(open_page, plain):
    opened = open_page(plain)
    sheet = opened.page.locator("[data-table=pairs]")
    saved = {}
    for name in ("CSV", "JSON", "LaTeX", "Markdown"):
        with opened.page.expect_download() as download:
            sheet.get_by_role("button", name=f"as {name}").click()
        saved[name] = Path(download.value.path()).read_text(encoding="utf-8")
        assert download.value.suggested_filename.startswith("pairs.")
    compared = hl.compare(binary())["model 1", "model 2"]
    assert repr(compared.value) in saved["CSV"]
    assert saved["CSV"].startswith(
        "a,b,a minus b [95% CI],a minus b [95% CI] low,a minus b [95% CI] high,p,"
    )
    assert '"a minus b [95% CI]": ' + repr(compared.value) in saved["JSON"]
    assert repr(compared.low) in saved["CSV"]
    assert saved["LaTeX"].startswith("\\begin{tabular}{llrrl}\n\\toprule\n")
    assert "95\\% CI" in saved["LaTeX"]
    assert saved["Markdown"].splitlines()[1] == "| --- | --- | ---: | ---: | --- |"
    assert "| model 1 | model 2 |" in saved["Markdown"]
    copying = sheet.get_by_role("button", name="Copy")
    copying.click()
    opened.page.wait_for_function(
        "one => one.textContent === 'Copied'", arg=copying.element_handle()
    )
    assert opened.complaints == []


def test_a_broken_section_leaves_the_rest_standing(open_page, tmp_path):
    def broken(material: Material) -> dict:
        raise ZeroDivisionError("<b>nobody's fault</b>")

    table = binary(n=100)
    material = Material(table, table, hl.assess(table), hl.compare(table))
    parts = (SECTIONS[0], Section("broken", "Broken on purpose", broken), *SECTIONS[1:])
    path = tmp_path / "report.html"
    path.write_text(page(summarise(material, parts)), encoding="utf-8")
    opened = open_page(path)
    note = opened.page.locator("#broken .failed")
    assert "<b>nobody's fault</b>" in note.inner_text()
    assert note.is_visible()
    assert opened.page.locator("#models table").first.is_visible()
    assert opened.page.locator("#decisions figure .moving svg").first.is_visible()
    assert opened.complaints == []
