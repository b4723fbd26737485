"""Every kind of bad input: importing this registers them."""

from tests.fuzz import _parquets, _settings, _stored, _tables  # noqa: F401
