"""A real browser, without a network, that tells what went wrong in the page."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium_path() -> str | None:
    named = os.environ.get("HELIAST_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium_path()
    if path is None:
        pytest.skip("no chromium: apt-get install chromium, or name one in HELIAST_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


class Opened:
    """A page with what it asked the network for and what it complained about."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def value(self, selector: str, field: str = "value") -> float:
        """A number in full precision, as the page computed it."""
        return float(self.page.locator(selector).get_attribute(f"data-{field}"))

    def move(self, selector: str, value: object) -> None:
        """Set a slider as a hand would: the value, then the event."""
        self.page.locator(selector).evaluate(
            "(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", value
        )

    def overflow(self) -> float:
        """How far the page is wider than the window."""
        root = "document.documentElement"
        return float(self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Opened]]:
    contexts = []

    def opened(path: Path, **options: Any) -> Opened:
        context = browser.new_context(offline=True, accept_downloads=True, **options)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.goto(path.as_uri())
        return found

    yield opened
    for context in contexts:
        context.close()
