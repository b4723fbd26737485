"""Every kind of bad input: importing this registers them."""

from tests.fuzz import (  # noqa: F401
    _drawn,
    _graded,
    _models,
    _parquets,
    _records,
    _settings,
    _stored,
    _tables,
    _words,
)
