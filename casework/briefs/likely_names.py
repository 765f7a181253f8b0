"""Norms by names nearly theirs: «Regl. de Recaudación», «norma rituaria», «Ley de la Inspección». Pure."""

import re
from difflib import SequenceMatcher

from law.norm_names import NUMBERED, Named, NormCatalogue

ALIKE = 0.9
"""Share of common letters from which a word is that of a name with a slip of the fingers."""
_FIRST = re.compile(
    r"(?P<kind>ley|real decreto|decreto|reglamento|regl\.|rgto\.|norma|texto"
    r"|codigo|cod\.|estatuto|estat\.|est\.|orden)"
    r"(?=\s)"
)
_KINDS = {
    "norma": "ley", "texto": "ley", "decreto": "real decreto", "regl.": "reglamento", "rgto.": "reglamento",
    "cod.": "codigo", "est.": "estatuto", "estat.": "estatuto",
}  # fmt: skip
_WORD = re.compile(r"\s+(?P<word>[a-z]+)(?P<cut>\.(?=[\s,;)]))?")
_SMALL = frozenset(re.findall(r"\w+", "de del la el los las sobre para y en por a"))
_SAYS_NOTHING = frozenset(re.findall(r"\w+", "general gral organica reguladora social laboral legal trabajo"))
_ENDS = re.compile(
    r"\.?\s*(?:[^\w\s]|$)|\s+(?:que|y|e|o|ni|se|no|en|a|al|con|por|para|ha|es|lo|le|cuando|como|\d"
    r"|[a-z]+(?:iza|ula|ige|ite|iere|one|eve|ece|hibe|ena|ala|oge|iga))\b"
)
"""Text that may follow such a name: no word that goes on with it."""
_OTHER_LAW = re.compile(
    r"\s+(?:penal|civil|militar|comun|mercantil|(?:administrativ|contencios|tributari)\w*)\b"
)
_Name = tuple[str, str, tuple[str, ...]]
"""Id of a norm, a name of it, and the words of the name that say something."""


class LikelyNames(NormCatalogue):
    """A catalogue that also finds the one norm of which some words may be the name."""

    def __init__(self, catalogue: NormCatalogue) -> None:
        super().__init__(catalogue.names, catalogue.labels)
        self._called: list[_Name] = [
            (norm_id, name, tuple(word for word in re.findall(r"[a-z]+", name) if word not in _SMALL))
            for norm_id, name in catalogue.names.called()
        ]
        self._found: dict[str, tuple[str, int] | None] = {}

    def at(self, folded: str, position: int) -> Named | None:
        """See `NormCatalogue.at`."""
        known = super().at(folded, position)
        if known is not None:
            decree = NUMBERED.match(folded, position) if known.rank == "d" and not known.norm_id else None
            # «Decreto 902/2020» is a Real Decreto.
            other = super().at(f"real decreto {decree['number']}", 0) if decree else None
            return other._replace(end=known.end) if other and other.norm_id else known
        if not _FIRST.match(folded, position):
            return None
        phrase = folded[position : position + 120]
        if phrase not in self._found:
            self._found[phrase] = self._likely(phrase)
        found = self._found[phrase]
        return Named(found[0], position + found[1], self.names.rank(found[0])) if found else None

    def _likely(self, phrase: str) -> tuple[str, int] | None:
        """The norm of the name that the phrase begins with, and the end of it."""
        first = _FIRST.match(phrase)
        if first is None:
            return None
        kind = _KINDS.get(first["kind"], first["kind"])
        left = {one: 1 for one in self._called if one[1].startswith(kind)}
        end, told = first.end(), False
        at = end
        while word := _WORD.match(phrase, at):
            at = word.end()
            if word["word"] in _SMALL:
                continue
            after = {one: place for one, start in left.items() if (place := _place(word, one[2], start))}
            if after:
                left, end = after, word.end("word")
                told = told or word["word"] not in _SAYS_NOTHING
            elif word["word"] not in _SAYS_NOTHING:
                break
        ids = {one[0] for one in left}
        whole = any(set(one[2][place:]) <= _SAYS_NOTHING for one, place in left.items())
        epithet = whole and _SMALL.isdisjoint(phrase[:end].split()) and not _OTHER_LAW.match(phrase, end)
        ends = epithet or _ENDS.match(phrase, end)
        return (ids.pop(), end) if told and len(ids) == 1 and ends else None


def _place(word: re.Match[str], words: tuple[str, ...], start: int) -> int | None:
    """The place behind the word of a name that this one is, or is short for."""
    said = word["word"]
    for place in range(start, len(words)):
        one = words[place]
        same = one == said or (word["cut"] and one.startswith(said))
        if same or (len(said) > 5 and SequenceMatcher(None, one, said).ratio() >= ALIKE):
            return place + 1
    return None
