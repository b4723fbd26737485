"""What a function's compiled code says: a hash of it, what it names, what it reads from outside."""

import dis
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})


@dataclass(frozen=True)
class Code:
    """What compiled code says; code within it (lambdas, local functions and classes) included."""

    digest: str
    chains: tuple[tuple[str, ...], ...]
    """Global names with the attributes taken of them: `np.random.rand` is (np, random, rand)."""
    imports: tuple[tuple[int, str, tuple[str, ...]], ...]
    """Imports while it runs: level, module, names."""
    names: frozenset[str]
    """Every attribute and global that it names."""


@lru_cache(maxsize=20_000)
def read(code: CodeType) -> Code:
    """What the code says. Lines, comments and the file's name do not count, for nothing runs them.

    >>> one = compile("x = 1", "a.py", "exec")
    >>> two = compile("# why\\n\\nx = 1", "b.py", "exec")
    >>> read(one).digest == read(two).digest
    True
    """
    inner = [read(part) for part in code.co_consts if isinstance(part, CodeType)]
    said = (
        code.co_name, code.co_code.hex(), [_constant(part) for part in code.co_consts],
        code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags,
        code.co_exceptiontable.hex(),
    )  # fmt: skip
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    chains = dict.fromkeys([*_chains(steps), *(c for part in inner for c in part.chains)])
    imports = dict.fromkeys([*_imports(steps), *(i for part in inner for i in part.imports)])
    names = frozenset(code.co_names).union(*(part.names for part in inner))
    digest = hashlib.sha256(repr(said).encode()).hexdigest()
    return Code(digest, tuple(chains), tuple(imports), names)


def _constant(value: object) -> str:
    if isinstance(value, CodeType):
        return read(value).digest
    if isinstance(value, tuple):
        return f"({','.join(_constant(part) for part in value)})"
    if isinstance(value, frozenset):  # in an order of its own in each process
        return f"{{{','.join(sorted(_constant(part) for part in value))}}}"
    return repr(value)


def _chains(steps: list[dis.Instruction]) -> Iterator[tuple[str, ...]]:
    chain: tuple[str, ...] = ()
    for step in steps:
        if chain and step.opname in _ATTRIBUTE:
            chain = (*chain, step.argval)
            continue
        if chain:
            yield chain
        chain = (step.argval,) if step.opname in _GLOBAL else ()
    if chain:
        yield chain


def _imports(steps: list[dis.Instruction]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for at, step in enumerate(steps):
        if step.opname == "IMPORT_NAME":
            level, names = steps[at - 2].argval, steps[at - 1].argval
            yield int(level or 0), step.argval, tuple(names or ())


# --- outside ---------------------------------------------------------------------------------

_FILES = "reads files"
_WORLD = "speaks with other processes or machines"
_CLOCK = "reads the clock"
_MADE = "makes or loads code while it runs"
_SYSTEM = "asks the system, or its environment"
_CHANCE = "draws random numbers that no seed of the run decides"

_OUTSIDE: dict[str, str] = {
    **dict.fromkeys(("eval", "exec", "compile", "__import__", "globals"), _MADE),
    **dict.fromkeys(("importlib", "runpy", "pkgutil", "ctypes", "cffi"), _MADE),
    **dict.fromkeys(("open", "io", "pathlib", "glob", "fileinput", "shutil", "tempfile"), _FILES),
    **dict.fromkeys(("zipfile", "tarfile", "gzip", "bz2", "lzma", "shelve", "dbm"), _FILES),
    **dict.fromkeys(("sqlite3", "mmap", "linecache", "fsspec", "h5py"), _FILES),
    **dict.fromkeys(("configparser", "xml", "filecmp"), _FILES),
    **dict.fromkeys(("input", "socket", "ssl", "subprocess", "urllib", "http", "ftplib"), _WORLD),
    **dict.fromkeys(("requests", "httpx", "aiohttp", "urllib3", "boto3", "xmlrpc"), _WORLD),
    **dict.fromkeys(("time", "datetime.datetime.now", "datetime.datetime.today"), _CLOCK),
    **dict.fromkeys(("datetime.datetime.utcnow", "datetime.date.today"), _CLOCK),
    **dict.fromkeys(("os", "posix", "nt", "platform", "getpass", "locale", "resource"), _SYSTEM),
    **dict.fromkeys(("sys.argv", "sys.stdin", "sys.path", "sys.modules", "sys.flags"), _SYSTEM),
    **dict.fromkeys((f"posixpath.{name}" for name in ("exists", "isfile", "isdir")), _FILES),
    **dict.fromkeys((f"posixpath.{name}" for name in ("getsize", "getmtime", "islink")), _FILES),
    **dict.fromkeys((f"posixpath.{name}" for name in ("abspath", "realpath")), _SYSTEM),
    **dict.fromkeys((f"posixpath.{name}" for name in ("expanduser", "expandvars")), _SYSTEM),
    **dict.fromkeys(("random", "secrets", "uuid"), _CHANCE),
}
_INSIDE = frozenset({
    "os.path", "os.sep", "os.fspath", "os.PathLike", "random.Random", "time.sleep", "urllib.parse",
    "importlib.metadata", "pathlib.PurePath", "uuid.UUID", "uuid.uuid3", "uuid.uuid5",
    "http.HTTPStatus",
})  # fmt: skip
"""What of these depends on its arguments alone, or on what is part of the mark anyway."""
_READERS = (
    "read_",
    "load",
    "open",
    "fetch_",
    "scan_",
    "fromfile",
    "genfromtxt",
    "imread",
    "memmap",
)
"""How functions of packages that read files are called: `pandas.read_csv`, `numpy.load`."""
_METHODS = {"read": _FILES, "read_text": _FILES, "read_bytes": _FILES, "urlopen": _WORLD}
"""Methods that read, of whatever object."""


def outside(dotted: str) -> str | None:
    """What a function, class or module reads beside its arguments; None if nothing is known of it.

    >>> outside("time.time"), outside("numpy.load"), outside("numpy.exp")
    ('reads the clock', 'reads files', None)
    """
    parts = dotted.removeprefix("builtins.").split(".")
    heads = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    for head in heads:
        if head in _INSIDE:
            return None
        if head in _OUTSIDE:
            return _OUTSIDE[head]
    last = parts[-1]
    if len(parts) > 1 and last.startswith(_READERS) and last != "loads":
        return _FILES
    return _METHODS.get(last)
