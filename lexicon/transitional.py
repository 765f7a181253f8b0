"""Transitional provisions that govern cases still open of an article (`transitional.toml`)."""

import re
from datetime import date
from functools import lru_cache

from core.values import Value
from law.boe_links import consolidated, of_boe
from law.chunks import ArticleKey
from law.labels import fold
from lexicon.data_files import read_toml


class Tie(Value):
    """The tie of an article to a transitional provision.

    Attributes:
        norm, block: the provision; `label` is its label ('dt 11') and `apartado` the part that counts.
        url: address of its official text.
        name: the provision in Spanish; `when` says, in our own words, which cases it governs.
        since, until: first and last day of the law on which it says something.
        hired_before: it governs only work begun before this day.
        about: pattern of folded words; what does not say one of them is not about what it changes.
    """

    norm: str
    block: str
    label: str
    apartado: str = ""
    url: str
    name: str
    when: str
    since: date = date.min
    until: date = date.max
    hired_before: date = date.max
    about: str = ""

    def concerns(self, text: str) -> bool:
        """True unless the text is about something else of the article than what the provision changes."""
        return re.search(self.about, fold(text)) is not None

    @property
    def title(self) -> str:
        """The name as it begins a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def __str__(self) -> str:
        """One Spanish phrase: «disposición transitoria undécima…: si el contrato es anterior…»."""
        return f"{self.name}: {self.when}"


def ties(article: ArticleKey, url: str, as_of: date, hired: date | None = None) -> tuple[Tie, ...]:
    """The ties of an article (norm and block) on that day, in the order of the file.

    Args:
        hired: first day of the work asked about: ties that govern only earlier work are left out.
        url: its address: a summary has the ties of the article that it stands for, with provisions of its own
            norm.
    """
    found = [tie for tie in _of(article, url) if tie.since <= as_of <= tie.until]
    return tuple(tie for tie in found if hired is None or hired < tie.hired_before)


def governing(article: ArticleKey, url: str) -> frozenset[ArticleKey]:
    """The transitional provisions tied to an article, on any day; `url` as that of `ties`."""
    return frozenset((tie.norm, tie.block) for tie in _of(article, url))


def _of(article: ArticleKey, url: str) -> list[Tie]:
    official = of_boe(article, url)
    found = _ties().get(official, [])
    if official == article:
        return found
    own = {"norm": article[0]}
    return [tie.model_copy(update=own) if tie.norm == official[0] else tie for tie in found]


@lru_cache(maxsize=1)
def _ties() -> dict[ArticleKey, list[Tie]]:
    found: dict[ArticleKey, list[Tie]] = {}
    for item in read_toml("transitional.toml")["tie"]:
        said = {name: item[name] for name in Tie.model_fields if name in item and name != "norm"}
        norm, rule = item.get("rule_norm", item["norm"]), item["rule_block"]
        tie = Tie(norm=norm, block=rule, url=consolidated(norm, rule), **said)
        for block in item["blocks"]:
            found.setdefault((item["norm"], block), []).append(tie)
    return found
