"""Finished work that survives: durable cells under the fingerprint of their inputs."""

from heliast.store._fingerprint import fingerprint
from heliast.store._records import Cell, Output
from heliast.store._store import Store

__all__ = ["Cell", "Output", "Store", "fingerprint"]
