"""Models in files: only skops files, and only types that are known to be safe, or named."""

import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast._core.files import read_plain, write_whole

ENDING = ".skops"
CARD = "card.json"
PICKLES = (".pkl", ".pickle", ".joblib", ".dill", ".cloudpickle", ".p")
# Bytes of a file that is read: all of it is held in memory.
LARGEST = 2**32
# A file that unpacks to more than so many bytes and so many times its size is a trap.
UNPACKED, TIMES = 100_000_000, 50


def is_model_file(words: str) -> bool:
    """Whether words name a file of a model, be it one that is refused.

    >>> is_model_file("m.skops"), is_model_file("m.pkl"), is_model_file("sklearn.svm.SVC")
    (True, True, False)
    """
    return words.strip().lower().endswith((ENDING, *PICKLES))


def load_model(path: "str | os.PathLike[str]", trusted: Sequence[str] = ()) -> Any:
    """A model from a skops file; none of the file's own code runs.

    A pickle (also joblib's) runs whatever its writer wants when it is loaded, so it is refused. A
    skops file names the types that it holds. Those that skops does not know to be safe are listed
    and refused, unless `trusted` names them: their code, installed on this machine, then runs. The
    `memory` of pipelines is switched off, as it would load pickles from a folder.

    Parameters
    ----------
    path : str or os.PathLike[str]
        The file.
    trusted : sequence of str
        Names of types that skops does not know but you trust.

    Returns
    -------
    estimator
        The fitted model.

    Raises
    ------
    InputError
        If the file is a pickle, no skops file, or holds types that are not trusted.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skops.io import dump
    >>> path = Path(tempfile.mkdtemp()) / "bayes.skops"
    >>> dump(GaussianNB(), path)
    >>> load_model(path)
    GaussianNB()
    """
    name, content = Path(path).name, _read(path)
    skops = _skops()
    try:
        content = _without_memory(content)
        unknown = sorted({*skops.get_untrusted_types(data=content)} - {*trusted})
        model = None if unknown else skops.loads(content, trusted=list(trusted))
    except Exception as error:  # whatever a damaged or hostile file makes of the reader
        raise InputError(f"{name}: cannot be loaded ({_why(error)}); write it again") from None
    if unknown:
        options = " ".join(f"--trust {kind}" for kind in unknown)
        raise InputError(
            f"{name}: holds types that are not known to be safe: {', '.join(unknown)}. If you know "
            f"where the file comes from, and these types, say {options} (in Python: trusted=[...])"
        )
    if not hasattr(model, "fit") or not hasattr(model, "predict"):
        raise InputError(f"{name}: holds a {type(model).__name__}, which is not a model")
    return model


def save_model(
    model: Any, path: "str | os.PathLike[str]", card: Mapping[str, object] | None = None
) -> Path:
    """Write a fitted model as a skops file, atomically; its card is a part of the archive.

    >>> import tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> save_model(GaussianNB(), Path(tempfile.mkdtemp()) / "bayes.skops").name
    'bayes.skops'
    """
    place = Path(path).expanduser()
    if place.suffix.lower() != ENDING:
        raise InputError(f"{place.name}: a model is written as a skops file; end it in {ENDING}")
    skops = _skops()
    try:
        archive = io.BytesIO(skops.dumps(model))
    except Exception as error:  # whatever a model holds
        raise InputError(f"{place.name}: this model cannot be written ({_why(error)})") from None
    if card is not None:
        text = json.dumps(card, ensure_ascii=False, indent=2, allow_nan=False)
        with zipfile.ZipFile(archive, "a") as parts:
            parts.writestr(zipfile.ZipInfo(CARD), text)  # without a time: the same bytes each time
    return write_whole(place, lambda file: file.write(archive.getvalue()), "model.skops")


def load_card(path: "str | os.PathLike[str]") -> dict[str, Any]:
    """What a model file says of the model: its estimate, inputs, data, plan and versions.

    Parameters
    ----------
    path : str or os.PathLike[str]
        A skops file; no model is loaded.

    Returns
    -------
    dict
        The card; empty if the file has none, as one that another tool wrote.

    Raises
    ------
    InputError
        If the file is a pickle, no skops file, or damaged.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> load_card(save_model(GaussianNB(), Path(tempfile.mkdtemp()) / "m.skops", {"name": "bayes"}))
    {'name': 'bayes'}
    """
    content = _read(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            return dict(json.loads(parts.read(CARD))) if CARD in parts.namelist() else {}
    except Exception as error:  # whatever a damaged file makes of the reader
        why = f"its card is damaged ({_why(error)}); write it again"
        raise InputError(f"{Path(path).name}: {why}") from None


def to_trust(path: "str | os.PathLike[str]") -> list[str]:
    """The types in a skops file that are not known to be safe; nothing is loaded."""
    return sorted(_skops().get_untrusted_types(data=_read(path)))


def _skops() -> Any:
    try:
        from skops import io as skops
    except ImportError:
        raise InputError(
            "model files need skops; install it with: pip install 'heliast[models]'"
        ) from None
    return skops


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0][:300]


def _read(path: "str | os.PathLike[str]") -> bytes:
    """The content of a skops file, read once: what is checked is what is loaded."""
    place = Path(path).expanduser()
    try:
        content = read_plain(place, LARGEST)
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            sizes = {part.filename: part.file_size for part in parts.infolist()}
    except FileNotFoundError:
        raise InputError(f"{place}: there is no such file; check the path") from None
    except zipfile.BadZipFile:
        sizes = {}
    except (OSError, ValueError, NotImplementedError) as error:
        raise InputError(f"{place}: cannot be opened ({error})") from None
    if "schema.json" not in sizes:
        raise InputError(
            f"{place.name}: not a skops file, or damaged. A pickle may run any code when it is "
            "loaded, so it is never loaded; write the model with skops.io.dump(model, 'm.skops')"
        )
    size = sum(sizes.values())
    if size > max(UNPACKED, TIMES * len(content)):
        raise InputError(
            f"{place.name}: {len(content):,} bytes that unpack to {size:,}: refused; write it "
            "again without compression"
        )
    return content


def _without_memory(content: bytes) -> bytes:
    """The same archive with None for each `memory`, from whose folder joblib loads pickles."""
    null = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode",
            "content": "null"}  # fmt: skip

    def forget(node: dict[str, Any]) -> dict[str, Any]:
        # Of a parameter, also of one in a grid (`clf__memory`); numbers are words of a vocabulary.
        for name, value in node.items():
            if name.endswith("memory") and not str(value.get("content")).isdigit():
                node[name] = value | null
        return node

    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(changed, "w") as kept:
        for part in parts.infolist():
            text = parts.read(part)
            if part.filename == "schema.json":
                text = json.dumps(json.loads(text, object_hook=forget)).encode()
            kept.writestr(part, text)
    return changed.getvalue()
