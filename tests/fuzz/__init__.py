"""Bad inputs by the thousand through the command line: see `python -m tests.fuzz --help`."""
