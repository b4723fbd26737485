"""Theory: why it works. Bias and variance, margins, bounds, consistency, from predictions."""
