"""The words of a chunk as the features compare them: stemmed once, kept for the next question."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from cachetools import LRUCache

from index import word_vectors
from law.chunks import Chunk
from lexicon.usual_names import known_norm
from text.textnorm import stems

KEPT = 8192

T = TypeVar("T")

_LABEL = re.compile(r"^(?:art[íi]culo|disposici[óo]n \w+)\s+[^.]*\.\s*", re.I)


@dataclass(frozen=True, slots=True)
class ChunkWords:
    """Stems of the parts of a chunk.

    Attributes:
        title: of its norm; above: of the headings over it; heading: its own without the number.
        text: of the text; ordered: the same in order between spaces, for phrases.
        asked: of its keywords and of the questions it answers.
    """

    title: frozenset[str]
    above: frozenset[str]
    heading: frozenset[str]
    text: frozenset[str]
    ordered: str
    asked: frozenset[str]

    @classmethod
    def of(cls, chunk: Chunk) -> ChunkWords:
        known = known_norm(chunk.norm_id)
        text = stems(chunk.text)
        return cls(
            title=stemmed(known.title if known else chunk.law),
            above=stemmed(chunk.chapter),
            heading=stemmed(heading(chunk.section)),
            text=frozenset(text),
            ordered=f" {' '.join(text)} ",
            asked=frozenset(stems(" ".join((*chunk.keywords, *chunk.questions)))),
        )


class Kept(Generic[T]):
    """Least-recently-used cache of a value per chunk: the same chunks come up in many questions.

    The value is recomputed when any field of the chunk has changed.
    """

    def __init__(self, make: Callable[[Chunk], T], size: int = KEPT) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: LRUCache[str, tuple[Chunk, T]] = LRUCache(size)

    def of(self, chunk: Chunk) -> T:
        """The value of a chunk; safe from any thread."""
        with self._lock:
            found = self._made.get(chunk.id)
        if found is not None and found[0] is chunk:
            return found[1]
        made = found[1] if found is not None and found[0] == chunk else self._make(chunk)
        with self._lock:
            self._made[chunk.id] = (chunk, made)
        return made


def heading(section: str) -> str:
    """A section's title without its number: 'Vacaciones anuales.' of 'Artículo 38. Vacaciones anuales.'."""
    match = _LABEL.match(section if section.rstrip().endswith(".") else f"{section}.")
    return section[match.end() :] if match else section


@lru_cache(maxsize=8192)
def stemmed(text: str) -> frozenset[str]:
    """Stems of a title or a heading, which many chunks share."""
    return frozenset(stems(text))


words_of = Kept(ChunkWords.of).of


def _lines(chunk: Chunk) -> tuple[word_vectors.Places, ...]:
    vectors = word_vectors.load_word_vectors()
    return tuple(
        vectors.of(stems(f"{chunk.section} {line}")) for line in chunk.text.splitlines() if line.strip()
    )


lines_of = Kept(_lines).of
"""The words of each line of a chunk, with those of its title, as `WordVectors` has them."""
