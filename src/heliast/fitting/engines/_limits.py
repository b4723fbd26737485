"""Limits: how long a fit may take and how much memory it may use."""

import re
import sys
from dataclasses import dataclass

from heliast._core.errors import InputError

UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
         "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}  # fmt: skip
LONGEST = 10**8
"""Seconds, three years."""
LIMITED, KILLED = "limited", "killed"
"""What became of a cell: it met a limit; its process died and nobody knows why."""
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*")
_MET = re.compile(r"\((fit_timeout|fit_memory)=([0-9.]+)[;)]")


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes that one fit (with its predictions) may take; None = as much as it needs.

    >>> Limits.of(30, "2GB").too_slow
    'took longer than 30 s (fit_timeout=30)'
    """

    seconds: float | None = None
    memory: int | None = None

    @classmethod
    def of(cls, fit_timeout: float | None, fit_memory: object = None) -> "Limits":
        """From the arguments of `run`, checked."""
        if fit_timeout is not None and not 0 < fit_timeout <= LONGEST:
            raise InputError(
                f"fit_timeout={fit_timeout}: give a number of seconds above 0, at most {LONGEST:,}"
            )
        memory = None if fit_memory is None else size_of(fit_memory)
        if memory is not None and not sys.platform.startswith("linux"):
            raise InputError(
                f"fit_memory={fit_memory}: {sys.platform} does not let a process limit its memory; "
                "leave it out, or run on Linux"
            )
        return cls(None if fit_timeout is None else float(fit_timeout), memory)

    def __bool__(self) -> bool:
        return self.seconds is not None or self.memory is not None

    @property
    def too_slow(self) -> str:
        return f"took longer than {_short(self.seconds)} s (fit_timeout={_short(self.seconds)})"

    @property
    def too_large(self) -> str:
        return f"needed more than {in_words(self.memory or 0)} (fit_memory={self.memory})"

    def died(self, code: int) -> tuple[str, str]:
        """Status and reason of a cell whose process died each time it was tried."""
        how = signal_name(code)
        if self.memory is not None:
            return LIMITED, f"its process died ({how}), as if it {self.too_large}"
        return KILLED, f"its process died each time ({how}); perhaps memory ran out"

    def wider_than(self, status: str, failure: str) -> bool:
        """Whether a cell that ended so may end otherwise under these limits.

        >>> slow = Limits.of(30).too_slow
        >>> [Limits.of(given).wider_than("limited", slow) for given in (30, 60, None)]
        [False, True, True]
        """
        if status == KILLED:
            return True
        met = _MET.search(failure) if status == LIMITED else None
        if met is None:
            return False
        now = self.seconds if met[1] == "fit_timeout" else self.memory
        return now is None or now > float(met[2])


def size_of(words: object) -> int:
    """Bytes: a number, or a number and its unit.

    >>> size_of("2GB"), size_of("512 MiB"), size_of(1000000)
    (2000000000, 536870912, 1000000)
    """
    found = _SIZE.fullmatch(str(words))
    unit = UNITS.get(found[2].lower()) if found else None
    size = 0.0 if found is None or unit is None else float(found[1]) * unit
    if not 10**6 <= size < 2**62:
        raise InputError(
            f"fit_memory={str(words)[:60]!r}: give at least a megabyte, as in '2GB', '500MB' or "
            "'1.5GiB'"
        )
    return int(size)


def in_words(size: int) -> str:
    """
    >>> in_words(2_000_000_000), in_words(1_500_000)
    ('2 GB', '1.5 MB')
    """
    unit = "GB" if size >= 10**9 else "MB"
    return f"{size / UNITS[unit.lower()]:.4g} {unit}"


def signal_name(code: int) -> str:
    """How a process ended, in words.

    >>> signal_name(-9), signal_name(3)
    ('SIGKILL', 'exit code 3')
    """
    import signal

    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"


def _short(number: float | None) -> str:
    return f"{number:.10g}"
