"""Addresses that are no scheduler: they accept a connection and then do not do what it should."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SILENCE = 600.0
"""Seconds that a listener keeps quiet: longer than anybody may wait."""


def silent(peer: socket.socket, over: threading.Event) -> None:
    over.wait(SILENCE)


def http(peer: socket.socket, over: threading.Event) -> None:
    """Waits for a request as a web server does, whatever it is."""
    peer.recv(1000)
    peer.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")


def tls(peer: socket.socket, over: threading.Event) -> None:
    """A TLS alert (handshake failure), then nothing."""
    peer.sendall(b"\x15\x03\x03\x00\x02\x02\x28")
    over.wait(SILENCE)


def drip(peer: socket.socket, over: threading.Event) -> None:
    """Endless bytes, slowly: each read succeeds, and no message is ever whole."""
    while not over.wait(0.2):
        peer.sendall(b"\x01")


def flood(peer: socket.socket, over: threading.Event) -> None:
    """Endless bytes, fast."""
    while not over.is_set():
        peer.sendall(b"\x01" * 65536)


def reset(peer: socket.socket, over: threading.Event) -> None:
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def closing(peer: socket.socket, over: threading.Event) -> None:
    """Ends the conversation politely before it began."""


Answer = Callable[[socket.socket, threading.Event], None]
KINDS: dict[str, Answer] = {
    answer.__name__: answer for answer in (silent, http, tls, drip, flood, reset, closing)
}


@contextmanager
def listening(kind: str | Answer) -> Iterator[str]:
    """HOST:PORT of such a listener."""
    answer = KINDS[kind] if isinstance(kind, str) else kind
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk(peer: socket.socket) -> None:
            with peer, suppress(OSError):
                answer(peer, over)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    peer = server.accept()[0]
                    threading.Thread(target=talk, args=(peer,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        over.set()
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)  # ends accept()
