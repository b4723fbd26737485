"""Where the work is done: this process, several on this machine, or a cluster."""

from heliast.engines._child import limited
from heliast.engines._execute import execute
from heliast.engines._limits import KILLED, LIMITED, Limits
from heliast.engines._shared import Shared

__all__ = ["KILLED", "LIMITED", "Limits", "Shared", "execute", "limited"]
