"""What ships with the program so that it need not be computed, wired."""

from pathlib import Path

from rag.aids.shipped import Enrichment
from rag.indexing.known import KnownQuestions
from rag.indexing.shipped import FILE, PASSAGES, ShippedPassages, ShippedVectors, VectorFile
from rag.ports import VectorCache
from service.program.search_aids import SHIPPED


def shipped(cache: VectorCache, demo: Path) -> tuple[ShippedVectors, KnownQuestions, ShippedPassages]:
    """The cache with the vectors of the demo and of the shipped norms, their questions and their passages."""
    norms = VectorFile(SHIPPED / FILE)
    return (
        ShippedVectors(cache, (VectorFile(demo / FILE), norms)),
        KnownQuestions(Enrichment(SHIPPED), norms),
        ShippedPassages([VectorFile(folder / PASSAGES) for folder in (SHIPPED, demo)]),
    )
