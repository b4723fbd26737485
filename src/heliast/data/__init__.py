"""Data in: files, frames and arrays to a Dataset, and tasks simulated from known densities."""

from heliast.data._dataset import Dataset, Input
from heliast.data._read import BUNDLED, read, read_surely

__all__ = ["BUNDLED", "Dataset", "Input", "read", "read_surely"]
