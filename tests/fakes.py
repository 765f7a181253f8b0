"""Hand-written stand-ins that behave: a corpus, a vector cache, an embedder, a gate before an index."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import TYPE_CHECKING

import mmh3

from core.errors import EmbedderUnavailable
from core.profile import Profile
from law.chunks import Chunk
from law.corpus_store import CorpusChange, CorpusCounts
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from law.norms import Block, Document, Norm, Reference
from models.chat import ModelCall
from text.textnorm import stems

if TYPE_CHECKING:
    from index.edge import EdgeIndex
    from service.program.assembly import App

NONE, SPARSE, DENSE = 0, 1, 2


class MemoryCorpus:
    """`CorpusStore`, `CorpusWriter` and `IndexLedger` in dictionaries.

    `referenced` knows what `save` was told, resolved by label.
    """

    def __init__(self, today: date = date(2025, 1, 1)) -> None:
        self.today = today
        self.documents: dict[str, Document] = {}
        self.stored: dict[str, Chunk] = {}
        self.references: dict[str, Sequence[Reference]] = {}
        self.state: dict[str, int] = {}
        self.stale: dict[str, None] = {}
        self.writes = 0

    def revision(self, *, fresh: bool = False) -> str:
        return str(self.writes)

    def save(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        references: Mapping[str, Sequence[Reference]],
    ) -> CorpusChange:
        norm_id = document.norm.id
        before = {key: chunk for key, chunk in self.stored.items() if chunk.norm_id == norm_id}
        wanted = {chunk.id: chunk for chunk in chunks}
        added = [key for key in wanted if key not in before]
        changed = [key for key in wanted if key in before and before[key] != wanted[key]]
        removed = [key for key in before if key not in wanted]
        self.writes += 1
        self.documents[norm_id] = document
        self.references.update(references)
        for key in removed:
            self._forget(key)
        for key in (*added, *changed):
            self.stored[key] = wanted[key]
            self.state[key] = NONE
        return CorpusChange(
            norm_id=norm_id,
            added=tuple(added),
            changed=tuple(changed),
            removed=tuple(removed),
            unchanged=len(wanted) - len(added) - len(changed),
        )

    def remove(self, norm_id: str) -> CorpusChange:
        self.writes += 1
        gone = [key for key, chunk in self.stored.items() if chunk.norm_id == norm_id]
        for key in gone:
            self._forget(key)
        self.documents.pop(norm_id, None)
        return CorpusChange(norm_id=norm_id, removed=tuple(gone))

    def _forget(self, chunk_id: str) -> None:
        del self.stored[chunk_id]
        del self.state[chunk_id]
        self.references.pop(chunk_id, None)
        self.stale[chunk_id] = None

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [self.stored[key] for key in ids if key in self.stored]

    def find(self, norm_id: str, label: str, as_of: date | None = None) -> list[Chunk]:
        found = [
            chunk
            for chunk in self.stored.values()
            if chunk.norm_id == norm_id
            and chunk.label == label
            and (as_of is None or chunk.in_force_on(as_of))
        ]
        return sorted(found, key=lambda chunk: (chunk.valid_from, chunk.part))

    def referenced(self, chunk_ids: Sequence[str], as_of: date) -> dict[str, list[str]]:
        return {
            key: [
                chunk.id
                for reference in self.references.get(key, ())
                if reference.norm_id and reference.label
                for chunk in self.find(reference.norm_id, reference.label, as_of)
            ]
            for key in chunk_ids
        }

    def norms(self) -> list[Norm]:
        return [document.norm for document in self.documents.values()]

    def norm(self, norm_id: str) -> Norm | None:
        document = self.documents.get(norm_id)
        return document.norm if document else None

    def norms_with_texts(self, texts: Sequence[str]) -> set[str]:
        return {chunk.norm_id for chunk in self.stored.values() if chunk.text in texts}

    def document(self, norm_id: str) -> Document | None:
        return self.documents.get(norm_id)

    def blocks(self, norm_id: str) -> list[Block]:
        document = self.documents.get(norm_id)
        return list(document.blocks) if document else []

    def block(self, norm_id: str, block_id: str) -> Block | None:
        return next((block for block in self.blocks(norm_id) if block.id == block_id), None)

    def all_chunks(self, batch: int = 500) -> Iterable[list[Chunk]]:
        ordered = sorted(self.stored.values(), key=lambda chunk: chunk.id)
        for start in range(0, len(ordered), batch):
            yield ordered[start : start + batch]

    def pending_index(self, *, dense: bool, limit: int = 500) -> list[Chunk]:
        wanted = DENSE if dense else SPARSE
        pending = [chunk for key, chunk in self.stored.items() if self.state[key] < wanted]
        return sorted(pending, key=lambda chunk: (not chunk.in_force_on(self.today), chunk.id))[:limit]

    def mark_indexed(self, chunk_ids: Sequence[str | Chunk], *, dense: bool) -> None:
        for item in chunk_ids:
            key = item if isinstance(item, str) else item.id
            if key not in self.stored:
                self.stale[key] = None
            elif item in (key, self.stored[key]):
                self.state[key] = DENSE if dense else SPARSE

    def reset_index_state(self) -> None:
        self.state = dict.fromkeys(self.stored, NONE)

    def stale_index_ids(self, limit: int = 5000) -> list[str]:
        return list(self.stale)[:limit]

    def forget_stale(self, chunk_ids: Sequence[str]) -> None:
        for key in chunk_ids:
            self.stale.pop(key, None)
            if key in self.stored:
                self.state[key] = NONE

    def counts(self) -> CorpusCounts:
        pending = sum(1 for state in self.state.values() if state < DENSE)
        return CorpusCounts(norms=len(self.documents), chunks=len(self.stored), pending_dense=pending)


def verifier(mode: str = "model") -> SimpleNamespace:
    """The services that the verification of an answer needs, over an empty corpus."""
    return SimpleNamespace(
        mode=mode,
        principal=object(),
        reader=None,
        profile=Profile(),
        store=MemoryCorpus(),
        catalogue=lambda: NormCatalogue([]),
        holdings=Holdings,
    )


class MemoryVectors:
    """A `VectorCache` in a dictionary."""

    def __init__(self) -> None:
        self.vectors: dict[tuple[str, str], tuple[float, ...]] = {}

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        return {key: self.vectors[model, key] for key in hashes if (model, key) in self.vectors}

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        for key, vector in vectors.items():
            self.vectors[model, key] = tuple(vector)

    def remove(self, hashes: Sequence[str]) -> int:
        gone = [known for known in self.vectors if known[1] in hashes]
        for known in gone:
            del self.vectors[known]
        return len(gone)


class HashEmbedder:
    """A bag of stems hashed into a few dimensions: texts that share words are near, others are not.

    `embedded` lists every passage it was asked for; `fail_after` makes it unavailable after so many.
    """

    def __init__(self, dimensions: int = 64, fail_after: int | None = None) -> None:
        self.name = f"hash-{dimensions}"
        self.dimensions = dimensions
        self.fail_after = fail_after
        self.embedded: list[str] = []

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]:
        return [self._vector(text) for text in texts], ModelCall(role="embeddings", model=self.name)

    def embed_passages(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        if self.fail_after is not None and len(self.embedded) + len(texts) > self.fail_after:
            raise EmbedderUnavailable("El modelo de embeddings de prueba se ha detenido.")
        self.embedded.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> tuple[float, ...]:
        if not text.strip():
            raise ValueError("an empty text has no embedding")
        axes = [0.01] * self.dimensions
        for stem in stems(text):
            hashed = mmh3.hash(stem, signed=False)
            axes[hashed % self.dimensions] += 1.0 if hashed & 0x10000 else -1.0
        length = math.hypot(*axes)
        return tuple(axis / length for axis in axes)


class Gate:
    """The index of a program, whose searches wait for `open` after the first `free` ones, or fail."""

    def __init__(self, index: EdgeIndex, free: int, failure: Exception | None = None) -> None:
        self.index, self.free, self.failure = index, free, failure
        self.reached, self.open = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self.index, name)

    def search(self, queries):  # type: ignore[no-untyped-def]
        self.free -= 1
        if self.free < 0:
            self.reached.set()
            if self.failure:
                raise self.failure
            assert self.open.wait(60), "nobody opened the gate"
        return self.index.search(queries)


def gated(program: App, free: int = 5, failure: Exception | None = None) -> Gate:
    """Hold the program's searches back from now on."""
    gate = Gate(program.index, free, failure)  # type: ignore[arg-type]
    program._services.put(replace(program.services, index=gate))  # type: ignore[arg-type]
    return gate
