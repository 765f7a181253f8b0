"""Vectors that ship with the program so that they need not be computed, wired."""

from pathlib import Path

from index.vector_index import VectorCache
from loading.aids.shipped_aids import Enrichment
from loading.indexing.known_questions import KnownQuestions
from loading.indexing.shipped_vectors import FILE, PASSAGES, PAST, ShippedVectors, VectorFile
from service.program.search_aids import SHIPPED


def shipped(cache: VectorCache, demo: Path) -> tuple[ShippedVectors, KnownQuestions]:
    """The cache with the vectors of the demo and of the shipped norms, and the questions of the latter."""
    norms = VectorFile(SHIPPED / FILE)
    passages = (VectorFile(folder / PASSAGES) for folder in (SHIPPED, demo))
    cached = ShippedVectors(cache, (VectorFile(demo / FILE), norms, *passages))
    return cached, KnownQuestions(Enrichment(SHIPPED), norms)


def past_passages() -> VectorFile:
    """The vectors of the passages of earlier wordings of the shipped norms."""
    return VectorFile(SHIPPED / PAST)
