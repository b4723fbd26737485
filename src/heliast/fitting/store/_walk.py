"""Walk through all that decides what a value does: its code, its state, and what these name.

Every value becomes one line of words, in the order in which they are met; a value met again is
referred to by the number of its line, so that cycles end. Nothing of the user's is called, nothing
is pickled, and no line depends on an address or on the order of a set.
"""

import builtins
import functools
import hashlib
import operator
import os
import pathlib
import sys
import threading
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from heliast.fitting.store._code import outside, read
from heliast.fitting.store._origin import content_of, file_of, fixed_by, version_of

_ATOMS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented))
_BUILT_IN = (dict, list, tuple, set, frozenset, str, bytes, int, float, complex, bytearray, deque)
_CONTENT = (*_BUILT_IN, OrderedDict, defaultdict, BaseException, Exception)
"""Built-in classes whose content is said in words: a subclass of these hides nothing."""
_BY_REPR = {
    ("builtins", "range"), ("datetime", "datetime"), ("datetime", "date"), ("datetime", "time"),
    ("datetime", "timedelta"), ("datetime", "timezone"), ("decimal", "Decimal"),
}  # fmt: skip
_GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
_LOCKS = (type(threading.Lock()), type(threading.RLock()))
_DESCRIBED = (
    types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.ClassMethodDescriptorType,
)  # fmt: skip
_NOT_RUN = frozenset({
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__firstlineno__",
    "__static_attributes__", "__annotations__", "__annotate__", "__annotate_func__",
    "__annotations_cache__", "__abstractmethods__", "_abc_impl", "__orig_bases__",
    "__parameters__", "__type_params__", "__dataclass_fields__", "__dataclass_params__",
    "__match_args__", "__attrs_attrs__", "__slotnames__",
})  # fmt: skip
"""Attributes of classes that say where and how they were written: methods made of them count."""
_HEAP = 1 << 9  # the flag of classes that are made while a program runs (Include/object.h)
_POINTER = 8
_GLOBAL_STATE = np.random.get_state.__self__  # type: ignore[attr-defined]
"""NumPy's global generator: every cell seeds it, so that its state decides nothing."""


ROUNDABOUT = frozenset({"__globals__", "f_globals", "__subclasses__", "get_objects"})
"""Attributes by which code reaches what it does not name."""


