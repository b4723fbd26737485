"""`python -m heliast`, the command line."""

from heliast.cli import start

start()
