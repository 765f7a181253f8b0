"""The weights of the ranking of candidates (`weights.toml`), learned by `lab.training.reranker`."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from core.errors import ConfigurationError

FILE = Path(__file__).with_name("weights.toml")


class Weights(NamedTuple):
    """Feature name to weight, for an article with search aids and for one without: their sums compare.

    A missing aid is no evidence: what the law's own words say weighs more where they are all there is.
    """

    aided: Mapping[str, float]
    unaided: Mapping[str, float]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights of the file.

    Raises:
        ConfigurationError: the file cannot be read or a weight is not a number.
    """
    try:
        tables = tomllib.loads(FILE.read_text("utf-8"))
        read = ({name: float(value) for name, value in tables[part].items()} for part in Weights._fields)
        return Weights(*read)
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"{FILE.name}: no se puede leer ({error}).") from error
