"""Plain letters, and the word lists of masking (`words.toml`) by name."""

import re
import tomllib
import unicodedata
from pathlib import Path


def plain_letters(text: str) -> str:
    """The text in small letters without accents; it is as long as the original, so that offsets hold."""
    if text.isascii():
        return text.lower()
    return text.translate({ord(char): _letter(char) for char in set(text) if not char.isascii()}).lower()


def _letter(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


WORDS: dict[str, frozenset[str]] = {
    name: frozenset(plain_letters(words).split())
    for name, words in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8")).items()
}
# Capitalised words that begin with one of these are not a name; a name ends before any of these.
NO_NAMES = WORDS["legal"]
REGIONS = WORDS["regions"]
# Surnames that are usually another word: never masked on their own.
NOT_ALONE = REGIONS | WORDS["ambiguous"]
# Words of places and institutions: a name that nothing announces and that has one of them is not a person's.
NO_PERSON = REGIONS | WORDS["places"]
# What many companies' names begin with.
TRADES = WORDS["trades"]


def either(*lists: str) -> str:
    """A pattern for any word of the lists, the longest first; «_» in a word stands for white space."""
    words = sorted(frozenset().union(*(WORDS[name] for name in lists)), key=len, reverse=True)
    spaced = (re.escape(word).replace("_", r"\s+") for word in words)
    return f"(?:{'|'.join(spaced)})"
