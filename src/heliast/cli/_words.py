"""Models and plans in words: a name, perhaps with arguments, as one would write it in Python."""

import ast
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting import loading as _models


def call(words: str, option: str) -> tuple[str, list[Any], dict[str, Any]]:
    """A name and its arguments: `knn(n_neighbors=3)`, `kfold(10, repeats=5)`, or the name alone.

    Only literals are taken as arguments: nothing is evaluated.

    >>> call("kfold(10, repeats=5)", "--plan")
    ('kfold', [10], {'repeats': 5})
    """
    try:
        tree = ast.parse(words.strip(), mode="eval").body
        if isinstance(tree, ast.Call):
            arguments = [ast.literal_eval(item) for item in tree.args]
            named = {str(item.arg): ast.literal_eval(item.value) for item in tree.keywords}
            return _dotted(tree.func), arguments, named
        return _dotted(tree), [], {}
    except (SyntaxError, ValueError):
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
    name, equals, rest = words.partition("=")
    spoken = rest if equals and name.isidentifier() else words
    shown = name if equals and name.isidentifier() else words
    if _models.is_model_file(spoken):
        path = Path(spoken.strip())
        return (path.stem if spoken == words else shown), _models.load_model(path, trusted)
    known, arguments, named = call(spoken, "--model")
    factory = _factory(known, task)
    try:
        return shown.strip(), factory(*arguments, **named)
    except (TypeError, ValueError) as error:
        raise InputError(f"--model {words}: {error}") from None


def _factory(name: str, task: str) -> Any:
    from heliast.fitting import panel as _panel

    short: Mapping[str, Any] = _panel.CLASSES if task == "classes" else _panel.NUMBERS
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
    except (ImportError, AttributeError) as error:
        raise InputError(f"--model {name}: {error}") from None


def plan(words: str) -> Any:
    """A plan from words: `10` (folds), or a plan's name with its arguments.

    >>> plan("kfold(5, repeats=2)")
    KFold(k=5, repeats=2, stratify='auto')
    """
    from heliast import plans

    if words.strip().isdigit():
        return plans.KFold(int(words))
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
    except (TypeError, ValueError) as error:
        raise InputError(f"--plan {words}: {error}") from None
