"""The bundled list of labour and Social Security norms to choose from (`data/boe/norms.toml`)."""

import tomllib
from functools import lru_cache
from pathlib import Path

from core.values import Value

DATA = Path(__file__).parents[2] / "data" / "boe" / "norms.toml"


class Entry(Value):
    """A norm of the list; `matter` groups it for the reader (Spanish), empty outside the list."""

    id: str
    title: str
    matter: str = ""


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every norm of the list, matter by matter."""
    with DATA.open("rb") as file:
        matters = tomllib.load(file)["matter"]
    return tuple(
        Entry(id=norm_id, title=title, matter=matter["name"])
        for matter in matters
        for norm_id, title in matter["norms"].items()
    )
