"""What randomness may start from."""

import numpy as np

Seed = int | np.random.SeedSequence | np.random.Generator | None
"""As NumPy's `default_rng` takes it; None differs from run to run."""
RandomState = int | np.random.RandomState | None
"""As scikit-learn's estimators take it."""
