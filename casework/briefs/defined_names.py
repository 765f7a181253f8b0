"""Abbreviations that a brief gives to norms: «el Real Decreto 1561/1995 (en lo sucesivo, RDJE)». Pure."""

import re

from law.labels import fold
from law.norm_names import Named, NormCatalogue

FARTHEST = 240
"""Characters from the beginning of a name to the abbreviation behind it."""
_GIVEN = re.compile(
    r"(?:[(;,]\s*(?:en adelante|en lo sucesivo|desde ahora|en abreviatura)\b[,:]?\s+(?:la\s|el\s)?[«\"“]?"
    r"|\([«\"“]|\()(?P<name>[A-ZÑ]{2,}[A-Za-zÑñ]{0,6})\b(?=[»\"”]?[),.;])"
)
_NAME = re.compile(r"\b(?:ley|real|reglamento|estatuto|codigo|orden|texto|decreto|r\.?d)\b")
_BETWEEN = re.compile(r"(?:,? de \d{1,2} de [a-z]+(?: de \d{4})?)?(?:,? [^.;:()«»\d]{0,140})?\s*")
_WORD = re.compile(r"[a-z]+\b")


class DefinedNames(NormCatalogue):
    """A catalogue that also knows the abbreviations that one text gives."""

    def __init__(self, catalogue: NormCatalogue, text: str) -> None:
        super().__init__(catalogue.names, catalogue.labels)
        self._of = catalogue
        folded = fold(text)
        self._given: dict[str, str] = {}
        for match in _GIVEN.finditer(text):
            name = fold(match["name"])
            if catalogue.at(name, 0) is None and (norm_id := self._before(folded, match.start())):
                self._given.setdefault(name, norm_id)

    def at(self, folded: str, position: int) -> Named | None:
        """See `NormCatalogue.at`."""
        word = _WORD.match(folded, position) if self._given else None
        norm_id = self._given.get(word[0]) if word else None
        if word is None or norm_id is None:
            return self._of.at(folded, position)
        return Named(norm_id, word.end(), self.names.rank(norm_id))

    def _before(self, folded: str, place: int) -> str | None:
        """The norm whose name stands right before an abbreviation."""
        for name in _NAME.finditer(folded, max(0, place - FARTHEST), place):
            named = self._of.at(folded, name.start())
            if (
                named
                and named.norm_id
                and named.end <= place
                and _BETWEEN.fullmatch(folded, named.end, place)
            ):
                return named.norm_id
        return None
