"""The only place where models are fitted: run, its cells, and what they need."""
