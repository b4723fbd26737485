"""Measurements that are too long for tests: speed against peers, coverage of intervals."""
