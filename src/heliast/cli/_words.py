"""Words of the command line as values: models, plans, classes, scores, costs, shares."""

import ast
import csv
import importlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError

if TYPE_CHECKING:
    from heliast._core.labels import Label

MOST, MOST_DIGITS = 10_000, 1000
"""Characters that a name with its arguments may have, and digits a whole number."""


def call(words: str, option: str) -> tuple[str, list[Any], dict[str, Any]]:
    """A name and its arguments: `knn(n_neighbors=3)`, `kfold(10, repeats=5)`, or the name alone.

    Only literals are taken as arguments: nothing is evaluated.

    >>> call("kfold(10, repeats=5)", "--plan")
    ('kfold', [10], {'repeats': 5})
    """
    if len(words) > MOST:
        raise InputError(f"{option} {words[:60]}...: {len(words):,} characters; at most {MOST:,}")
    try:
        with warnings.catch_warnings():  # such as that 1if is an odd number
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(words.strip(), mode="eval").body
        if isinstance(tree, ast.Call):
            arguments = [ast.literal_eval(item) for item in tree.args]
            named = {item.arg: ast.literal_eval(item.value) for item in tree.keywords if item.arg}
            if len(named) < len(tree.keywords):
                raise ValueError("a name twice, or **")
            return _dotted(tree.func), arguments, named
        return _dotted(tree), [], {}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # {[]: 1}, too deep
        raise InputError(
            f"{option} {words}: expected a name, or a name with plain arguments such as "
            "knn(n_neighbors=3)"
        ) from None


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ValueError(node)


def model(words: str, task: str = "classes", trusted: Sequence[str] = ()) -> tuple[str, Any]:
    """A model from words: a short name, an import path (which runs that module's code), a file.

    `mine=knn(n_neighbors=3)` names it `mine`; `sklearn.svm.SVC(C=10)` imports a class;
    `model.skops` is loaded if all types in it are known to be safe or `trusted`.

    >>> model("knn(n_neighbors=3)")[0]
    'knn(n_neighbors=3)'
    """
    from heliast.fitting.loading import is_model_file, load_model

    shown, spoken = alias(words)
    if is_model_file(spoken):
        path = Path(spoken.strip())
        return (path.stem if spoken == words else shown), load_model(path, trusted)
    known, arguments, named = call(spoken, "--model")
    factory = _factory(known, task)
    try:
        return shown.strip(), factory(*arguments, **named)
    except Exception as error:  # whatever somebody else's class does
        raise InputError(f"--model {words}: {_why(error)}") from None


def alias(words: str) -> tuple[str, str]:
    """The name that a model is to have, and the words that say what it is.

    >>> alias("mine=knn(n_neighbors=3)"), alias("knn(n_neighbors=3)")
    (('mine', 'knn(n_neighbors=3)'), ('knn(n_neighbors=3)', 'knn(n_neighbors=3)'))
    """
    name, equals, rest = words.partition("=")
    return (name, rest) if equals and name.isidentifier() else (words, words)


def named_models(
    words: Sequence[str], task: str, trusted: Sequence[str] | None = None
) -> dict[str, Any]:
    """Models in words by name; none may hide another of the same name."""
    found: dict[str, Any] = {}
    for word in words:
        name, made = model(word, task, trusted or ())
        if name in found:
            raise InputError(f"--model {word}: there is a {name!r} already; say other={word}")
        found[name] = made
    return found


def parted(words: str) -> list[str]:
    """`lda,knn(n_neighbors=3, p=1)` at the commas that stand outside brackets and quotes.

    >>> parted("lda, knn(n_neighbors=3, p=1)")
    ['lda', 'knn(n_neighbors=3, p=1)']
    """
    parts, depth, quote = [""], 0, ""
    for letter in words:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _factory(name: str, task: str) -> Any:
    from heliast.fitting import panel

    short: Mapping[str, Any] = panel.CLASSES if task == "classes" else panel.NUMBERS
    if name in short:
        return short[name]
    if "." not in name:
        raise InputError(
            f"--model {name}: no such model; there are {', '.join(short)}, or give an import path "
            "such as sklearn.svm.SVC"
        )
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever somebody else's module does
        raise InputError(f"--model {name}: {_why(error)}") from None


def _why(error: Exception) -> str:
    plain = isinstance(error, (ImportError, AttributeError, TypeError, ValueError))
    return str(error) if plain else f"{type(error).__name__}: {error}"


# --- plans, classes, scores, costs, shares -------------------------------------------------------


