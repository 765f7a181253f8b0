"""A text as a reader sees it: the letters shown and the letters checked must be the same. Pure functions.

A file can deceive with hidden characters, marks drawn over letters, and letters of other alphabets that look
Latin: no search finds «procedente» with a Cyrillic «о», and no model quotes it.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from text.textnorm import visible

# Letters that look like a Latin one, among those of Unicode's confusables.txt: Cyrillic, Greek, Armenian.
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХУІЈЅ" + "οανιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օսհ",
    "aeopcyxijsdhqwABEKMHOPCTXYIJS" + "oavipuABEZHIKMNOPTYX" + "ouh",
)
_FOREIGN = re.compile(r"[\u0370-\u058f]")
_MIXED = re.compile(r"\b(?=[^\W\d_]*[A-Za-zÀ-ɏ])(?=[^\W\d_]*[\u0370-\u058f])[^\W\d_]+")
MOST = 5
HIDDEN = "Caracteres que no se ven o que tachan otros, quitados del texto: {count}."
MIXED = (
    "Tenía palabras con letras de otros alfabetos que parecen latinas ({words}): se han escrito con latinas."
)
_OVERLAID = re.compile("[\u0334-\u0338\u0488\u0489\u20d0-\u20f0]")
# Letters and digits only: a full-width «<» must not become one that opens a tag.
_WIDE = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]+")


class Legible(NamedTuple):
    """A text as it is seen, the number of characters taken out of it, and the words put in Latin letters."""

    text: str
    hidden: int = 0
    mixed: tuple[str, ...] = ()


def legible(text: str) -> Legible:
    """The text without hidden characters and overlaid marks; full-width and mixed words in Latin letters."""
    if text.isascii():
        shown = visible(text)
        return Legible(shown, len(text) - len(shown))
    shown = visible(_OVERLAID.sub("", text))
    hidden = len(text) - len(shown)
    shown = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), shown)
    if not _FOREIGN.search(shown):
        return Legible(shown, hidden)
    mixed: list[str] = []

    def latin(match: re.Match[str]) -> str:
        word = match[0].translate(_LOOK_ALIKES)
        if word != match[0]:
            mixed.append(word)
        return word

    return Legible(_MIXED.sub(latin, shown), hidden, tuple(mixed))


def letters_told(hidden: int, mixed: Sequence[str]) -> list[str]:
    """Spanish sentences on the changes made; empty if there are none."""
    words = ", ".join(f"«{word}»" for word in list(dict.fromkeys(mixed))[:MOST])
    return [HIDDEN.format(count=hidden)] * (hidden > 0) + [MIXED.format(words=words)] * bool(mixed)
