"""The scripts in `make` need the tools whose files they write: they are not imported here."""

collect_ignore = ["make"]
