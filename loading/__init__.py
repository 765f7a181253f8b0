"""Files read into norms, and the corpus kept: formats, aids, chunks, loads, jobs, the BOE, the index."""

import core  # noqa: F401, numpy is told its number of threads before it is imported
