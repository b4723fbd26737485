"""Studies behind a recommendation: each prints the table that the docs quote."""
