"""First days of effect that differ from those of the BOE's file (`effects.toml`), each with its source."""

from datetime import date
from functools import lru_cache

from core.values import Value
from lexicon.data_files import read_toml


class Effect(Value):
    """The days of effect of the wordings that a norm got on one day of publication.

    Attributes:
        blocks: identifiers of the BOE's text; none means every block.
        since: first day of effect; `until`: last one of the whole norm, if it sets it itself.
        source: the provision that says so, in Spanish.
    """

    norm: str
    blocks: tuple[str, ...] = ()
    published: date
    since: date
    until: date | None = None
    source: str


def effect(norm_id: str, block_id: str, published: date | None) -> Effect | None:
    """The entry of a wording, by block and day of publication; `block_id` is '' for the norm itself."""
    return next(
        (
            one
            for one in _effects()
            if (one.norm, one.published) == (norm_id, published)
            and (not one.blocks or block_id in one.blocks)
        ),
        None,
    )


@lru_cache(maxsize=1)
def _effects() -> tuple[Effect, ...]:
    return tuple(Effect(**item) for item in read_toml("effects.toml")["effect"])
