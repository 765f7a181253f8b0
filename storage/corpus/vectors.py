"""The embedding cache: a text is embedded once a model, whatever happens to the index."""

import math
import struct
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, insert, select

from storage.base.engine import CORPUS_LOCK, Store, touched
from storage.corpus.row_sync import batches
from storage.tables.norms import VectorRow


class SqlVectorCache(Store):
    """The `VectorCache` port; vectors are kept as little-endian float32.

    Raises (all methods): StorageError.
    """

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        found: dict[str, tuple[float, ...]] = {}
        with self._db.read() as session:
            for batch in batches(dict.fromkeys(hashes)):
                rows = session.execute(
                    select(VectorRow.hash, VectorRow.vector).where(
                        VectorRow.model == model, VectorRow.hash.in_(batch)
                    )
                )
                found.update((row.hash, _unpack(row.vector)) for row in rows)
        return found

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        """Add or replace. Raises ValueError on an empty vector, NaN or infinity, and stores nothing."""
        rows = [{"model": model, "hash": key, "vector": _pack(vector)} for key, vector in vectors.items()]
        with self._db.write(CORPUS_LOCK) as session:
            for batch in batches(rows):
                hashes = [row["hash"] for row in batch]
                session.execute(delete(VectorRow).where(VectorRow.model == model, VectorRow.hash.in_(hashes)))
                session.execute(insert(VectorRow), batch)

    def remove(self, hashes: Sequence[str]) -> int:
        removed = 0
        with self._db.write(CORPUS_LOCK) as session:
            for batch in batches(dict.fromkeys(hashes)):
                removed += touched(session, delete(VectorRow).where(VectorRow.hash.in_(batch)))
        return removed


def _pack(vector: Sequence[float]) -> bytes:
    if not vector or not all(map(math.isfinite, vector)):
        raise ValueError("a vector must have components, all of them finite")
    return struct.pack(f"<{len(vector)}f", *vector)


def _unpack(blob: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(blob) // 4}f", blob)
