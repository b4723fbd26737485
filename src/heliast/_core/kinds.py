"""What signatures name: arrays by what they hold, and what randomness starts from."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Seed = int | np.random.SeedSequence | np.random.Generator | None
"""As NumPy's `default_rng` takes it; None differs from run to run."""
RandomState = int | np.random.RandomState | None
"""As scikit-learn's estimators take it."""
