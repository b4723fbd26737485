"""The first call of a kernel compiles it, so no test case has a deadline."""

from hypothesis import settings

settings.register_profile("comparisons", deadline=None, derandomize=True)
settings.load_profile("comparisons")
