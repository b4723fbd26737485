"""Decoders: from the answers of the columns to one score per class; the largest wins."""

from heliast.decoders._probabilities import l1_probabilities, probabilities
from heliast.decoders._registry import Decoder, find, names
from heliast.decoders._training import centroid, centroids_of, shares_of, substitution
from heliast.decoders.least_squares import Penalty, choose_lam, regression, ridge, ridge_binary
from heliast.decoders.words import distances, hamming, l1, loss_based, staged_l1

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
    "ridge_binary",
    "shares_of",
    "staged_l1",
    "substitution",
]
