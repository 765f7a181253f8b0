"""Reads the synonyms file: everyday words to the words of the norms (S2.10-S2.11, X.19).

A key of one word is found to the letter («paro» is not «parar»); one of several, by the stems of its
words and whatever articles and pronouns stand between them: «bajar el sueldo» in «me bajaron mi sueldo».
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import ConfigurationError
from lexicon.data_files import read_toml
from text.textnorm import fold_for_search, stems, words

FILE = Path(__file__).with_name("synonyms.toml")
DENIALS = frozenset({"no", "ni", "sin", "contra"})
"""Words of no stem that change what a key means: «trabajar sin contrato»."""
_CLAUSE_END = re.compile(r"[.,;:?!)»\"]+(?=\s|$)|[¿¡(«\n]")
LONGEST = 8
"""Words of the longest stretch that is looked at for a key."""
KEPT = 256
"""Texts whose keys stay in memory: each stage looks for those of the question."""


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
        ConfigurationError: the file cannot be read, an entry is not a list of terms, alone or with the
            phrases that tell its sense, or two keys are forms of the same words.
    """

    def __init__(self, file: Path = FILE) -> None:
        self._entries = _read(file)
        self._keys: dict[tuple[str, ...], str] = {}
        self._first: set[str] = set()
        self._fired = lru_cache(KEPT)(self._found)
        for key in self._entries:
            form = _form(words(key))
            self._first.add(form[0])
            other = self._keys.setdefault(form, key)
            if other != key:
                raise ConfigurationError(
                    f"{file.name}: «{key}» y «{other}» son las mismas palabras; deje una."
                )

    def __len__(self) -> int:
        return len(self._entries)

    def expand(self, text: str) -> tuple[str, ...]:
        """Terms to add to the lexical search of `text`, in order, without those it already contains."""
        said = _padded(text)
        terms = [term for key in self.fired(text) for term in self.terms(key)]
        return tuple(dict.fromkeys(term for term in terms if _padded(term) not in said))

    def fired(self, text: str) -> tuple[str, ...]:
        """The keys found in the text in the sense of their terms, in order of appearance."""
        return self._fired(text)

    def _found(self, text: str) -> tuple[str, ...]:
        said = _padded(text)
        found = dict.fromkeys(key for clause in _CLAUSE_END.split(text) for key in self._keys_in(clause))
        return tuple(key for key in found if self._entries[key].meant(said))

    def terms(self, key: str) -> tuple[str, ...]:
        """The terms of a key that fired."""
        return self._entries[key].terms

    def _keys_in(self, clause: str) -> Iterator[str]:
        spoken = words(clause)
        place = 0
        while place < len(spoken):
            key, length = self._longest_at(spoken, place)
            place += length
            if key:
                yield key

    def _longest_at(self, spoken: Sequence[str], start: int) -> tuple[str, int]:
        """The longest key that begins at a word, and the words it takes; '' and 1 without any."""
        found = ("", 1)
        if self._first.isdisjoint((spoken[start], *stems(spoken[start]))):
            return found
        for length in range(1, min(LONGEST, len(spoken) - start) + 1):
            key = self._keys.get(_form(spoken[start : start + length]))
            if key and key != found[0]:
                found = (key, length)
        return found


@cache
def shipped_synonyms() -> Synonyms:
    """The synonyms that travel with the program; their file is read once a process.

    Raises:
        ConfigurationError: see `Synonyms`.
    """
    return Synonyms()


def _form(said: Sequence[str]) -> tuple[str, ...]:
    """The form that a key is found by: the stems of its words if two or more have one, else the words."""
    units = [unit for word in said for unit in ([word] if word in DENIALS else stems(word))]
    return tuple(units) if len([unit for unit in units if unit not in DENIALS]) > 1 else tuple(said)


def _padded(text: str) -> str:
    """The words of the text, between spaces: a phrase is in it only as whole words."""
    return f" {' '.join(words(text))} "


def _read(file: Path) -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    for name, section in read_toml(file).items():
        if not isinstance(section, dict):
            raise ConfigurationError(f"{file.name}: ponga «{name}» dentro de una [sección].")
        for key, value in section.items():
            entries[fold_for_search(key)] = _entry(file.name, key, value)
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
