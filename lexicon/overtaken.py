"""Provisions that a later law displaced without repealing their text (`overtaken.toml`), with the reason."""

from datetime import date
from functools import lru_cache

from core.values import Value
from lexicon.data_files import read_toml


class Overtaken(Value):
    """Why a provision no longer applies as it is written.

    Attributes:
        since: first day of that.
        whole: True if nothing of it applies any more.
        by: what displaced it; `note` says how, in Spanish; `url` is where it can be read.
    """

    since: date
    whole: bool
    by: str
    note: str
    url: str


def overtaken(norm_id: str, block_id: str, as_of: date) -> Overtaken | None:
    """The entry of that provision, if it was displaced on that day."""
    entry = _entries().get((norm_id, block_id))
    return entry if entry and entry.since <= as_of else None


@lru_cache(maxsize=1)
def _entries() -> dict[tuple[str, str], Overtaken]:
    return {
        (item["norm"], block): Overtaken(**{name: item[name] for name in Overtaken.model_fields})
        for item in read_toml("overtaken.toml")["provision"]
        for block in item["blocks"]
    }
