"""The tests; a package, so that no installed package called tests stands before it."""
