"""Ensembles: the family of majority votes, as scikit-learn estimators. One file each."""
