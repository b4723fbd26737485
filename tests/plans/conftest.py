"""Freezing imports SciPy on first use, so no test case has a deadline."""

from hypothesis import settings

settings.register_profile("plans", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("plans")
