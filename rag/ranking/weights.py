"""The weights of the ranking of candidates (`weights.toml`), learned by `scripts.train_reranker`."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rag.errors import ConfigurationError

FILE = Path(__file__).with_name("weights.toml")


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """Feature name to weight.

    Raises:
        ConfigurationError: the file cannot be read or a weight is not a number.
    """
    try:
        table = tomllib.loads(FILE.read_text("utf-8"))["weights"]
        return {name: float(value) for name, value in table.items()}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"{FILE.name}: no se puede leer ({error}).") from error
