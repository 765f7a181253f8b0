"""The vector index: sparse vectors, and one adapter for each of its two homes."""
