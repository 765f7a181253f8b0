"""Reads the synonyms file: everyday words to the words of the norms (S2.10-S2.11, X.19)."""

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rag.errors import ConfigurationError
from rag.lexicon.data import read
from rag.text.textnorm import fold, words

FILE = Path(__file__).with_name("synonyms.toml")


class _Entry(NamedTuple):
    """Terms of a key, and the phrases of which the text must say one (`when`) or none (`unless`)."""

    terms: tuple[str, ...]
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()

    def meant(self, said: str) -> bool:
        if any(phrase in said for phrase in self.unless):
            return False
        return not self.when or any(phrase in said for phrase in self.when)


class Synonyms:
    """Expansion of a text by a dictionary of keys to terms; longest keys first, each key once.

    Raises:
        ConfigurationError: the file cannot be read or an entry is not a list of terms, alone or with the
            phrases that tell its sense.
    """

    def __init__(self, file: Path = FILE) -> None:
        self._entries = _read(file)
        keys = sorted(self._entries, key=lambda key: (-len(key), key))
        self._pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, keys)) + r")\b")

    def __len__(self) -> int:
        return len(self._entries)

    def expand(self, text: str) -> tuple[str, ...]:
        """Terms to add to the lexical search of `text`, in order, without those it already contains."""
        said = _padded(text)
        terms = [term for key in self.fired(text) for term in self.terms(key)]
        return tuple(dict.fromkeys(term for term in terms if _padded(term) not in said))

    def fired(self, text: str) -> tuple[str, ...]:
        """The keys found in the text in the sense of their terms, in order of appearance."""
        said = _padded(text)
        found = dict.fromkeys(match[0] for match in self._pattern.finditer(fold(text)))
        return tuple(key for key in found if self._entries[key].meant(said))

    def terms(self, key: str) -> tuple[str, ...]:
        """The terms of a key that fired."""
        return self._entries[key].terms


@cache
def shipped_synonyms() -> Synonyms:
    """The synonyms that travel with the program; their file is read once a process.

    Raises:
        ConfigurationError: see `Synonyms`.
    """
    return Synonyms()


def _padded(text: str) -> str:
    """The words of the text, between spaces: a phrase is in it only as whole words."""
    return f" {' '.join(words(text))} "


def _read(file: Path) -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    for name, section in read(file).items():
        if not isinstance(section, dict):
            raise ConfigurationError(f"{file.name}: ponga «{name}» dentro de una [sección].")
        for key, value in section.items():
            entries[fold(key)] = _entry(file.name, key, value)
    if not entries:
        raise ConfigurationError(f"{file.name}: no contiene ninguna entrada.")
    return entries


def _entry(file: str, key: str, value: Any) -> _Entry:
    fields: dict[str, Any] = value if isinstance(value, dict) else {"terms": value}
    if "terms" not in fields or not fields.keys() <= set(_Entry._fields):
        raise ConfigurationError(
            f"{file}: «{key}» solo admite «terms», con «when» y «unless» si hacen falta."
        )
    for phrases in fields.values():
        if not (isinstance(phrases, list) and phrases and all(isinstance(one, str) for one in phrases)):
            raise ConfigurationError(f"{file}: «{key}» necesita una lista de términos.")
    told = {field: tuple(map(_padded, phrases)) for field, phrases in fields.items() if field != "terms"}
    return _Entry(tuple(fields["terms"]), **told)
