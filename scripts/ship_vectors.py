"""Write the vectors that ship with the program: `python -m scripts.ship_vectors [--norms]`.

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

import bootstrap
from config import settings
from rag.aids.shipped import Enrichment
from rag.answers.selection import meant
from rag.chunking.chunk import chunk_document
from rag.indexing import shipped
from rag.indexing.passages import Passages, passage_key
from rag.indexing.sync import embedded_texts, embedding_key
from rag.loaders import discover, load
from rag.providers.local import LocalEmbedder
from rag.providers.local_bulk import BulkEmbedder
from rag.types import Chunk
from service.program.search_aids import SHIPPED


def write(folder: Path, chunks: Sequence[Chunk], program: bootstrap.App) -> None:
    """Write the vectors of these chunks and of their passages; only missing ones are computed."""
    texts = {embedding_key(text): text for chunk in chunks for text in embedded_texts(chunk)}
    with closing(BulkEmbedder()) as embedder:
        vectors = program.vectors.get(embedder.name, list(texts))
        missing = [key for key in texts if key not in vectors]
        made = embedder.embed_passages([texts[key] for key in missing])
        _save(folder / shipped.FILE, embedder.name, {**vectors, **dict(zip(missing, made, strict=True))})
    current = {text for chunk in chunks if chunk.valid_to is None for text in meant(chunk)}
    past = {text for chunk in chunks if chunk.valid_to is not None for text in meant(chunk)} - current
    _write_passages(folder / shipped.PASSAGES, sorted(current))
    if past:
        _write_passages(folder / shipped.PAST, sorted(past))
    else:
        (folder / shipped.PAST).unlink(missing_ok=True)


def _write_passages(path: Path, passages: Sequence[str]) -> None:
    embedder = LocalEmbedder()
    vectors = Passages(shipped.VectorFile(path)).get(embedder.name, passages)
    missing = [text for text in passages if text not in vectors]
    made, _ = asyncio.run(embedder.embed_queries(missing))
    vectors |= zip(missing, made, strict=True)
    by_key = {passage_key(text): vector for text, vector in vectors.items()}
    _save(path, embedder.name, by_key, fine=path.name == shipped.PAST)


def _save(path: Path, model: str, vectors: Mapping[str, Sequence[float]], *, fine: bool = False) -> None:
    shipped.save(path, model, vectors, fine=fine)
    print(f"{path}: {len(vectors)} vectors, {path.stat().st_size // 1024} KB", file=sys.stderr)


def main(arguments: list[str]) -> int:
    with closing(bootstrap.build(settings())) as program:
        if "--norms" in arguments:
            official = {norm.id for norm in program.corpus.norms() if norm.official}
            chunks = (chunk for batch in program.corpus.all_chunks() for chunk in batch)
            write(SHIPPED, [one for one in chunks if one.norm_id in official], program)
            return 0
        aids = Enrichment(SHIPPED)
        documents = [aids.apply(one) for path in discover([bootstrap.DEMO]) for one in load(path)]
        write(bootstrap.DEMO, [chunk for one in documents for chunk in chunk_document(one)], program)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
