"""Phrases found in a text: whole words, without accents or punctuation, the longest first."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from text.textnorm import words


class Found(NamedTuple):
    """A phrase, the key of its entry, and the tokens it covers: from `start` up to, not including, `end`."""

    phrase: str
    start: int
    end: int


class Phrases:
    """A set of phrases, each a tuple of tokens, found in a sequence of tokens."""

    def __init__(self, phrases: Mapping[tuple[str, ...], str]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for tokens, key in phrases.items():
            if tokens:
                self._by_first.setdefault(tokens[0], []).append((tokens, key))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """Those of these names, each its own key."""
        return cls({tuple(words(name)): name for name in names})

    def find(self, tokens: list[str]) -> list[Found]:
        """Phrases in order of appearance, without overlaps."""
        found: list[Found] = []
        position = 0
        while position < len(tokens):
            match = self.at(tokens, position)
            if match:
                found.append(match)
            position = match.end if match else position + 1
        return found

    def at(self, tokens: list[str], position: int) -> Found | None:
        """The longest phrase that begins at `position`."""
        for phrase, key in self._by_first.get(tokens[position], ()):
            end = position + len(phrase)
            if tuple(tokens[position:end]) == phrase:
                return Found(key, position, end)
        return None
