"""Reach: who listens at an address, found out within a time limit and told in one sentence.

What engines themselves do with a stranger at an address is to wait: for minutes, or for ever. So
each address is tried first with the first words of its protocol, and whatever cannot be given a
time limit is called in a thread that nobody waits for longer.
"""

import math
import os
import queue
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from heliast._core.errors import InputError

T = TypeVar("T")

ANSWER = 10.0
"""Seconds in which whoever listens at an address has to answer."""
LIMIT = "HELIAST_ENGINE_TIMEOUT"
"""The variable that sets other seconds."""
_HEAD = 9
"""So many bytes of an answer tell whose it is."""


def answer_limit() -> float:
    """Seconds in which an engine has to answer."""
    words = os.environ.get(LIMIT, "").strip()
    try:
        seconds = float(words) if words else ANSWER
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise InputError(f"{LIMIT}={words!r}: expected seconds above 0, such as {LIMIT}=30")
    return seconds


def workers_limit() -> float:
    """Seconds to wait for the first worker, or for one to come back: a process has to start."""
    return 3 * answer_limit()


def in_time(seconds: float, call: Callable[..., T], *words: Any, **named: Any) -> T:
    """What a call gives or raises; TimeoutError if it takes longer, and it is left to itself.

    >>> in_time(5.0, max, 1, 2)
    2
    """
    done: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            done.put((call(*words, **named), None))
        except BaseException as error:  # also what ends a thread is told to the one who waits
            done.put((None, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"no answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


@dataclass(frozen=True)
class Speech:
    """How one talks to an engine: who it is, its usual port, our first word, is the answer its."""

    who: str
    port: int
    says: bytes
    known: Callable[[bytes], bool]  # of the first 9 bytes; of none, if it hangs up


def reach(name: str, address: str, speech: Speech, encrypted: bool = False) -> None:
    """Refuse an address where nobody listens, or somebody else, within the time limit.

    What is encrypted is left to the engine to judge.
    """
    host, port = _host_and_port(name, address, speech.port)
    place = f"{host}:{port}"
    seconds = answer_limit()
    until = time.monotonic() + seconds
    try:
        with _connected(host, port, until) as peer:
            head = None if encrypted else _head(peer, speech.says, until)
    except ConnectionResetError:  # somebody listens, and hung up at once
        head = b""
    except socket.gaierror as error:
        raise InputError(
            f"engine={name!r}: the host {host!r} is not known here ({error.strerror}); is the "
            "name right?"
        ) from None
    except OSError as error:
        raise InputError(
            f"engine={name!r}: nobody answers at {place} ({_reason(error, seconds)}); is it "
            "running, and is the address right?"
        ) from None
    whole = head is not None and len(head) in (0, _HEAD)
    if encrypted or (whole and speech.known(head or b"")):
        return
    raise InputError(
        f"engine={name!r}: whoever listens at {place} {_manner(head, seconds)}, so it is not "
        f"{speech.who}, whose usual port is {speech.port}; is the address right?"
    )


def _host_and_port(name: str, address: str, usual: int) -> tuple[str, int]:
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host:
        raise InputError(f"engine={name!r}: expected HOST:PORT, got {address!r}")
    return host, usual if port is None else port


def _connected(host: str, port: int, until: float) -> socket.socket:
    # Only asking for a name has no time limit of its own.
    found = in_time(_left(until), socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    failure: OSError | None = None
    for *_, place in found:
        try:
            return socket.create_connection(place[:2], timeout=_left(until))  # type: ignore[arg-type]
        except OSError as error:
            failure = error
    raise failure or OSError("the name has no address")


def _head(peer: socket.socket, says: bytes, until: float) -> bytes | None:
    """The first bytes of the answer, as many as come in time; None if there is only silence."""
    head = b""
    try:
        peer.sendall(says)
        while len(head) < _HEAD:
            peer.settimeout(_left(until))
            got = peer.recv(_HEAD - len(head))
            if not got:
                break
            head += got
    except TimeoutError:
        return head or None
    except OSError:  # hung up
        pass
    return head


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())


def _reason(error: OSError, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    return (error.strerror or str(error)).lower()


def _manner(head: bytes | None, seconds: float) -> str:
    if head is None:
        return f"says nothing within {seconds:g} s"
    if not head:
        return "hangs up"
    if head.startswith(b"HTTP/"):
        return "speaks HTTP, as a web page does"
    return "speaks TLS" if head[:2] in (b"\x15\x03", b"\x16\x03") else "speaks otherwise"
