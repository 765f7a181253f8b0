"""The vector index: sparse vectors, and one adapter for each of its two homes."""

import core  # noqa: F401, numpy is told its number of threads before it is imported
