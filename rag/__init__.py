"""The answering engine: from a question to its verified answer."""

import core  # noqa: F401, numpy is told its number of threads before it is imported
