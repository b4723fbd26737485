"""Coverage-guided search for text that a parser neither takes nor refuses.

`python -m tests.fuzz.guided PARSER [RUNS]` with atheris installed; without it, `test_parsers.py`
searches the same parsers with hypothesis. A finding is kept in `test_found.py`.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

SEEDS = {
    "requirement": ["new:recall[spam].low >= 85%", "error(new - old).high <= 0.01", '"a":f.low>1'],
    "call": ["knn(n_neighbors=3)", "kfold(10, repeats=5)", "a.b(c={'d': [1, None]})"],
    "plan": ["10", "kfold(5, repeats=2)", "holdout(train=0.5)", "learningcurve([4, 8])"],
    "settings": ["level = 0.9\n[gate]\nrequire = ['error.high <= 0.1']\n", "[tool.x]\na.b = {}"],
    "split_words": ["lda, knn(n_neighbors=3, p=1)", "'a,b',c"],
    "shares": ["a=0.9,b=0.1"],
    "costs": ["0,1;5,0"],
    "looks": ["2/5", "any"],
}


def parsers() -> dict[str, Callable[[str], object]]:
    """Every parser of text by name; each gives a value or raises an InputError."""
    from typer.main import get_command

    from heliast.cli import _words, app
    from heliast.cli._settings import read_settings
    from heliast.plans import as_plan
    from heliast.verbs.looks import Looks
    from heliast.verbs.requirement import Requirement

    commands = get_command(app).commands  # type: ignore[attr-defined]
    place = Path(tempfile.mkdtemp()) / "heliast.toml"

    def settings(text: str) -> object:
        place.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        return read_settings("gate", commands, str(place))

    return {
        "requirement": Requirement.parse,
        "call": lambda text: _words.call(text, "--model"),
        "plan": as_plan,
        "settings": settings,
        "split_words": _words.split_words,
        "shares": lambda text: _words.shares(text, ("a", "b")),
        "costs": lambda text: _words.costs(text, ("a", "b")),
        "looks": Looks.parse,
    }


def tried(parser: Callable[[str], object], text: str) -> object:
    """What the parser gives; None if it refuses. Everything else is a finding."""
    from heliast import InputError

    try:
        return parser(text)
    except InputError:
        return None


def main() -> None:
    import atheris

    with atheris.instrument_imports(include=["heliast.verbs", "heliast.cli"]):
        every = parsers()
    name, runs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "100000"
    corpus = Path(tempfile.mkdtemp())
    for at, text in enumerate(SEEDS[name]):
        (corpus / str(at)).write_text(text)

    def one(content: bytes) -> None:
        tried(every[name], content.decode("utf-8", errors="surrogateescape"))

    atheris.Setup([sys.argv[0], f"-runs={runs}", "-max_len=300", "-timeout=5", str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