def plan(words: str) -> Any:
    """A plan from words: `10` (folds), or a plan's name with its arguments.

    >>> plan("kfold(5, repeats=2)")
    KFold(k=5, repeats=2, stratify='auto')
    """
    from heliast import plans

    folds = whole(words)
    if folds is not None:
        return plans.KFold(folds)
    known = {
        name.lower(): getattr(plans, name)
        for name in plans.__all__
        if isinstance(getattr(plans, name), type) and issubclass(getattr(plans, name), plans.Plan)
    }
    del known["plan"]
    name, arguments, named = call(words, "--plan")
    name = name.lower().replace("_", "").replace("-", "")  # however it is written elsewhere
    if name not in known:
        raise InputError(
            f"--plan {words}: no such plan; give a number of folds or one of {', '.join(known)}"
        )
    try:
        return known[name](*arguments, **named)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"--plan {words}: {error}") from None


def label_of(word: str, classes: Sequence["Label"]) -> "Label":
    """The class that a word means: the text itself, or the number or truth value it spells.

    >>> label_of("1", (0, 1)), label_of("1", ("0", "1"))
    (1, '1')
    """
    for class_ in classes:
        if str(class_) == word or str(class_).lower() == word.lower():
            return class_
    for class_ in classes:
        try:
            if not isinstance(class_, str) and float(word) == float(class_):
                return class_
        except ValueError:
            break
    listed = ", ".join(map(str, classes[:8]))
    raise InputError(f"{word!r} is not a class; the classes are: {listed}")


def class_list(words: str | None) -> "list[Label] | None":
    """`a,b,c` to classes: numbers if all are numbers.

    >>> class_list("0,1"), class_list("a,b")
    ([0, 1], ['a', 'b'])
    """
    if words is None:
        return None
    parts = [part.strip() for part in words.split(",") if part.strip()]
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return list(parts)
    return [int(number) if number.is_integer() else number for number in numbers]


def score_columns(words: Sequence[str] | None) -> str | dict[str, str] | None:
    """One column for the positive class, or CLASS=COLUMN for each class."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    pairs = {}
    for word in words:
        class_, equals, column = word.partition("=")
        if not equals:
            raise InputError(f"--score {word}: with several scores write CLASS=COLUMN for each")
        pairs[class_] = column
    return pairs


def costs(words: str | None, classes: Sequence["Label"]) -> list[list[float]] | None:
    """`0,1;5,0`, or a CSV file without header: rows = true class, columns = label."""
    if words is None:
        return None
    path = Path(words)
    if path.suffix == ".csv":
        rows = _cost_rows(path, words)
    else:
        rows = [row.split(",") for row in words.split(";") if row.strip()]
    try:
        return [[float(cell) for cell in row] for row in rows]
    except ValueError:
        order = ", ".join(map(str, classes))
        raise InputError(
            f"--cost {words}: expected numbers like '0,1;5,0', one row per true class in the "
            f"order {order}"
        ) from None


def _cost_rows(path: Path, words: str) -> list[list[str]]:
    if not path.is_file():
        raise InputError(f"--cost {words}: no such file")
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"--cost {words}: cannot be read as CSV in UTF-8 ({error})") from None


def shares(words: str | None, classes: Sequence["Label"]) -> "Mapping[Label, float] | None":
    """`a=0.9,b=0.1` to class shares."""
    if words is None:
        return None
    found: dict[Label, float] = {}
    for part in words.split(","):
        word, equals, share = part.rpartition("=")
        try:
            found[label_of(word.strip(), classes)] = float(share)
        except ValueError:
            raise InputError(
                f"--prevalence {words}: expected CLASS=SHARE for each class, like a=0.9,b=0.1"
            ) from None
        if not equals:
            raise InputError(f"--prevalence {words}: expected CLASS=SHARE for each class")
    return found


def only_one(words: Sequence[str]) -> str:
    """The one word of a list that may hold one only."""
    if len(words) != 1:
        raise InputError(f"one is expected here, got {len(words)}: {', '.join(words)}")
    return words[0]


def times(words: str) -> int | None:
    """How often: a whole number, or `any`, which is None.

    >>> times("0"), times("any")
    (0, None)
    """
    number = whole(words)
    if words != "any" and number is None:
        raise InputError(f"--seen {words}: expected a whole number such as 1, or any")
    return number


def whole(words: str) -> int | None:
    """A whole number in the digits 0 to 9; None for anything else.

    >>> whole("10"), whole("²")
    (10, None)
    """
    text = words.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
