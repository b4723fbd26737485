"""Words of the command line as values: models, plans, classes, scores, costs, shares."""

import ast
import csv
import importlib
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError

if TYPE_CHECKING:
    from heliast._core.labels import Label

MOST, MOST_DIGITS = 10_000, 1000
"""Characters that a name with its arguments may have, and digits a whole number."""


OURS = ("sklearn", "heliast")
"""Packages whose public classifiers and regressors are models, and no other code."""


def call(words: str, option: str) -> tuple[str, list[Any], dict[str, Any]]:
    """A name and its arguments: `knn(n_neighbors=3)`, `kfold(10, repeats=5)`, or the name alone.

    A name is identifiers with dots between them, as they stand, and arguments are literals:
    nothing is evaluated.

    >>> call("kfold(10, repeats=5)", "--plan")
    ('kfold', [10], {'repeats': 5})
    """
    text = words.strip()
    if len(text) > MOST:
        raise InputError(f"{option} {text[:60]}...: {len(text):,} characters; at most {MOST:,}")
    try:
        with warnings.catch_warnings():  # such as that 1if is an odd number
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text, mode="eval").body
        called = isinstance(tree, ast.Call)
        name = _dotted(tree.func if isinstance(tree, ast.Call) else tree)
        if name != (text.partition("(")[0].rstrip() if called else text):  # in brackets, or bent
            raise ValueError
        if not isinstance(tree, ast.Call):
            return name, [], {}
        arguments = [_literal(item) for item in tree.args]
        named = {item.arg: _literal(item.value) for item in tree.keywords if item.arg}
        if len(named) < len(tree.keywords):
            raise ValueError("a name twice, or **")
        return name, arguments, named
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


def _literal(node: ast.expr) -> Any:
    """A value whose repr gives the same value again."""
    value = ast.literal_eval(node)
    if ast.literal_eval(repr(value)) != value:
        raise ValueError(value)
    return value


@dataclass(frozen=True)
class Spoken:
    """A model in words, read once: what is looked at is what is made.

    `path` is a short name or an import path with its arguments, or names a file.

    >>> str(Spoken.of("mine = knn( n_neighbors=3 )")), str(Spoken.of("tree()"))
    ('mine=knn(n_neighbors=3)', 'tree')
    """

    name: str
    path: str
    arguments: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    is_file: bool = False

    @classmethod
    def of(cls, words: str, option: str = "--model") -> "Spoken":
        """The words, or a refusal."""
        from heliast.fitting.loading import is_model_file

        name, spoken = alias(words)
        if is_model_file(spoken):
            path = spoken.strip()
            return cls(name or Path(path).stem, path, is_file=True)
        path, arguments, named = call(spoken, option)
        made = cls(name, path, tuple(arguments), named)
        return made if name else replace(made, name=str(made))

    def __str__(self) -> str:
        """The words that say it again."""
        if self.is_file:
            return self.path if self.name == Path(self.path).stem else f"{self.name}={self.path}"
        given = [repr(value) for value in self.arguments]
        given += [f"{key}={value!r}" for key, value in self.named.items()]
        words = f"{self.path}({', '.join(given)})" if given else self.path
        return words if self.name in ("", words) else f"{self.name}={words}"

    @property
    def is_ours(self) -> bool:
        """Whether it runs no code but that of scikit-learn and heliast: no other is imported."""
        parts = self.path.split(".")
        if self.is_file or len(parts) == 1:
            return True
        if parts[0] not in OURS or any(part.startswith("_") for part in parts):
            return False
        from sklearn.base import ClassifierMixin, RegressorMixin

        try:
            found = _imported(self.path)
        except InputError:
            return False
        known = isinstance(found, type) and issubclass(found, (ClassifierMixin, RegressorMixin))
        return known and found.__module__.split(".")[0] in OURS

    def made(self, task: str = "classes", trusted: Sequence[str] = ()) -> Any:
        """The model itself; an import path runs the code of its module."""
        if self.is_file:
            from heliast.fitting.loading import load_model

            return load_model(Path(self.path), trusted)
        factory = _factory(self.path, task)
        try:
            return factory(*self.arguments, **self.named)
        except Exception as error:  # whatever somebody else's class does
            raise InputError(f"--model {self}: {_why(error)}") from None


def model(words: str, task: str = "classes", trusted: Sequence[str] = ()) -> tuple[str, Any]:
    """A model from words: a short name, an import path (which runs that module's code), a file.

    `mine=knn(n_neighbors=3)` names it `mine`; `sklearn.svm.SVC(C=10)` imports a class;
    `model.skops` is loaded if all types in it are known to be safe or `trusted`.

    >>> model("knn(n_neighbors=3)")[0]
    'knn(n_neighbors=3)'
    """
    spoken = Spoken.of(words)
    return spoken.name, spoken.made(task, trusted)


def alias(words: str) -> tuple[str, str]:
    """The name that a model is to have, if one is said, and the words that say what it is.

    >>> alias("mine=knn(n_neighbors=3)"), alias("knn(n_neighbors=3)")
    (('mine', 'knn(n_neighbors=3)'), ('', 'knn(n_neighbors=3)'))
    """
    name, equals, rest = words.partition("=")
    return (name.strip(), rest) if equals and name.strip().isidentifier() else ("", words)


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
    return _imported(name)


def _imported(path: str) -> Any:
    module, _, attribute = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever somebody else's module does
        raise InputError(f"--model {path}: {_why(error)}") from None


def _why(error: Exception) -> str:
    plain = isinstance(error, (ImportError, AttributeError, TypeError, ValueError))
    return str(error) if plain else f"{type(error).__name__}: {error}"


# --- plans, classes, scores, costs, shares -------------------------------------------------------


def plan(words: str) -> Any:
    """A plan from words: `10` (folds), or a plan's name with its arguments.

    >>> plan("kfold(5, repeats=2)")
    KFold(k=5, repeats=2, stratify='auto')
    >>> plan("three-way")
    ThreeWay(train=0.6, validation=0.2, stratify='auto')
    """
    from heliast import plans

    folds = whole(words)
    if folds is not None:
        return plans.KFold(folds).k  # of rows in order of time, so many tests forward in time
    known = {
        name.lower(): getattr(plans, name)
        for name in plans.__all__
        if isinstance(getattr(plans, name), type) and issubclass(getattr(plans, name), plans.Plan)
    }
    del known["plan"]
    head, bracket, rest = words.partition("(")
    head = re.sub(r"(?<=[a-zA-Z])-(?=[a-zA-Z])", "_", head)  # three-way, as it is spoken of
    name, arguments, named = call(f"{head}{bracket}{rest}", "--plan")
    name = name.lower().replace("_", "")  # however it is written elsewhere
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


def two_numbers(words: str | None, option: str) -> tuple[float, float] | None:
    """`1:5` to two numbers.

    >>> two_numbers("1:5", "--bounds")
    (1.0, 5.0)
    """
    if words is None:
        return None
    low, _, high = words.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise InputError(f"{option} {words}: two numbers, as in {option} 1:5") from None


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
