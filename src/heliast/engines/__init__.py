"""Where the work is done: this process, several on this machine, later a cluster."""

from heliast.engines._execute import execute

__all__ = ["execute"]
