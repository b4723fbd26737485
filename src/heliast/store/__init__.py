"""Finished work that survives: durable cells under the fingerprint of their inputs."""

from heliast.store._assemble import assemble
from heliast.store._clean import Removable, removable
from heliast.store._fingerprint import fingerprint
from heliast.store._records import Cell, Output
from heliast.store._runs import Progress, Run
from heliast.store._shelves import Damaged
from heliast.store._store import Store
from heliast.store._subject import Subject

__all__ = [
    "Cell", "Damaged", "Output", "Progress", "Removable", "Run", "Store", "Subject", "assemble",
    "fingerprint", "removable",
]  # fmt: skip
