"""Do the intervals cover? Simulated test sets with known truth, one file a family of measures.

`python -m benchmarks.coverage` writes RESULTS.md and results.json beside this file.
"""
