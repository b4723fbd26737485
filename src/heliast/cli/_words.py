"""Words of the command line as values: models, classes, scores, costs, prevalences."""

import ast
import csv
import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError
from heliast._core.files import read_plain

if TYPE_CHECKING:
    from heliast._core.labels import Label

MOST_LETTERS, MOST_DIGITS, MOST_BYTES = 10_000, 1000, 1_000_000


# --- names with arguments ------------------------------------------------------------------------


def call(
    words: str, option: str, named: Callable[[str], Any] | None = None
) -> tuple[str, list[Any], dict[str, Any]]:
    """A name and its arguments: `knn(n_neighbors=3)`, `kfold(10, repeats=5)`, or the name alone.

    A name is identifiers with dots between them. Arguments are literals, or names and calls of
    names that `named` turns into values; nothing is evaluated.

    >>> call("kfold(10, repeats=5)", "--plan")
    ('kfold', [10], {'repeats': 5})
    """
    text = words.strip()
    if len(text) > MOST_LETTERS:
        raise InputError(f"{option} {text[:60]}...: {len(text):,} characters are too many")
    try:
        with warnings.catch_warnings():  # such as that 1if is an odd number
            warnings.simplefilter("ignore", SyntaxWarning)
            node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call):
            return _dotted(node, text), [], {}
        name = _dotted(node.func, text.partition("(")[0].rstrip())
        arguments = [_value(item, named) for item in node.args]
        keywords = {item.arg: _value(item.value, named) for item in node.keywords if item.arg}
        if len(keywords) < len(node.keywords):
            raise ValueError("a name twice, or **")
        return name, arguments, keywords
    except InputError:  # of a model in the arguments
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # {[]: 1}, too deep
        raise InputError(
            f"{option} {words}: expected a name, or a name with plain arguments such as "
            "knn(n_neighbors=3)"
        ) from None


