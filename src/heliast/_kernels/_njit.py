"""The one decorator of compiled loops."""

import numba

# Cached on disk beside the source or in NUMBA_CACHE_DIR; threads run side by side; x / 0 is inf.
njit = numba.njit(cache=True, nogil=True, error_model="numpy")

# The same for a piece of a loop that is put into its callers: a call counts the owners of every
# array, which costs more than the work where nodes hold few rows.
inlined = numba.njit(inline="always", error_model="numpy")
