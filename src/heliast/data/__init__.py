"""Data in: files, frames and arrays to a Dataset, and tasks simulated from known densities."""

from heliast.data._dataset import Dataset, Input
from heliast.data._read import BUNDLED, NewRows, read, read_rows, read_surely

__all__ = ["BUNDLED", "Dataset", "Input", "NewRows", "read", "read_rows", "read_surely"]
