"""Decoders: from the answers of the columns to one score a class, largest wins. One file each."""

from heliast.decoders._centroid import centroid, centroids_of
from heliast.decoders._choose_lam import Penalty, choose_lam
from heliast.decoders._hamming import hamming
from heliast.decoders._l1 import distances, l1, staged_l1
from heliast.decoders._loss_based import loss_based
from heliast.decoders._probabilities import l1_probabilities, probabilities
from heliast.decoders._registry import Decoder, find, names
from heliast.decoders._regression import regression
from heliast.decoders._ridge import ridge
from heliast.decoders._substitution import shares_of, substitution

__all__ = [
    "Decoder",
    "Penalty",
    "centroid",
    "centroids_of",
    "choose_lam",
    "distances",
    "find",
    "hamming",
    "l1",
    "l1_probabilities",
    "loss_based",
    "names",
    "probabilities",
    "regression",
    "ridge",
    "shares_of",
    "staged_l1",
    "substitution",
]
