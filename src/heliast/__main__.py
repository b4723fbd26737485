"""`python -m heliast`, the command line."""

from heliast.cli import start

if __name__ == "__main__":
    start()
