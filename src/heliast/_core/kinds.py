"""What signatures name: arrays by what they hold, and what randomness starts from."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
else:

    class ArrayLike:
        """What `numpy.asarray` takes. NumPy's own alias fills a page of `help()`."""


Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Seed = int | np.random.SeedSequence | np.random.Generator | None
"""As NumPy's `default_rng` takes it; None differs from run to run."""
RandomState = int | np.random.RandomState | None
"""As scikit-learn's estimators take it."""
