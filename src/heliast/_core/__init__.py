"""Plain functions on arrays, and the errors: the base that imports nothing else of ours."""
