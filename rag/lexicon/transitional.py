"""Transitional provisions that govern cases still open of an article (`transitional.toml`)."""

from datetime import date
from functools import lru_cache

from rag.lexicon.data import read
from rag.types import ArticleKey, Value


class Tie(Value):
    """The tie of an article to a transitional provision.

    Attributes:
        norm, block: the provision; `label` is its label ('dt 11') and `apartado` the part that counts.
        name: the provision in Spanish; `when` says, in our own words, which cases it governs.
        since, until: first and last day of the law on which it says something.
    """

    norm: str
    block: str
    label: str
    apartado: str = ""
    name: str
    when: str
    since: date = date.min
    until: date = date.max

    @property
    def title(self) -> str:
        """The name as it begins a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def __str__(self) -> str:
        """One Spanish phrase: «disposición transitoria undécima…: si el contrato es anterior…»."""
        return f"{self.name}: {self.when}"


def ties(article: ArticleKey, as_of: date) -> tuple[Tie, ...]:
    """The ties of an article (norm and block) on that day, in the order of the file."""
    return tuple(tie for tie in _ties().get(article, ()) if tie.since <= as_of <= tie.until)


def governing(article: ArticleKey) -> frozenset[ArticleKey]:
    """The transitional provisions tied to an article, on any day."""
    return frozenset((tie.norm, tie.block) for tie in _ties().get(article, ()))


def says(apartados: str, apartado: str) -> bool:
    """True if a part of a provision («5-6») holds the apartado; every part does when either is not known."""
    first, _, last = apartados.partition("-")
    if not (apartado and first.isdigit()):
        return True
    return int(first) <= int(apartado) <= int(last or first)


@lru_cache(maxsize=1)
def _ties() -> dict[ArticleKey, list[Tie]]:
    found: dict[ArticleKey, list[Tie]] = {}
    for item in read("transitional.toml")["tie"]:
        said = {name: item[name] for name in Tie.model_fields if name in item and name != "norm"}
        tie = Tie(norm=item.get("rule_norm", item["norm"]), block=item["rule_block"], **said)
        for block in item["blocks"]:
            found.setdefault((item["norm"], block), []).append(tie)
    return found
