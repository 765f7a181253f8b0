"""The questions that shipped norms answer, known also of those that are not loaded."""

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from loading.aids.shipped_aids import Enrichment
from loading.indexing.index_sync import embedding_key
from loading.indexing.shipped_vectors import VectorFile

BEST = 3


class KnownQuestions:
    """How near a question is to what each shipped norm answers, by the vectors that ship with the aids.

    Read at the first question that needs them: 0.5 s and 30 MB for 20,000 questions.
    """

    def __init__(self, aids: Enrichment, vectors: VectorFile) -> None:
        self._aids = aids
        self._vectors = vectors
        self._lock = threading.Lock()
        self._read: tuple[str, Mapping[str, np.ndarray]] | None = None

    def norms(self) -> frozenset[str]:
        """Ids of the norms whose questions ship."""
        return self._aids.norms()

    def nearness(self, model: str, vector: Sequence[float]) -> dict[str, float]:
        """Id of each norm to the mean cosine of the `BEST` of its questions that are nearest to the vector.

        Args:
            model: the embedding model of the vector; empty result for another one than what ships.
        """
        query = np.array(vector, dtype=np.float32)
        near = {
            norm: np.sort(questions @ query)[-BEST:] for norm, questions in self._questions(model).items()
        }
        return {norm: float(best.mean()) for norm, best in near.items()}

    def _questions(self, model: str) -> Mapping[str, np.ndarray]:
        with self._lock:
            if self._read is None or self._read[0] != model:
                self._read = model, self._of(model)
            return self._read[1]

    def _of(self, model: str) -> dict[str, np.ndarray]:
        asked = {norm: self._keys(norm) for norm in sorted(self.norms())}
        found = {norm: self._vectors.rows(model, keys)[1] for norm, keys in asked.items()}
        return {norm: rows for norm, rows in found.items() if len(rows) >= BEST}

    def _keys(self, norm: str) -> list[str]:
        aids = self._aids.of(norm).values()
        return list(dict.fromkeys(embedding_key(question) for aid in aids for question in aid.questions))
