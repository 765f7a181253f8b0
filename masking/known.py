"""Names found so far in a run, and those of a list: masked wherever they occur."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from masking.named_people import COMMON, FIRST
from masking.plain import plain
from masking.spans import COMPANY, LISTED, Span
from masking.words import NO_NAMES, NO_PERSON, NOT_ALONE
from text.textnorm import STOPWORDS, fold

SHORTEST_ALONE = 4


class Known:
    """Names to mask wherever they occur: those of a list, and those found so far with their parts."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        self._whole: dict[str, str] = {}
        self._alone: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        for name in listed:
            self._put(name, LISTED)

    def add(self, name: str, kind: str) -> None:
        """Add a name found in a text and, of a person, its pairs of words and unambiguous single words."""
        words = [word for word in name.split() if word[:1].isupper() and plain(word) not in STOPWORDS]
        if len(name.split()) == 1:
            if self._may_stand_alone(name):
                self._alone.setdefault(name, kind)
        else:
            self._put(name, kind)
        if kind != COMPANY and len(words) > 1:
            for one, other in pairwise(words):
                self._put(f"{one} {other}", kind)
            for word in words:
                if self._may_stand_alone(word):
                    self._alone.setdefault(word.capitalize() if word.isupper() else word, kind)
        self._pattern = None

    def find(self, text: str) -> Iterator[Span]:
        if not self._whole and not self._alone:
            return
        if self._pattern is None:
            self._pattern = self._compiled()
        for match in self._pattern.finditer(text):
            key = " ".join(fold(match[0]).split())
            kind = self._whole.get(key) or self._alone.get(match[0]) or self._alone.get(match[0].capitalize())
            if kind:
                yield Span(match.start(), match.end(), kind, key)

    def _put(self, name: str, kind: str) -> None:
        key = " ".join(fold(name).split())
        if key:
            self._whole.setdefault(key, kind)

    @staticmethod
    def _may_stand_alone(word: str) -> bool:
        key = plain(word)
        if len(word) < SHORTEST_ALONE or key in NOT_ALONE | NO_NAMES | NO_PERSON | STOPWORDS:
            return False
        return key not in COMMON or key in FIRST

    def _compiled(self) -> re.Pattern[str]:
        wholes = [r"\s+".join(map(_spelt, key.split())) for key in self._whole]
        alone = [f"{re.escape(word)}|{re.escape(word.upper())}" for word in self._alone]
        branches = sorted(wholes, key=len, reverse=True)
        parts = [f"(?i:{'|'.join(branches)})"] if branches else []
        return re.compile(rf"(?<!\w)(?:{'|'.join([*parts, *alone])})(?!\w)")


_ACCENTS = {"a": "aáàâä", "e": "eéèêë", "i": "iíìîï", "o": "oóòôö", "u": "uúùûü", "n": "nñ", "c": "cç"}


def _spelt(word: str) -> str:
    """Pattern for a folded word, with and without accents."""
    return "".join(f"[{_ACCENTS[char]}]" if char in _ACCENTS else re.escape(char) for char in word)