class Walk:
    """The words of values and of all they reach; `unknown` says for what there are none."""

    def __init__(self, seen: dict[tuple[int, bool], int] | None = None) -> None:
        self.lines: list[str] = []
        self.unknown: dict[str, None] = {}
        self._seen = {} if seen is None else dict(seen)
        self._alive: list[object] = []  # so that no address is used twice
        self._left: deque[tuple[Any, str, bool]] = deque()

    def digest(self, value: object, where: str) -> str:
        """A hash of the value and all it reaches."""
        self.lines.append(self._of(value, where))
        while self._left:
            self.lines.append(repr(self._looked_at(*self._left.popleft())))
        return hashlib.sha256("\n".join(self.lines).encode("utf-8", "surrogatepass")).hexdigest()

    def _of(self, value: object, where: str, whole: bool = False) -> str:
        """The words of a plain value, or the number of the line that will say it.

        `whole` asks for the state of an estimator, too: one that is not a parameter is not cloned.
        """
        if type(value) in _ATOMS:
            return repr(value)
        if isinstance(value, types.FunctionType | types.BuiltinFunctionType):
            self._check(where, _dotted(value))
        key = (id(value), whole)
        if key not in self._seen:
            self._seen[key] = len(self._seen)
            self._alive.append(value)
            self._left.append((value, where, whole))
        return f"#{self._seen[key]}"

    def _each(self, values: Any, where: str, whole: bool) -> list[str]:
        return [self._of(value, where, whole) for value in values]

    def _pairs(self, pairs: Any, where: str, whole: bool) -> list[str]:
        return [
            f"{self._of(name, where)}={self._of(value, _at(where, name), whole)}"
            for name, value in pairs
        ]

    def _doubt(self, where: str, why: str) -> tuple[str, ...]:
        self.unknown[f"{where} {why}"] = None
        return ("unknown",)

    # --- values ----------------------------------------------------------------------------

    def _looked_at(self, value: Any, where: str, whole: bool) -> tuple[object, ...]:
        try:
            return self._said(value, where, whole)
        except Exception as error:  # an object may answer any question as it likes
            return self._doubt(where, f"cannot be looked at ({type(error).__name__}: {error})")

    def _said(self, value: Any, where: str, whole: bool) -> tuple[object, ...]:
        kind = type(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if kind in (list, tuple):
            return (kind.__name__, *self._each(value, where, whole))
        if kind in (set, frozenset):
            return (kind.__name__, *self._sorted(value, where))
        if kind is dict or kind is types.MappingProxyType:
            return ("dict", *self._pairs(value.items(), where, whole))
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array(value, where, whole)
        for known in (self._callable, self._random, self._table, self._simple):
            found = known(value, where)
            if found is not None:
                return found
        if hasattr(kind, "get_params") and not whole:
            return self._estimator(value, where)
        return self._object(value, where)

    def _sorted(self, values: Any, where: str) -> list[str]:
        """The words of a set, whose order is another one in each process."""
        said = []
        for value in values:
            apart = Walk(self._seen)
            said.append(apart.digest(value, where))
            self.unknown |= apart.unknown
        return sorted(said)

    def _array(self, value: Any, where: str, whole: bool) -> tuple[object, ...]:
        array = np.asarray(value)
        extra = [] if type(value) in (np.ndarray, type(array)) else [self._of(type(value), where)]
        extra += self._pairs(_state(value), where, whole)
        if array.dtype.hasobject:
            return ("objects", array.shape, self._of(array.tolist(), where, whole), *extra)
        # The order in memory is the order of summation.
        order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        content = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
        return ("array", array.shape, repr(array.dtype), order, content, *extra)

    def _callable(self, value: Any, where: str) -> tuple[object, ...] | None:
        """Things to call that are no functions, and what stands for methods in a class."""
        if isinstance(value, functools.partial):
            parts = (value.func, value.args, value.keywords)
            return ("partial", *self._each(parts, where, True))
        if isinstance(value, types.MethodType):
            return ("method", *self._each((value.__func__, value.__self__), where, True))
        if isinstance(value, (staticmethod, classmethod)):
            return (type(value).__name__, self._of(value.__func__, where))
        if isinstance(value, property):
            return ("property", *self._each((value.fget, value.fset, value.fdel), where, True))
        if isinstance(value, functools.cached_property):
            return ("cached_property", self._of(value.func, where))
        if isinstance(value, np.ufunc):
            return self._ufunc(value, where)
        if isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
            return self._built_in(value, where)
        if isinstance(value, _DESCRIBED):
            owner = self._of(value.__objclass__, where)
            return ("descriptor", owner, value.__name__)
        if isinstance(value, _GETTERS):
            return (type(value).__name__, self._of(value.__reduce__()[1], where))
        if type(value).__name__ == "_lru_cache_wrapper":
            return ("lru_cache", self._of(value.__wrapped__, where))
        if type(value).__module__.startswith("numba.") and hasattr(value, "py_func"):
            return ("jit", *self._each((value.py_func, value.targetoptions), where, True))
        return None

    def _ufunc(self, value: Any, where: str) -> tuple[object, ...]:
        called = str(value.__name__)
        for room in ("numpy", "scipy.special"):
            if getattr(sys.modules.get(room), called, None) is value:
                return ("ufunc", room, called, version_of(room))
        return self._doubt(where, f"is the ufunc {called!r}, whose code cannot be read")

    def _built_in(self, value: Any, where: str) -> tuple[object, ...]:
        owner: Any = value.__self__
        if owner is not None and not isinstance(owner, types.ModuleType):
            return ("built-in", value.__name__, self._of(owner, where, True))
        module = value.__module__ or getattr(owner, "__name__", "builtins")
        return ("built-in", value.__qualname__, self._compiled(module, where))

    def _random(self, value: Any, _: str) -> tuple[object, ...] | None:
        if value is _GLOBAL_STATE:
            return ("global generator",)
        if isinstance(value, np.random.RandomState):
            return ("RandomState", *self._each([value.get_state(legacy=False)], "", True))
        if isinstance(value, np.random.Generator):
            return ("Generator", *self._each([value.bit_generator.state], "", True))
        if isinstance(value, np.random.BitGenerator):
            return ("BitGenerator", *self._each([value.state], "", True))
        if isinstance(value, np.random.SeedSequence):
            return ("SeedSequence", *self._each([value.state], "", True))
        return None

    def _table(self, value: Any, where: str) -> tuple[object, ...] | None:
        """Frames, series and tables: names, kinds and content of their columns."""
        room, name = type(value).__module__.partition(".")[0], type(value).__name__
        said: list[object]
        if room == "pandas" and name == "DataFrame":
            columns = [value.iloc[:, at] for at in range(value.shape[1])]
            said = [value.index, list(value.columns), columns]
        elif room == "pandas" and (name == "Series" or name.endswith("Index")):
            kinds = getattr(value.dtype, "categories", None)
            ranks = None if kinds is None else [list(kinds), value.dtype.ordered]
            said = [str(value.dtype), value.to_numpy(), ranks, list(value.index.names)
                    if name == "Series" else list(value.names)]  # fmt: skip
            said += [value.index] if name == "Series" else []
        elif room == "pandas" and name in ("Timestamp", "Timedelta", "Period", "NAType", "NaTType"):
            said = [repr(value)]
        elif room == "polars" and name in ("DataFrame", "Series"):
            kinds = value.schema if name == "DataFrame" else value.dtype
            said = [str(kinds), value.to_arrow().to_pylist()]
        elif room == "pyarrow" and hasattr(value, "to_pylist"):
            said = [str(getattr(value, "schema", None) or value.type), value.to_pylist()]
        else:
            return None
        return (room, name, version_of(room), *self._each(said, where, True))

    def _simple(self, value: Any, where: str) -> tuple[object, ...] | None:
        """Small things of Python whose state is not in their attributes."""
        kind = type(value)
        named = (kind.__module__, kind.__qualname__)
        if named in _BY_REPR or kind.__module__ in ("typing", "types"):
            return (*named, repr(value))
        if named == ("os", "_Environ"):
            return self._doubt(where, "reads the environment")
        if kind is slice:
            return ("slice", *self._each((value.start, value.stop, value.step), where, True))
        if named == ("re", "Pattern"):
            return (*named, repr(value.pattern), value.flags)
        if isinstance(value, np.dtype):
            return ("dtype", repr(value))
        if isinstance(value, pathlib.Path):
            return self._doubt(where, "is a path, whose file may be read")
        if isinstance(value, pathlib.PurePath):
            return ("path", os.fspath(value))
        if kind in (bytearray, memoryview):
            return (kind.__name__, bytes(value))
        if kind in _LOCKS or named == ("logging", "Logger"):
            return (*named, getattr(value, "name", ""))  # they change no number
        return None

    # --- objects ---------------------------------------------------------------------------

    def _estimator(self, value: Any, where: str) -> tuple[object, ...]:
        """The class and the parameters: whoever fits it clones it, which leaves the rest behind."""
        from sklearn.base import BaseEstimator

        kind = type(value)
        told = sorted(value.get_params(deep=False).items())
        said = ("estimator", self._of(kind, where), *self._pairs(told, where, False))
        how = getattr(kind, "__sklearn_clone__", None)
        if how is None or how is BaseEstimator.__sklearn_clone__:
            return said
        return (*said, "not cloned", *self._pairs(_state(value), where, True))

    def _object(self, value: Any, where: str) -> tuple[object, ...]:
        kind = type(value)
        if _hides(kind) and _is_found(value):  # a function of Cython, one that NumPy dispatches
            return ("compiled", value.__qualname__, self._compiled(value.__module__, where))
        if _hides(kind):
            return self._doubt(where, f"is a {_named(kind)}, whose state cannot be read")
        said: list[object] = ["object", self._of(kind, where)]
        if isinstance(value, dict):
            said += [self._of(getattr(value, "default_factory", None), where)]
            said += self._pairs(dict.items(value), where, True)
        elif isinstance(value, (set, frozenset)):
            said += self._sorted(value, where)
        elif isinstance(value, (list, tuple, deque)):
            said += self._each(iter(value), where, True)
        elif isinstance(value, BaseException):
            said += self._each(value.args, where, True)
        else:
            base: Any = next((base for base in _ATOMS if isinstance(value, base)), None)
            said += [] if base is None else [base.__repr__(value)]
        return (*said, *self._pairs(_state(value), where, True))

    # --- code ------------------------------------------------------------------------------

    def _module(self, module: types.ModuleType) -> tuple[object, ...]:
        """A module that is used as a whole: all that it holds may be used."""
        name = module.__name__
        if not _is_python(module):
            return ("module", self._compiled(name, name))
        version = fixed_by(name, file_of(module))
        if version is not None:
            return ("module", name, version)
        held = [item for item in sorted(vars(module).items()) if not item[0].startswith("__")]
        return ("module", name, *self._pairs(held, name, True))

    def _compiled(self, module: str, where: str) -> str:
        """What fixes compiled code: its version, or the bytes of its file."""
        version = version_of(module)
        if version is not None:
            return f"{module} {version}"
        loaded = sys.modules.get(module)
        file = None if loaded is None else file_of(loaded)
        try:
            assert file is not None
            changed = os.stat(file)
        except (AssertionError, OSError):
            return self._doubt(where, f"is compiled code of {module!r}, whose file is not known")[0]
        if changed.st_mtime > _begun():
            return self._doubt(
                where, f"is compiled code of {file}, which was written after this process began"
            )[0]
        return f"{module} {content_of(file, changed.st_mtime_ns)}"

    def _function(self, function: types.FunctionType) -> tuple[object, ...]:
        scope = function.__globals__
        module, name = scope.get("__name__"), function.__qualname__
        where = f"{module}.{name}"
        version = fixed_by(str(module), scope.get("__file__"))
        held = [cell.cell_contents for cell in function.__closure__ or () if _full(cell)]
        if version is not None:  # decorators of packages may hold functions of the user's
            inner = [part for value in held for part in _parts(value) if _runs(part)]
            return ("function", where, version, *self._each(inner, where, True))
        code = read(function.__code__)
        for routes in sorted(code.names & ROUNDABOUT):
            self._doubt(where, f"reaches other objects by {routes}")
        return (
            "function", str(module), name, code.digest,
            *self._each((function.__defaults__, function.__kwdefaults__), where, True),
            "closure", *self._each(held, where, True),
            "attributes", *self._pairs(sorted(vars(function).items()), where, True),
            "names", *self._names(code.chains, scope, where),
            "imports", *self._imports(code, scope, where),
        )  # fmt: skip

    def _names(self, chains: Any, scope: dict[str, Any], where: str) -> Iterator[str]:
        """What the globals that a function names stand for now."""
        for chain in chains:
            name, *rest = chain
            if name not in scope:
                if name in vars(builtins):
                    self._check(where, f"builtins.{name}")
                elif not hasattr(builtins, name):
                    yield f"{name}?"
                continue
            yield f"{name}={self._reached(scope[name], rest, where)}"

    def _reached(self, value: Any, rest: list[str], where: str) -> str:
        """A global or, of a module, the attribute that is taken of it."""
        while rest and isinstance(value, types.ModuleType) and rest[0] in vars(value):
            module, name, *rest = value, *rest
            value = vars(module)[name]
            version = fixed_by(module.__name__, file_of(module))
            if version is None or isinstance(value, types.ModuleType):
                continue
            self._check(where, ".".join([module.__name__, name, *rest]))
            if not _runs(value) or not _is_own(value):
                plain = repr(value) if type(value) in _ATOMS else ""
                return f"{module.__name__}.{name} {version} {plain}"
        dotted = _dotted(value)
        if dotted:
            self._check(where, ".".join([dotted, *rest]))
        return self._of(value, where, True)

    def _imports(self, code: Any, scope: dict[str, Any], where: str) -> Iterator[str]:
        """Modules that a function imports when it is called."""
        for level, named, names in code.imports:
            module = named
            if level:
                package = str(scope.get("__package__") or "").split(".")
                module = ".".join([*package[: len(package) - level + 1], *filter(None, [named])])
            for name in names or code.names:
                self._check(where, f"{module}.{name}")
            version = version_of(module)
            if version is not None:
                yield f"{module} {version}"
            elif module not in sys.modules:
                self._doubt(
                    where, f"imports {module} when it is called: import it in the first lines"
                )
            else:
                parts = [name for name in names if name in vars(sys.modules[module])]
                whole = sys.modules[module]
                values = [vars(whole)[name] for name in parts] if parts else [whole]
                yield from (f"{module} {self._of(value, where, True)}" for value in values)

    def _check(self, where: str, dotted: str) -> None:
        why = outside(dotted)
        if why:
            self._doubt(where, f"{why} ({dotted.removeprefix('builtins.')})")

    def _class(self, kind: type) -> tuple[object, ...]:
        name = _named(kind)
        bases = self._each((type(kind), *kind.__bases__), name, True)
        if not kind.__flags__ & _HEAP:
            return ("class", name, self._compiled(kind.__module__, name), *bases)
        version = version_of(kind.__module__) if _is_found(kind) else None
        if version is not None:
            return ("class", name, version, *bases, *self._changed(kind))
        held = [item for item in sorted(vars(kind).items()) if not _is_bare(*item)]
        return ("class", name, *bases, *self._pairs(held, name, True))

    def _changed(self, kind: type) -> Iterator[str]:
        """What in an installed class, and in its module, may have been set from without."""
        for name, value in sorted(vars(kind).items()):
            inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
            if type(value) in _ATOMS and name not in _NOT_RUN:
                yield f"{name}={value!r}"
            elif isinstance(inner, types.FunctionType):
                module = inner.__globals__.get("__name__")
                yield f"{name}={module}.{inner.__qualname__}{self._patch(inner, name)}"
        for name, value in sorted(vars(sys.modules[kind.__module__]).items()):
            if name.startswith("__"):
                continue
            if isinstance(value, types.FunctionType | type) and _is_own(value):
                yield f"{kind.__module__}.{name}={self._of(value, name, True)}"

    def _patch(self, function: types.FunctionType, where: str) -> str:
        if function.__closure__ or _is_own(function):
            return self._of(function, where)
        return ""


def _is_bare(name: str, value: object) -> bool:
    """Whether an attribute of a class is there whatever the class does."""
    return name in _NOT_RUN or isinstance(value, types.MemberDescriptorType)


def _at(where: str, name: object) -> str:
    return f"{where}.{name}" if isinstance(name, str) else where


def _named(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _dotted(value: Any) -> str:
    """The name of a module, a class or a function; of other things none."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return f"{value.__module__}.{value.__qualname__}" if not _is_own(value) else ""
    return ""


def _parts(value: Any) -> Iterator[Any]:
    """What a decorator holds: `singledispatch` has a dictionary of types and functions."""
    if type(value) is dict:
        for pair in value.items():
            yield from pair
    else:
        yield value


def _runs(value: Any) -> bool:
    return isinstance(
        value, types.FunctionType | type | types.MethodType | functools.partial | types.LambdaType
    )


def _is_own(value: Any) -> bool:
    """Whether a function or class is the user's own, or holds what may be."""
    if isinstance(value, types.FunctionType):
        scope = value.__globals__
        return fixed_by(str(scope.get("__name__")), scope.get("__file__")) is None
    if isinstance(value, type):
        return bool(value.__flags__ & _HEAP) and version_of(value.__module__) is None
    return isinstance(value, types.MethodType | functools.partial)


def _is_found(value: Any) -> bool:
    """Whether a class or function is what its module holds under its name: any may claim one."""
    module, name = (getattr(value, part, None) for part in ("__module__", "__qualname__"))
    held: Any = sys.modules.get(module) if isinstance(module, str) else None
    for part in name.split(".") if isinstance(name, str) else ():
        held = vars(held).get(part) if hasattr(held, "__dict__") else None
    return held is value


def _is_python(module: types.ModuleType) -> bool:
    file = file_of(module)
    return file is None or file.endswith((".py", ".pyc", ".pyw")) or module.__name__ == "__main__"


def _full(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - it raises where nothing was put in yet
    except ValueError:
        return False
    return True


def _state(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, in its dictionary and in slots."""
    held = getattr(value, "__dict__", {})
    yield from (item for item in held.items() if isinstance(item[0], str))
    for kind in type(value).__mro__:
        for name, slot in sorted(vars(kind).items()):
            if isinstance(slot, types.MemberDescriptorType) and kind.__flags__ & _HEAP:
                try:
                    yield name, slot.__get__(value)
                except AttributeError:
                    continue


def _hides(kind: type) -> bool:
    """Whether objects of a class have state beside their attributes, as those of compiled ones."""
    for one in kind.__mro__[:-1]:
        if one in _CONTENT:
            continue
        if not one.__flags__ & _HEAP:
            return True
        slots = sum(isinstance(slot, types.MemberDescriptorType) for slot in vars(one).values())
        base = one.__base__ or object
        grown = one.__basicsize__ - base.__basicsize__
        plain = slots or "__dict__" in vars(one) or "__weakref__" in vars(one)
        if grown > _POINTER * (slots + 2) or (grown and not plain):
            return True
    return False


@functools.cache
def _begun() -> float:
    """When this process began, as its files tell the time; else when it was first asked."""
    try:
        return os.stat(f"/proc/{os.getpid()}").st_mtime
    except OSError:
        import time

        return time.time()
