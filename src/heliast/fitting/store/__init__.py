"""Finished work that survives: durable cells under the fingerprint of their inputs."""

from heliast.fitting.store._assemble import assemble
from heliast.fitting.store._clean import Removable, removable
from heliast.fitting.store._fingerprint import Fingerprint, NotReused, fingerprint
from heliast.fitting.store._records import Cell, Output
from heliast.fitting.store._request import Request
from heliast.fitting.store._runs import Progress, Promise, Resumed, Run
from heliast.fitting.store._shelves import Damaged
from heliast.fitting.store._store import Store
from heliast.fitting.store._subject import Subject

__all__ = [
    "Cell", "Damaged", "Fingerprint", "NotReused", "Output", "Progress", "Promise", "Removable",
    "Request", "Resumed", "Run", "Store", "Subject", "assemble", "fingerprint", "removable",
]  # fmt: skip