def _dotted(node: ast.expr, text: str) -> str:
    """The name that a node is, if the text is written as that name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or (name := ".".join([node.id, *parts])) != text:
        raise ValueError(text)
    return name


def _value(node: ast.expr, named: Callable[[str], Any] | None) -> Any:
    """A literal whose repr gives the same value again, or what `named` makes of a name or call."""
    if named is not None and isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        return named(ast.unparse(node))
    value = ast.literal_eval(node)
    if ast.literal_eval(repr(value)) != value:
        raise ValueError(value)
    return value


def split_words(words: str) -> list[str]:
    """`lda,knn(n_neighbors=3, p=1)` at the commas that stand outside brackets and quotes.

    >>> split_words("lda, knn(n_neighbors=3, p=1)")
    ['lda', 'knn(n_neighbors=3, p=1)']
    """
    parts, depth, quote, escaped = [""], 0, "", False
    for letter in words:
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in "'\"":
            quote, escaped = letter, False
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


# --- models --------------------------------------------------------------------------------------


def named_models(
    words: Sequence[str] | None, task: str, trusted: Sequence[str] | None = None
) -> dict[str, Any]:
    """Models in words by name; none may hide another of the same name."""
    models: dict[str, Any] = {}
    for word in words or ():
        name, estimator = model(word, task, trusted or ())
        if name in models:
            raise InputError(f"--model {word}: there is a {name!r} already; say other={word}")
        models[name] = estimator
    return models


def model(words: str, task: str = "classification", trusted: Sequence[str] = ()) -> tuple[str, Any]:
    """The name and the estimator that words mean.

    `mine=knn(n_neighbors=3)` names it `mine`; `ecoc(estimator=lda)` has a model in its arguments;
    `sklearn.svm.SVC(C=10)` imports a class, which runs its module's code; `model.skops` is loaded
    if all types in it are safe or `trusted`.

    >>> model("knn( n_neighbors=3 )")[0], model("ecoc(estimator=lda)")[1].estimator
    ('knn(n_neighbors=3)', LinearDiscriminantAnalysis())
    """
    from heliast.fitting.loading import is_model_file, load_model

    name, source = named_source(words)
    if is_model_file(source):
        return name or Path(source).stem, load_model(Path(source), trusted)
    shown, estimator = _built(source, task)
    return name or shown, estimator


def _built(words: str, task: str) -> tuple[str, Any]:
    """What the words are in plain form, and the estimator they name; models may stand in others."""
    if words in _short_names(task):  # such as 1nn, which is no identifier
        return words, _short_names(task)[words]()
    path, arguments, keywords = call(words, "--model", lambda inner: _built(inner, task)[1])
    shown = ast.unparse(ast.parse(words.strip(), mode="eval"))
    factory = _factory(path, task)
    try:
        return shown, factory(*arguments, **keywords)
    except Exception as error:  # whatever somebody else's class does
        raise InputError(f"--model {shown}: {_reason(error)}") from None


def _short_names(task: str) -> "Mapping[str, Any]":
    from heliast.fitting import panel

    return panel.CLASSES if task == "classification" else panel.NUMBERS


def named_source(words: str) -> tuple[str, str]:
    """The name that a model is to have, '' if none is given, and the words that say what it is.

    >>> named_source("mine=knn(n_neighbors=3)"), named_source("knn(n_neighbors=3)")
    (('mine', 'knn(n_neighbors=3)'), ('', 'knn(n_neighbors=3)'))
    """
    name, equals, rest = words.partition("=")
    if equals and name.strip().isidentifier():
        return name.strip(), rest.strip()
    return "", words.strip()


def _factory(name: str, task: str) -> Any:
    short = _short_names(task)
    if name in short:
        return short[name]
    module, _, attribute = name.rpartition(".")
    if not module:
        raise InputError(
            f"--model {name}: no such model; there are {', '.join(short)}, or give an import path "
            "such as sklearn.svm.SVC"
        )
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever somebody else's module does
        raise InputError(f"--model {name}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, (ImportError, AttributeError, TypeError, ValueError)):
        return str(error)
    return f"{type(error).__name__}: {error}"


# --- classes, scores, costs, prevalences ---------------------------------------------------------


def label_of(word: str, classes: Sequence["Label"]) -> "Label":
    """The class that a word means: the text itself, or the number or truth value it spells.

    >>> label_of("1", (0, 1)), label_of("1", ("0", "1"))
    (1, '1')
    """
    names = [str(class_) for class_ in classes]
    if word in names:
        return classes[names.index(word)]
    for class_ in classes:
        if str(class_).lower() == word.lower():
            return class_
        try:
            if not isinstance(class_, str) and float(word) == float(class_):
                return class_
        except ValueError:
            continue
    known = ", ".join(map(str, classes[:8]))
    raise InputError(f"{word!r} is not a class; the classes are: {known}")


def two_numbers(words: str | None) -> tuple[float, float] | None:
    """`1:5` to two numbers.

    >>> two_numbers("1:5")
    (1.0, 5.0)
    """
    if words is None:
        return None
    low, _, high = words.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise InputError(f"--bounds {words}: expected two numbers, as in --bounds 1:5") from None


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
    columns = {}
    for word in words:
        class_, equals, column = word.partition("=")
        if not equals:
            raise InputError(f"--y-score {word}: with several scores write CLASS=COLUMN for each")
        columns[class_] = column
    return columns


def costs(words: str | None, classes: Sequence["Label"]) -> list[list[float]] | None:
    """`0,1;5,0`, or a CSV file without header: rows = true class, columns = predicted class."""
    if words is None:
        return None
    rows = [row.split(",") for row in words.split(";") if row.strip()]
    if words.endswith(".csv"):
        try:
            text = read_plain(words, MOST_BYTES).decode("utf-8-sig")
            rows = [row for row in csv.reader(text.splitlines()) if row]
        except (OSError, ValueError, csv.Error) as error:
            raise InputError(f"--cost {words}: cannot be read as CSV in UTF-8 ({error})") from None
    try:
        return [[float(cell) for cell in row] for row in rows]
    except ValueError:
        order = ", ".join(map(str, classes))
        raise InputError(
            f"--cost {words}: expected numbers like '0,1;5,0', one row per true class in the "
            f"order {order}"
        ) from None


def shares(words: str, classes: Sequence["Label"]) -> "Mapping[Label, float]":
    """`a=0.9,b=0.1` to class shares."""
    values: dict[Label, float] = {}
    for part in words.split(","):
        word, _, share = part.rpartition("=")
        try:
            values[label_of(word.strip(), classes)] = float(share)
        except InputError as error:
            raise InputError(f"--prevalence {error}") from None
        except ValueError:
            raise InputError(
                f"--prevalence {words}: expected CLASS=SHARE for each class, like a=0.9,b=0.1"
            ) from None
    return values


def only_one(words: Sequence[str]) -> str:
    """The word of a list that may hold one only."""
    if len(words) != 1:
        raise InputError(f"one is expected here, got {len(words)}: {', '.join(words)}")
    return words[0]


def one_or_all(words: Sequence[str] | None) -> str | Sequence[str] | None:
    """A word that stands alone by itself, several as they are.

    >>> one_or_all(["a"]), one_or_all(["a", "b"])
    ('a', ['a', 'b'])
    """
    return words[0] if words and len(words) == 1 else words


def times(words: str) -> int | None:
    """How often: a whole number, or `any`, which is None.

    >>> times("0"), times("any")
    (0, None)
    """
    number = whole_number(words)
    if words != "any" and number is None:
        raise InputError(f"--in-train {words}: expected a whole number such as 1, or any")
    return number


def whole_number(words: str) -> int | None:
    """A whole number in the digits 0 to 9; None for anything else.

    >>> whole_number("10"), whole_number("²")
    (10, None)
    """
    text = words.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
