"""How much memory a table may take: one check before columns are copied to NumPy."""

import os
from pathlib import Path

from heliast._core.errors import InputError

VARIABLE = "HELIAST_MEMORY"
"""The environment variable that sets how much memory there is for a table, such as 8GB."""
INSTEAD = (
    "take fewer rows or columns; assess can scan a file of predictions where it lies (--scan), or "
    f"allow more memory with the environment variable {VARIABLE}, such as {VARIABLE}=8GB"
)
_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def room() -> int:
    """The bytes that a table may take: as the variable says, or half of the free memory."""
    text = os.environ.get(VARIABLE, "").strip()
    return bytes_of(text) if text else free() // 2


def bytes_of(text: str) -> int:
    """An amount of memory in words.

    >>> bytes_of("1.5GB"), bytes_of("300 mb")
    (1500000000, 300000000)
    """
    number, unit = text[:-2].strip(), _UNITS.get(text[-2:].upper())
    digits = number.replace(".", "", 1)
    if unit is None or not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise InputError(f"{VARIABLE}={text!r}: say how much memory there is, such as 8GB or 500MB")
    return int(float(number) * unit)


def free() -> int:
    """The bytes that are free on this machine, or in the control group of this process."""
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    about = _words(Path("/proc/meminfo"))
    sizes += [1024 * int(line.split()[1]) for line in about if line.startswith("MemAvailable:")]
    group = Path("/sys/fs/cgroup")
    limit, used = (_words(group / name) for name in ("memory.max", "memory.current"))
    if limit and used and limit[0].isdigit():
        sizes.append(max(0, int(limit[0]) - int(used[0])))
    return min(sizes)


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []  # another system


def refuse_more(needed: int, what: str) -> None:
    """Refuse a table that does not fit; `what` says what takes the memory."""
    most = room()
    if needed > most:
        raise InputError(
            f"{what}, which takes about {_amount(needed)} of memory, more than the "
            f"{_amount(most)} that a table may take here; {INSTEAD}"
        )


def _amount(count: int) -> str:
    unit = "GB" if count >= 10**9 else "MB"
    return f"{count / _UNITS[unit]:,.1f} {unit}"
