"""What verbs with a --store share: what was asked on record, damage told, how to go on."""

import shlex
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError
from heliast.cli._app import plain, remark, say, worded
from heliast.cli._guard import last_words

if TYPE_CHECKING:
    from heliast.predictions import Predictions


def recorded(store: str | None) -> Any:
    """The store to hand to `run`, which notes what was asked for, so that it can be resumed."""
    if store is None:
        return None
    from heliast.cli._request import request_of
    from heliast.cli._verb import CURRENT, Again
    from heliast.fitting.store import Store

    context = CURRENT.get()
    if isinstance(context.obj, Again):
        return Store.at(store, resumed=context.obj.resumed)
    return Store.at(store, request=request_of(context))


@contextmanager
def told_of_damage(store: Any) -> Iterator[None]:
    """Say in a line each how many damaged files were set aside, what is not reused, what failed."""
    from heliast.fitting.cell import FitFailed
    from heliast.fitting.store import Damaged, NotReused

    before = set() if store is None else set(store.quarantined())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Damaged)
            warnings.simplefilter("always", NotReused)
            warnings.simplefilter("always", FitFailed)
            others = warnings.showwarning

            def show(message: Any, category: Any, *where: Any, **kept: Any) -> None:
                if category is FitFailed:
                    say(worded(str(message)), err=True)  # part of the answer, also for the quiet
                elif category is NotReused:
                    remark(str(message))
                else:
                    others(message, category, *where, **kept)

            warnings.showwarning = show
            yield
    finally:
        if store is not None:
            _tell(store, len(set(store.quarantined()) - before))


def _tell(store: Any, new: int) -> None:
    if new:
        files = "file was" if new == 1 else "files were"
        remark(f"{store.folder}: {new} damaged {files} moved to quarantine; the work is done again")
    for path, why in list(store.stuck.items())[:1]:
        remark(
            f"{store.folder}: {len(store.stuck)} damaged, not used, and cannot be moved to "
            f"quarantine ({why}), such as {path.name}"
        )


@contextmanager
def how_to_go_on(store: str | None, again: str = "") -> Iterator[None]:
    """Have it said, if the command is stopped meanwhile, what was kept and how to go on."""
    if store is None:
        words = "nothing was kept (with --store DIR finished work is)"
    else:
        words = (
            f"finished work is in {store}: {again or f'heliast runs resume {shlex.quote(store)}'}"
        )
    last_words(plain(words))
    yield
    last_words("")


def store_in(place: str) -> Any:
    """The store in a folder; None where there is none."""
    with suppress(OSError):
        if (Path(place).expanduser() / "runs").is_dir():
            from heliast.fitting.store import Store

            return Store.existing(place)
    return None


def only_table(store: Any, place: str) -> "Predictions":
    """The predictions of the only run of a store, as far as they are there."""
    with told_of_damage(store):
        every = store.runs()
        if len(every) == 1:
            table: Predictions = store.table(every[0].id)
            return table
    name = shlex.quote(place)
    if not every:
        raise InputError(f"{place}: a store without a run on record")
    raise InputError(
        f"{place}: a store of {len(every)} runs; write the one that you mean with `heliast runs "
        f"show {name} {every[0].id} -o preds.parquet` (`heliast runs list {name}` lists them), and "
        "name that file. Of a benchmark, give its line again with -o result.json: nothing is "
        "fitted twice"
    )
