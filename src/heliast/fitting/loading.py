"""Models from files: only skops files, and only types that are known to be safe, or named."""

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
_CARD = "card.json"
_PICKLED = (".pkl", ".pickle", ".joblib", ".dill", ".cloudpickle", ".p")
_LARGEST = 2**32
"""Bytes of a file that is read: the whole of it is held in memory."""
_UNPACKED = 100_000_000
_TIMES = 50
"""A file that unpacks to more than so many bytes and so many times its size is a trap."""


def is_model_file(words: str) -> bool:
    """Whether words name a file of a model, be it one that is refused.

    >>> is_model_file("m.skops"), is_model_file("m.pkl"), is_model_file("sklearn.svm.SVC")
    (True, True, False)
    """
    return words.strip().lower().endswith((ENDING, *_PICKLED))


def load_model(path: "str | os.PathLike[str]", trusted: Sequence[str] = ()) -> Any:
    """A model from a skops file; none of the file's own code runs.

    A pickle (also joblib's) runs whatever its writer wants when it is loaded, so it is refused. A
    skops file names the types that it holds. Those that skops does not know to be safe are listed
    and refused, unless `trusted` names them: their code, installed on this machine, then runs.

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
    place = Path(path).expanduser()
    content = _content(place)
    _refuse_others(place, content)
    skops = _skops(place)
    try:
        unknown = set(skops.get_untrusted_types(data=content)) - {str(one) for one in trusted}
        if not unknown:
            model = skops.loads(content, trusted=[str(one) for one in trusted])
    except Exception as error:  # whatever a damaged or hostile file makes of the reader
        said = f"{type(error).__name__}: {error}".split("\n")[0][:300]
        raise InputError(f"{place.name}: cannot be loaded ({said}); write it again") from None
    if unknown:
        _refuse_types(place, sorted(unknown))
    if not hasattr(model, "fit") or not hasattr(model, "predict"):
        raise InputError(f"{place.name}: holds a {type(model).__name__}, which is not a model")
    return model


def save_model(
    model: Any, path: "str | os.PathLike[str]", card: Mapping[str, object] | None = None
) -> Path:
    """Write a fitted model as a skops file, whole or not at all; its card lies inside.

    >>> import tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> save_model(GaussianNB(), Path(tempfile.mkdtemp()) / "bayes.skops").name
    'bayes.skops'
    """
    place = Path(path).expanduser()
    if place.suffix.lower() != ENDING:
        raise InputError(f"{place.name}: a model is written as a skops file; end it in {ENDING}")
    skops = _skops(place)
    try:
        content = skops.dumps(model)
    except Exception as error:  # whatever a model holds
        said = f"{type(error).__name__}: {error}".split("\n")[0][:300]
        raise InputError(f"{place.name}: this model cannot be written ({said})") from None
    if card is not None:
        content = _with_card(content, card)
    return write_whole(place, lambda file: file.write(content), "model.skops")


def _with_card(content: bytes, card: Mapping[str, object]) -> bytes:
    """A skops file is an archive: one more part, which skops does not look at."""
    packed = io.BytesIO(content)
    said = json.dumps(card, ensure_ascii=False, indent=2, allow_nan=False)
    with zipfile.ZipFile(packed, "a") as parts:
        parts.writestr(
            zipfile.ZipInfo(_CARD), said
        )  # without a time: the same card, the same bytes
    return packed.getvalue()


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
    place = Path(path).expanduser()
    content = _content(place)
    _refuse_others(place, content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if _CARD not in parts.namelist():
                return {}
            found = json.loads(parts.read(_CARD))
    except (ValueError, OSError, RecursionError, zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(f"{place.name}: its card is damaged ({error}); write it again") from None
    if not isinstance(found, dict):
        raise InputError(f"{place.name}: its card is damaged (no record); write it again")
    return found


def to_trust(path: "str | os.PathLike[str]") -> list[str]:
    """The types in a skops file that are not known to be safe; nothing is loaded."""
    place = Path(path)
    return sorted(_skops(place).get_untrusted_types(data=_content(place)))


def _skops(place: Path) -> Any:
    try:
        from skops import io
    except ImportError:
        raise InputError(
            f"{place.name}: model files need skops; install it with: pip install 'heliast[models]'"
        ) from None
    return io


def _content(place: Path) -> bytes:
    """The whole file, read once: what is checked is what is loaded."""
    if place.suffix.lower() in _PICKLED:
        _refuse_pickle(place)
    try:
        if place.exists() and not place.is_file():
            raise InputError(f"{place}: a folder, or a pipe; name the file of one model")
        return read_plain(place, _LARGEST)
    except FileNotFoundError:
        raise InputError(f"{place}: there is no such file; check the path") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{place}: cannot be opened ({error})") from None


def _refuse_others(place: Path, content: bytes) -> None:
    if content.startswith(b"\x80") and content[1:2] in b"\2\3\4\5":
        _refuse_pickle(place)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            there = {one.filename: one.file_size for one in packed.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise InputError(
            f"{place.name}: not a skops file, or damaged or cut short; write it with skops.io.dump"
        ) from None
    if "schema.json" not in there:
        raise InputError(f"{place.name}: a zip archive, but not a skops file")
    size = sum(there.values())
    if size > max(_UNPACKED, _TIMES * len(content)):
        raise InputError(
            f"{place.name}: {len(content):,} bytes that unpack to {size:,}: refused; write it "
            "again without compression"
        )


def _refuse_pickle(place: Path) -> None:
    raise InputError(
        f"{place.name}: a pickle, which may run any code when it is loaded, so it is never loaded; "
        "whoever made the model can write it with skops.io.dump(model, 'model.skops')"
    )


def _refuse_types(place: Path, unknown: Sequence[str]) -> None:
    options = " ".join(f"--trust {one}" for one in unknown)
    raise InputError(
        f"{place.name}: holds types that are not known to be safe: {', '.join(unknown)}. If you "
        f"know where the file comes from, and these types, say {options} (in Python: trusted=[...])"
    )
