"""Compute the vectors that ship with the demo corpus: `python -m scripts.embed_demo`."""

import sys
from pathlib import Path

from rag.aids.shipped import Enrichment
from rag.chunking.chunk import chunk_document
from rag.indexing import shipped
from rag.indexing.sync import embedded_texts, embedding_key
from rag.loaders import discover, load
from rag.providers.local_bulk import BulkEmbedder

DEMO = Path(__file__).parents[1] / "data" / "demo"


def main() -> int:
    """Embed every chunk of the demo corpus and write the file beside it."""
    aids = Enrichment(DEMO.parent / "enrichment")
    documents = [aids.apply(document) for path in discover([DEMO]) for document in load(path)]
    chunks = [chunk for document in documents for chunk in chunk_document(document)]
    texts = list(dict.fromkeys(text for chunk in chunks for text in embedded_texts(chunk)))
    embedder = BulkEmbedder()
    vectors = embedder.embed_passages(texts)
    embedder.close()
    path = shipped.save(DEMO, embedder.name, dict(zip(map(embedding_key, texts), vectors, strict=True)))
    print(f"{path.name}: {len(texts)} vectors, {path.stat().st_size // 1024} KB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
