"""Speed against peers, as ratios measured side by side: `python -m benchmarks.speed`."""
