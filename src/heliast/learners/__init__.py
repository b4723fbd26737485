"""Learners: only what scikit-learn lacks, as scikit-learn estimators. One folder or file each."""
