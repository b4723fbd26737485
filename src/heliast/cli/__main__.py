"""`python -m heliast.cli`, the command line."""

from heliast.cli import start_module

if __name__ == "__main__":
    start_module()
