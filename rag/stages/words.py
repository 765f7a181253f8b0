"""The words of a chunk as the features compare them: stemmed once, kept for the next question."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

from rag.legal.norms import known_norm
from rag.textnorm import stems
from rag.types import Chunk

KEPT = 6000
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
            title=_stemmed(known.title if known else chunk.law),
            above=_stemmed(chunk.chapter),
            heading=_stemmed(heading(chunk.section)),
            text=frozenset(text),
            ordered=f" {' '.join(text)} ",
            asked=frozenset(stems(" ".join((*chunk.keywords, *chunk.questions)))),
        )


class _Kept:
    """The last chunks that came up: the same ones come up again and again."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._words: OrderedDict[tuple[str, str, str], ChunkWords] = OrderedDict()

    def of(self, chunk: Chunk) -> ChunkWords:
        key = (chunk.id, chunk.section, chunk.content_hash)
        with self._lock:
            found = self._words.get(key)
            if found is not None:
                self._words.move_to_end(key)
                return found
        made = ChunkWords.of(chunk)
        with self._lock:
            self._words[key] = made
            if len(self._words) > self._size:
                self._words.popitem(last=False)
        return made


_kept = _Kept(KEPT)
words_of = _kept.of


def heading(section: str) -> str:
    """'Vacaciones anuales' of 'Artículo 38. Vacaciones anuales.'; empty for a bare number."""
    match = _LABEL.match(section if section.rstrip().endswith(".") else f"{section}.")
    return section[match.end() :] if match else section


@lru_cache(maxsize=8192)
def _stemmed(text: str) -> frozenset[str]:
    """Stems of a title or a heading, which many chunks share."""
    return frozenset(stems(text))
