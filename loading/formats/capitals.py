"""Titles that a file writes in capitals, put into the letters that their words have in its sentences."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from law.agreement_names import GENERIC
from text.textnorm import stems

_WORD = re.compile(r"[^\W\d_]+")
# A word after a small letter or a comma does not begin a sentence: its capital is its own.
_INSIDE = re.compile(r"(?<=[a-záéíóúüñ,] )[^\W\d_]+")
_ROMAN = re.compile(r"[IVXLC]+")
_FIRST = re.compile(r"(?:^|(?<=[a-záéíóúüñ\d]\. ))[^\W\d_]")
_COMMON = GENERIC | set(stems("tablas salariales retribuciones texto revisión acuerdo plan reglamento anexo"))
_ABBREVIATED = re.compile(r"(?:[A-Z]\.){2,}")


def as_said(title: str, texts: Iterable[str]) -> str:
    """The title with the letters that the sentences of the texts give each word.

    Others that may be names keep one capital. Numbers in Roman digits and abbreviations stay, and so does a
    title with small letters.
    """
    if not title.isupper():
        return title
    wanted = {word.lower() for word in _WORD.findall(title)}
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word in _INSIDE.findall(text):
            if word.lower() in wanted:
                forms[word.lower()][word] += 1
    kept = [match.span() for match in _ABBREVIATED.finditer(title)]

    def written(match: re.Match[str]) -> str:
        word = match[0]
        if _ROMAN.fullmatch(word) or any(start <= match.start() < end for start, end in kept):
            return word
        if found := forms.get(word.lower()):
            return found.most_common(1)[0][0]
        return word.lower() if _COMMON.issuperset(stems(word)) else word.capitalize()

    return _FIRST.sub(lambda match: match[0].upper(), _WORD.sub(written, title))
