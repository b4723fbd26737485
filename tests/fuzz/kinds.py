"""Every kind of bad input: importing this registers them."""

from tests.fuzz import (  # noqa: F401
    _graded,
    _models,
    _parquets,
    _plots,
    _records,
    _settings,
    _stored,
    _tables,
    _words,
)
