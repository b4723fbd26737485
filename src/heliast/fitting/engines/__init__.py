"""Where the work is done: this process, several on this machine, or a cluster."""

from heliast.fitting.engines._child import limited
from heliast.fitting.engines._execute import execute
from heliast.fitting.engines._limits import KILLED, LIMITED, Limits
from heliast.fitting.engines._shared import Shared

__all__ = ["KILLED", "LIMITED", "Limits", "Shared", "execute", "limited"]
