"""Accents that a question was typed without, as shipped questions and the law spell them (`accents.txt`).

A line with one word is a spelling that no other word shares once accents are left out. One of two words has
the usual spelling and another of the same letters, then the words after which (`<`) or before which (`>`) the
other is meant, if any tell: «que qué < ¿ por». `python -m lab accents` writes the file.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from law.labels import fold
from lexicon.data_files import FOLDER, read_lines

FILE = FOLDER / "accents.txt"
TOKEN = re.compile(r"[^\W\d_]+(?![\w/.]*\d)|[¿?¡!.,;:]")
"""A word, or a mark that tells what the word beside it is."""
START, END = "^", "$"
AFTER, BEFORE = "<", ">"


_ACCENTS = frozenset("áéíóúüÁÉÍÓÚÜ")


class Spellings(NamedTuple):
    """How a word is spelled: always, or usually, and otherwise by what stands beside it: `<por` → «qué»."""

    usual: str
    always: bool
    others: dict[str, str]


def accented(text: str) -> str:
    """The text with the accents that it lacks.

    Words that have two spellings get theirs only in a text without any accent: who types some means the rest.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    tokens = list(TOKEN.finditer(text))
    said = [fold(token[0]) for token in tokens]
    plain = not any(is_accented(token[0]) for token in tokens)
    pieces, end = [], 0
    for token, before, word, after in zip(tokens, [START, *said], said, [*said[1:], END], strict=False):
        typed = token[0]
        known = None if is_accented(typed) or (typed.isupper() and len(typed) > 1) else _known().get(word)
        if known is None or not (known.always or plain):
            continue
        spelled = known.others.get(AFTER + before) or known.others.get(BEFORE + after) or known.usual
        pieces += [text[end : token.start()], spelled.capitalize() if typed[0].isupper() else spelled]
        end = token.end()
    return "".join([*pieces, text[end:]])


def is_accented(word: str) -> bool:
    """True if any letter has an accent or a diaeresis; ñ is another letter."""
    return not _ACCENTS.isdisjoint(word)


@lru_cache(maxsize=1)
def _known() -> dict[str, Spellings]:
    """The spellings of each word without its accents."""
    known: dict[str, Spellings] = {}
    for line in read_lines(FILE.name):
        usual, *rest = line.split(" ")
        others = known.setdefault(fold(usual), Spellings(usual, not rest, {})).others
        side = AFTER
        for word in rest[1:]:
            if word in (AFTER, BEFORE):
                side = word
            else:
                others[side + word] = rest[0]
    return known
