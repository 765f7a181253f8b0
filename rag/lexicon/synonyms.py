"""Reads the synonyms file: everyday words to the words of the norms (S2.10-S2.11, X.19)."""

import re
from pathlib import Path

from rag.errors import ConfigurationError
from rag.lexicon.data import read
from rag.text.textnorm import fold, words

FILE = Path(__file__).with_name("synonyms.toml")


class Synonyms:
    """Expansion of a text by a dictionary of keys to terms; longest keys first, each key once.

    Raises:
        ConfigurationError: the file cannot be read or an entry is not a list of terms.
    """

    def __init__(self, file: Path = FILE) -> None:
        self._terms = _read(file)
        keys = sorted(self._terms, key=lambda key: (-len(key), key))
        self._pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, keys)) + r")\b")

    def __len__(self) -> int:
        return len(self._terms)

    def expand(self, text: str) -> tuple[str, ...]:
        """Terms to add to the lexical search of `text`, in order, without those it already contains."""
        said = f" {' '.join(words(text))} "
        terms = [term for key in self.fired(text) for term in self._terms[key]]
        return tuple(dict.fromkeys(term for term in terms if f" {' '.join(words(term))} " not in said))

    def fired(self, text: str) -> tuple[str, ...]:
        """The keys found in the text, in order of appearance."""
        return tuple(dict.fromkeys(match[0] for match in self._pattern.finditer(fold(text))))


def _read(file: Path) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {}
    for name, entries in read(file).items():
        if not isinstance(entries, dict):
            raise ConfigurationError(f"{file.name}: ponga «{name}» dentro de una [sección].")
        for key, value in entries.items():
            if not (isinstance(value, list) and value and all(isinstance(v, str) for v in value)):
                raise ConfigurationError(f"{file.name}: «{key}» necesita una lista de términos.")
            terms[fold(key)] = value
    if not terms:
        raise ConfigurationError(f"{file.name}: no contiene ninguna entrada.")
    return terms
