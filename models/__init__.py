"""Chat models and embedders: their protocols, adapters, meters; their SDKs appear nowhere else."""

import core  # noqa: F401, numpy is told its number of threads before it is imported
