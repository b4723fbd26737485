"""Going on from records: what one command has begun, whether it may go on, the command again."""

import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError
from heliast._core.numbers import shorten
from heliast.cli import _words
from heliast.cli._app import remark, say
from heliast.cli._config import Settings
from heliast.cli._request import Places, checked, request_of_words, words_of
from heliast.cli._verb import Again

if TYPE_CHECKING:
    from heliast.fitting.store import Promise, Request, Resumed, Run, Store

    Record = Run | Promise


def is_command(record: "Record") -> bool:
    """Whether it was begun by a command, and not in Python."""
    return record.request is not None or record.command is not None


def request_on(record: "Record") -> "Request":
    """What the record says was asked for, if it keeps to what a record may say."""
    return checked(record.request or request_of_words(record.command or (), record.folder or ""))


def together(records: "Iterable[Record]") -> "list[list[Record]]":
    """Records in groups: those that one command has made."""
    groups: list[list[Record]] = []
    for record in records:
        group = next((group for group in groups if _same(group[0], record)), None)
        if group is None:
            groups.append([record])
        else:
            group.append(record)
    return groups


def _same(one: "Record", other: "Record") -> bool:
    first, second = (
        (None if x.request is None else replace(x.request, anew=()), x.command, x.folder)
        for x in (one, other)
    )
    return is_command(one) and first == second


@dataclass(frozen=True)
class Begun:
    """A command that was begun, as its records tell it."""

    id: str
    request: "Request"
    resumed: "Resumed"
    store: "Store"

    @classmethod
    def of(cls, record: "Record", store: "Store") -> "Begun":
        """What the command was that made the record, and what else it has begun."""
        from heliast.fitting.store import Resumed

        try:
            request = request_on(record)
        except InputError as error:
            raise InputError(f"run {record.id} is not resumed: {error}") from None
        runs = tuple(run for run in store.runs() if _same(run, record))
        promise = next((one for one in store.promises() if _same(one, record)), None)
        resumed = Resumed(request, runs, promise, several=request.verb == "benchmark")
        return cls(record.id, request, resumed, store)

    def words(self, given: Mapping[str, Any]) -> list[str]:
        """The words after `heliast` that go on with it from here, with what is given anew."""
        here = Places(self.request).here()
        return words_of(here, str(self.store.folder.resolve()), given)

    def refuse(self, yes: bool) -> None:
        """Refuse what may do harm and was not agreed to, and files that are not what they were."""
        places = Places(self.request)
        spoken = [_words.Spoken.of(word) for word in self.request.models]
        try:
            code = [str(one) for one in spoken if not one.is_ours]
            elsewhere = places.outside(self.store.folder)
            reasons = [f"it runs code ({code[0]})"] if code else []
            if elsewhere:
                some = ", ".join(elsewhere[:3])
                reasons.append(f"it reads what lies neither here nor in the store ({some})")
            if reasons and not yes:
                why = " and ".join(reasons)
                raise InputError(f"{why}; if you trust this store, give --yes")
            changed = places.changed()
        except (InputError, OSError, ValueError) as error:
            raise InputError(f"run {self.id} is not resumed: {error}") from None
        if changed:
            raise InputError(self._changed(changed))

    def _changed(self, what: str) -> str:
        every = [self.store.progress(run, read=False) for run in self.resumed.runs]
        stand = f"{sum(one.finished for one in every)} of {sum(one.cells for one in every)}"
        folder = shlex.quote(str(self.store.folder))
        return (
            f"run {self.id} cannot go on: {what}. {stand} cells stand, in {self.store.folder}; "
            "nothing was fitted or written. To go on, put back what was there and say: heliast "
            f"runs resume {folder} {self.id}. For a new run with things as they are, say: "
            f"{shlex.join(['heliast', *self.words({})])}"
        )

    def go_on(self, words: list[str]) -> int:
        """Give the command again, in this process; its exit code."""
        from heliast.cli import main

        say(f"run {self.id}: {shlex.join(['heliast', *words])}", err=True)
        left = [said for said in self.request.anew if said.split(" ")[0] not in words]
        if left:
            remark(
                f"its command also said {shorten(', '.join(left), 500)}: outputs, engines, trust "
                "and jobs are not taken from a record; give resume what you want of them"
            )
        here = Places(self.request).here()
        settings = Settings(_lists(here.settings), "the record", frozenset(here.section))
        before, sys.argv = sys.argv, ["heliast", *words]
        try:
            main(Again(settings, self.resumed))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 2
        finally:
            sys.argv = before
        return code or self._left()

    def _left(self) -> int:
        """2 if a run is still unfinished after all went well: it is of other work than today's."""
        left = [run for run in self.resumed.runs if self.store.progress(run, read=False).unfinished]
        for run in left:
            remark(f"run {run.id}: still unfinished; the same command does other work by now")
        return 2 if left else 0


def _lists(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def command_of(record: "Record", store: "Store") -> str:
    """How to go on with it, in words."""
    if not is_command(record):
        verb = getattr(record, "verb", "run")
        place = str(store.folder)
        return f"begun in Python: call {verb} again with the same arguments, store={place!r}"
    try:
        words = words_of(Places(request_on(record)).here(), str(Path(store.folder).resolve()))
    except (InputError, OSError, ValueError) as error:
        return f"not to be given again: {error}"
    return shlex.join(["heliast", *words])
