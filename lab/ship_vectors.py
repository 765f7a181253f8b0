"""Write the vectors that ship with the program: `python -m lab ship-vectors [--norms]`.

They are of the demo corpus or, with `--norms`, of the official norms of a home (ARTICULADO_HOME). One file
has the texts and the questions of their search aids, another the passages in force that answers quote, a
third those of earlier wordings.
Vectors that ship already are reused, for texts those of the home too; the others are computed.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from law.chunks import Chunk
from loading.aids.shipped_aids import Enrichment
from loading.chunking.chunk import chunk_document
from loading.formats import discover, load
from loading.indexing import shipped_vectors
from loading.indexing.index_sync import embedded_texts, embedding_key
from loading.indexing.passage_vectors import Passages, passage_key
from models.local_bulk_embedder import BulkEmbedder
from models.local_embedder import LocalEmbedder
from rag.answers.passage_selection import meant
from service.config import settings
from service.program import assembly
from service.program.search_aids import SHIPPED


def write(folder: Path, chunks: Sequence[Chunk], program: assembly.App) -> None:
    """Write the vectors of these chunks and of their passages; only missing ones are computed."""
    texts = {embedding_key(text): text for chunk in chunks for text in embedded_texts(chunk)}
    with closing(BulkEmbedder()) as embedder:
        vectors = program.vectors.get(embedder.name, list(texts))
        missing = [key for key in texts if key not in vectors]
        made = embedder.embed_passages([texts[key] for key in missing])
        _save(
            folder / shipped_vectors.FILE, embedder.name, {**vectors, **dict(zip(missing, made, strict=True))}
        )
    current = {text for chunk in chunks if chunk.valid_to is None for text in meant(chunk)}
    past = {text for chunk in chunks if chunk.valid_to is not None for text in meant(chunk)} - current
    _write_passages(folder / shipped_vectors.PASSAGES, sorted(current))
    if past:
        _write_passages(folder / shipped_vectors.PAST, sorted(past))
    else:
        (folder / shipped_vectors.PAST).unlink(missing_ok=True)


def _write_passages(path: Path, passages: Sequence[str]) -> None:
    embedder = LocalEmbedder()
    vectors = Passages(shipped_vectors.VectorFile(path)).get(embedder.name, passages)
    missing = [text for text in passages if text not in vectors]
    made, _ = asyncio.run(embedder.embed_queries(missing))
    vectors |= zip(missing, made, strict=True)
    by_key = {passage_key(text): vector for text, vector in vectors.items()}
    _save(path, embedder.name, by_key, fine=path.name == shipped_vectors.PAST)


def _save(path: Path, model: str, vectors: Mapping[str, Sequence[float]], *, fine: bool = False) -> None:
    shipped_vectors.save_vectors(path, model, vectors, fine=fine)
    print(f"{path}: {len(vectors)} vectors, {path.stat().st_size // 1024} KB", file=sys.stderr)


def main() -> int:
    with closing(assembly.build(settings())) as program:
        if "--norms" in sys.argv[1:]:
            official = {norm.id for norm in program.database.corpus.norms() if norm.official}
            chunks = (chunk for batch in program.database.corpus.all_chunks() for chunk in batch)
            write(SHIPPED, [one for one in chunks if one.norm_id in official], program)
            return 0
        aids = Enrichment(SHIPPED)
        documents = [aids.apply(one) for path in discover([assembly.DEMO]) for one in load(path)]
        write(assembly.DEMO, [chunk for one in documents for chunk in chunk_document(one)], program)
    return 0
