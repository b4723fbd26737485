"""Data in: files, frames and arrays to a Dataset, and tasks simulated from known densities."""

from heliast.data._dataset import Dataset, Input
from heliast.data._read import read

__all__ = ["Dataset", "Input", "read"]
