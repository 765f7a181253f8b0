"""The search in the documents of the person who asks, beside that of the law; the notes tell a failure."""

import asyncio

from core.errors import ArticuladoError
from lexicon.paper_fields import decisive
from rag.retrieval.question_vectors import embedded
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State

MOST = 6
"""Fragments of documents in one context."""
FAILED = "Los documentos del expediente no se han podido consultar ahora: repita la pregunta en un momento."


async def search_papers(state: State, services: Services) -> list[Hit]:
    """The fragments of documents that the answer may use, best first; none without documents."""
    papers = state.papers
    if papers is None:
        return []
    state.notices += papers.notices
    facts = (field.name for field in decisive(state.asked))
    texts = list(dict.fromkeys([state.asked, *(query.text for query in state.queries), *facts]))
    vectors: list[tuple[float, ...]] | None = None
    if services.embedder is not None:
        seconds = state.own_seconds(services.profile.search_seconds)
        vectors, _, _ = await embedded(services.embedder, texts, seconds)
    try:
        return await asyncio.to_thread(papers.search, texts, vectors or (), MOST)
    except ArticuladoError:
        state.notices.append(Notice(Kind.SEARCH, FAILED))
        return []


async def found_papers(state: State, services: Services) -> list[Hit]:
    """The same, already under way unless no search of the law was made."""
    return await (state.own_search or search_papers(state, services))
