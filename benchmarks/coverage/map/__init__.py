"""The map of coverage: every measure of the registry on every design, in two families of worlds."""
