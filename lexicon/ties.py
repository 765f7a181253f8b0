"""Ties of provisions (`ties.toml`): what overtook one, governs its open cases, goes with it or dates it."""

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any

from core.values import Value
from law.boe_links import consolidated, of_boe
from law.chunks import ArticleKey
from law.labels import fold, parse_number
from lexicon.data_files import read_toml
from lexicon.usual_names import known_norms
from text.textnorm import stems

FILE = "ties.toml"
_BLOCK = re.compile(r"(?P<kind>d[atdf]|a)(?P<number>\w+)")


class Kind(StrEnum):
    """Relation that a row tells of; see the head of the file."""

    OVERTAKEN = "overtaken"
    TRANSITIONAL = "transitional"
    COMPANION = "companion"
    EFFECT = "effect"
    FIGURE = "figure"
    """A value of `data/figures`, whose rows stand there."""


class Tie(Value):
    """A row of the file, whose head says what each field is.

    Attributes:
        of, to: norm and block of each provision of the two ends; the block is '' for a whole norm.
        sha256: hash of the wordings of `of` and, if there is one, of `to`; '' if they were not at hand.
    """

    kind: Kind
    of: tuple[ArticleKey, ...]
    to: tuple[ArticleKey, ...] = ()
    since: date = date.min
    until: date | None = None
    published: date | None = None
    hired_before: date = date.max
    whole: bool = False
    wording: bool = False
    apartado: str = ""
    about: str = ""
    asked: str = ""
    seeks: str = ""
    opens: str = ""
    source: str = ""
    says: str = ""
    url: str = ""
    checked: date | None = None
    sha256: tuple[str, ...] = ()

    @property
    def norm(self) -> str:
        """Norm of the first provision of `to`."""
        return self.to[0][0]

    @property
    def block(self) -> str:
        return self.to[0][1]

    @property
    def label(self) -> str:
        return label(self.block)

    @property
    def title(self) -> str:
        """The source as it begins a sentence."""
        return self.source[:1].upper() + self.source[1:]

    def __str__(self) -> str:
        """One Spanish phrase: «disposición transitoria undécima…: si el contrato es anterior…»."""
        return f"{self.source}: {self.says}"

    def holds_on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day <= self.until)

    def concerns(self, text: str) -> bool:
        """True unless the text is about something else of the article than what the provision changes."""
        folded = fold(text)
        return not self.about or any(word in folded for word in self.about.split())


def overtaken(norm_id: str, block_id: str, as_of: date) -> Tie | None:
    """The row of that provision, if it was displaced on that day."""
    found = _rows(Kind.OVERTAKEN).get((norm_id, block_id), [])
    return next((tie for tie in found if tie.holds_on(as_of)), None)


def transitional(article: ArticleKey, url: str, as_of: date, hired: date | None = None) -> tuple[Tie, ...]:
    """The rows of the provisions that govern open cases of an article on that day, in the order of the file.

    Args:
        hired: first day of the work asked about: ties that govern only earlier work are left out.
        url: its address: a summary has the ties of the article that it stands for, with provisions of its own
            norm.
    """
    found = [tie for tie in _transitional(article, url) if tie.holds_on(as_of)]
    return tuple(tie for tie in found if hired is None or hired < tie.hired_before)


def applied_meanwhile(norm_id: str, block_id: str) -> Tie | None:
    """The row of the provision that holds the wording of this one that is applied."""
    return next((tie for tie in _rows(Kind.TRANSITIONAL).get((norm_id, block_id), []) if tie.wording), None)


def governing(article: ArticleKey, url: str) -> frozenset[ArticleKey]:
    """The transitional provisions tied to an article, on any day; `url` as that of `transitional`."""
    return frozenset((tie.norm, tie.block) for tie in _transitional(article, url))


def companions(norm: str, label: str, question: str) -> tuple[Tie, ...]:
    """The companions of an article for a question, in the order of the file."""
    words = frozenset(stems(question))
    known = _companions().get((norm, label), ())
    return tuple(tie for asked, about, tie in known if asked & words and (not about or about & words))


def effect(norm_id: str, block_id: str, published: date | None) -> Tie | None:
    """The row of a wording, by block and day of publication; `block_id` is '' for the norm itself."""
    rows = _rows(Kind.EFFECT)
    found = (*rows.get((norm_id, block_id), ()), *rows.get((norm_id, ""), ()))
    return next((tie for tie in found if tie.published == published), None)


@cache
def ties() -> tuple[Tie, ...]:
    """Every row, in the order of the file."""
    return tuple(map(_tie, read_toml(FILE)["tie"]))


def provisions(text: str) -> tuple[ArticleKey, ...]:
    """Norm and block of each provision of «ET a48 a49 LGSS a177»; the block of a whole norm is ''."""
    ids = {norm.alias: norm.id for norm in known_norms() if norm.alias}
    groups: list[list[str]] = []
    for word in text.split():
        if word in ids or word.startswith("BOE-"):
            groups.append([ids.get(word, word)])
        else:
            groups[-1].append(word)
    return tuple((norm, block) for norm, *blocks in groups for block in blocks or [""])


def label(block_id: str) -> str:
    """The label of an article or a disposición by its block: '48 bis' of a48bis, 'dt 11' of dtundecima."""
    found = _BLOCK.fullmatch(block_id)
    number = parse_number(found["number"]) if found else None
    if found is None or number is None:
        return ""
    return number[0] if found["kind"] == "a" else f"{found['kind']} {number[0]}"


def _tie(row: Mapping[str, Any]) -> Tie:
    of, to = provisions(row["of"]), provisions(row.get("to", ""))
    url = row.get("url") or consolidated(*(to or of)[0])
    return Tie(**{**row, "of": of, "to": to, "url": url})


@cache
def _rows(kind: Kind) -> dict[ArticleKey, list[Tie]]:
    """The rows of a kind by each provision that they are of."""
    found: dict[ArticleKey, list[Tie]] = {}
    for tie in ties():
        for place in tie.of if tie.kind is kind else ():
            found.setdefault(place, []).append(tie)
    return found


def _transitional(article: ArticleKey, url: str) -> list[Tie]:
    official = of_boe(article, url)
    found = _rows(Kind.TRANSITIONAL).get(official, [])
    if official == article:
        return found
    norm = article[0]
    return [
        tie.model_copy(update={"to": ((norm, tie.block),)}) if tie.norm == official[0] else tie
        for tie in found
    ]


@cache
def _companions() -> dict[ArticleKey, list[tuple[frozenset[str], frozenset[str], Tie]]]:
    """The companions by norm and label of each article that they join, with the stems that call for them."""
    return {
        (norm, label(block)): [
            (frozenset(stems(tie.asked)), frozenset(stems(tie.about)), tie) for tie in rows
        ]
        for (norm, block), rows in _rows(Kind.COMPANION).items()
    }
