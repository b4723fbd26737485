"""What pytest leaves alone here."""

# Rows, not tests: looking for doctests, pytest would import them a second time, under other names.
collect_ignore = ["features"]
