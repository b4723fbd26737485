"""The report inside JupyterLab, in a real browser: it moves, and shows the library's values."""

import json
import os
import sys

import nbformat
import pytest
from tests.browser.conftest import FLAGS, chromium_path

import heliast as hl

SERVER = os.environ.get("HELIAST_JUPYTER")
CELL = """import heliast as hl
y_true, score = ["ham", "spam"] * 100, [0.1, 0.9, 0.4, 0.3, 0.2, 0.8, 0.6, 0.55] * 25
hl.report(y_true, y_score=score)"""


@pytest.fixture
def lab(tmp_path, serving):
    if SERVER is None:
        pytest.skip("HELIAST_JUPYTER names no jupyter: make test-engines sets it up")
    kernel = tmp_path / "share" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    words = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": words, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    folder = tmp_path / "work"
    folder.mkdir()
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, folder / "book.ipynb")
    words = ["lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--notebook-dir={folder}"]
    words += ["--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    # The kernel is this Python with this source, the server any that is installed.
    env = {"JUPYTER_PATH": str(tmp_path / "share"), "HOME": str(tmp_path)}
    env |= {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    with serving(SERVER, words, "api", **env) as address:
        yield f"{address}/lab/tree/book.ipynb"


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_the_threshold_moves_below_the_cell(lab):
    from playwright.sync_api import sync_playwright

    path = chromium_path()
    if path is None:
        pytest.skip("no chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(lab)
        # A cell run before the kernel answers is dropped without a word.
        page.get_by_text("Python 3 | Idle").wait_for(timeout=120_000)
        page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        frame = page.frame_locator("iframe[title='heliast report']")
        slider = frame.locator("#pick-threshold")
        slider.wait_for(timeout=120_000)
        for place in (0, 3, 6):
            slider.evaluate(
                "(one, at) => { one.value = at; one.dispatchEvent(new Event('input')); }", place
            )
            threshold = float(frame.locator("#threshold-value").get_attribute("data-value"))
            space = {}
            exec(CELL.rpartition("\n")[0], space)
            found = hl.assess(space["y_true"], y_score=space["score"], threshold=threshold)
            for name in ("error", "recall", "precision"):
                shown = frame.locator(f"#rate-{name}")
                ours = found["model", name]
                for field in ("value", "low", "high"):
                    told = float(shown.get_attribute(f"data-{field}"))
                    assert told == pytest.approx(getattr(ours, field), abs=1e-9), (name, field)
        browser.close()
