"""The values of the engine: a text as it is read, the row of a finder, and what it finds. Pure."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from masking.words import plain_letters
from text.textnorm import STOPWORDS, fold_for_search

PERSON, COMPANY, LISTED, NUMBER = "PERSONA", "EMPRESA", "NOMBRE", "NUMERO"
_WORDED = {PERSON, COMPANY, LISTED, "DIRECCION", "EMAIL", "NACIMIENTO"}
SMALL_WORDS = 0.4
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+")
_NIE, _CIF = re.compile(r"[XYZ]"), re.compile(r"[A-HJNP-SUVW]\d{7}[0-9A-J]")
SIX_DIGITS = re.compile(r"\d(?:[^\w\n]{0,3}[\d*x•]){5}|[*x•]{4}")
_NO_ALNUM = re.compile(r"[\W_]+")


class Span(NamedTuple):
    """Offsets in the text, kind ('DNI', 'PERSONA'…) and the key that all spellings of the value share."""

    start: int
    end: int
    kind: str
    key: str


class Page(NamedTuple):
    """A text, the same in plain letters (`masking.words`), its plain words with their offsets, and
    what has been found in it so far, in order."""

    text: str
    low: str
    words: list[tuple[str, int]]
    found: tuple[Span, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Page":
        low = plain_letters(text)
        return cls(text, low, [(match[0], match.start()) for match in _WORD.finditer(low)])

    @property
    def said(self) -> "Page":
        """The page in small letters if all its sentences are in capitals, where a capital tells nothing."""
        if not self.text.isupper() or len(self.low) != len(self.text.lower()):
            return self
        # A form has few small words.
        small = sum(word in STOPWORDS for word, _ in self.words)
        return Page.of(self.text.lower()) if small > SMALL_WORDS * len(self.words) else self

    def holding(self, found: Iterable[Span]) -> "Page":
        """The page with what has been found in it."""
        return self._replace(found=tuple(settled(found)))

    def holds(self, place: int) -> bool:
        """True within something that has been found."""
        at = bisect_right(self.found, place, key=lambda one: one.end)
        return at < len(self.found) and self.found[at].start <= place


def span(text: str, start: int, end: int, kind: str) -> Span:
    """The span of a value. A telephone's key has no country code, that of a DNI no leading zeros."""
    value = text[start:end]
    if kind in _WORDED:
        return Span(start, end, kind, " ".join(fold_for_search(value).split()))
    key = compact(value)
    if kind == "DNI":
        # A «NIF» may be any of the three.
        kind = "NIE" if _NIE.match(key) else "CIF" if _CIF.fullmatch(key) else "DNI"
    if kind == "TELEFONO":
        key = re.sub(r"^(?:0034|34)(?=\d{9}$)", "", key)
    return Span(start, end, kind, key.lstrip("0") if kind == "DNI" else key)


def compact(written: str) -> str:
    """A number in capitals and ASCII digits, without its separators."""
    number = _NO_ALNUM.sub("", written)
    return "".join(str(unicodedata.decimal(char, char)) for char in number).upper()


def settled(spans: Iterable[Span]) -> list[Span]:
    """The spans in order without overlaps: the earlier wins and, from the same start, the longer.

    It takes in what it overlaps of its own kind: «Marín Alcaraz» and «Alcaraz, Josefa» are one name. A number
    of no known form gives way to everything else.
    """
    kept: list[Span] = []
    for one in sorted(spans, key=lambda one: (one.kind == NUMBER, one.start, -one.end)):
        place = bisect_right(kept, one.start, key=lambda other: other.end)
        if place == len(kept) or one.end <= kept[place].start:
            kept.insert(place, one)
        elif one.kind == kept[place].kind != NUMBER and one.end > kept[place].end:
            kept[place] = kept[place]._replace(end=one.end)
    return kept


Place = tuple[int, int]


def _value(page: Page, match: re.Match[str]) -> Place:
    return match.span("n" if "n" in match.re.groupindex else 0)


class Finder(NamedTuple):
    """One row: how a kind of personal data is told.

    Attributes:
        pattern: its form; the value is the group `n`, if there is one.
        opens: plain words at which the form begins; without any it is searched in the text.
        near: sign without which the text has no such form: some digits, an «@»; None to search it all.
        cased: the form is one of the text as written, not of its plain letters.
        check: of the value in capitals without separators (control digits).
        accepts: of the place where the form stands.
        reads: start and end of the value, from where the form stands; None for no value.
        again: form of another value right after one.
    """

    kind: str
    pattern: re.Pattern[str]
    opens: frozenset[str] = frozenset()
    near: re.Pattern[str] | None = SIX_DIGITS
    cased: bool = False
    check: Callable[[str], bool] | None = None
    accepts: Callable[[Page, re.Match[str]], bool] | None = None
    reads: Callable[[Page, re.Match[str]], Place | None] = _value
    again: re.Pattern[str] | None = None

    def at(self, page: Page, start: int) -> tuple[list[Span], int]:
        """The value whose form begins at `start`, those that follow it, and where the form ends."""
        found: list[Span] = []
        end = start
        match = self.pattern.match(page.text if self.cased else page.low, start)
        while match:
            found += self._found(page, match)
            end = max(match.end(), *(one.end for one in found), 0)
            match = self.again.match(page.low, end) if self.again else None
        return found, end

    def within(self, page: Page, start: int, end: int) -> Iterator[Span]:
        """Every value between two offsets."""
        for match in self.pattern.finditer(page.text if self.cased else page.low, start, end):
            yield from self._found(page, match)

    def _found(self, page: Page, match: re.Match[str]) -> Iterator[Span]:
        place = self.reads(page, match)
        if place is None or place[0] >= place[1]:
            return
        if self.check and not self.check(compact(page.text[slice(*place)])):
            return
        if self.accepts is None or self.accepts(page, match):
            yield span(page.text, *place, self.kind)
