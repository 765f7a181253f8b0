"""Usual names of well-known norms (`norms.toml`), as lawyers and the public use them."""

from functools import lru_cache

from law.norms import Norm
from lexicon.data_files import read_toml


@lru_cache(maxsize=1)
def known_norms() -> tuple[Norm, ...]:
    """Every norm of the data file, in its order, with names but without dates or text.

    A reference to one of them can be named even when its text has not been loaded.
    """
    entries = read_toml("norms.toml")["norm"]
    return tuple(Norm.model_validate({"title": entry["law"], **entry}) for entry in entries)


@lru_cache(maxsize=1)
def _by_id() -> dict[str, Norm]:
    return {norm.id: norm for norm in known_norms()}


def known_norm(norm_id: str) -> Norm | None:
    """The entry of that BOE identifier, if the data file has one."""
    return _by_id().get(norm_id)
