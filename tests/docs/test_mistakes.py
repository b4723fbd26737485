"""Thirty newcomer mistakes: the page shows what heliast says to each, word for word."""

from tests.docs.mistakes import PAGE, ROW, again


def test_the_page_shows_what_is_said() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert again(page) == page, "python -m tests.docs.mistakes writes it again"


def test_there_are_thirty_and_each_is_answered() -> None:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) >= 30
    assert len({line for line, _ in rows}) == len(rows)
    assert all(len(said.split()) > 3 for _, said in rows)
