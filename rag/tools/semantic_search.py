"""tool_semantic_search: the cosine of the query's vector with those of the chunks (S1.20-S1.21)."""

import asyncio

from pydantic import Field

from calculations.params import Params
from index.points import IndexFilter, IndexQuery
from rag.retrieval.hybrid import embed
from rag.retrieval.question_vectors import toward_texts
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import MAX_TEXT, AsOf, Found, ResultItem, SearchResult, ToolFailure
from rag.tools.tool_texts import one_line, results

UNAVAILABLE = "La búsqueda semántica no está disponible; use tool_lexical_search. {reason}"


class SemanticParams(Params):
    """Parameters of tool_semantic_search."""

    query: str = Field(
        min_length=1, max_length=MAX_TEXT, description="Pregunta en lenguaje natural o concepto"
    )
    top_k: int = Field(
        default=10, ge=1, json_schema_extra={"maximum": 50}, description="Número de resultados"
    )
    min_score: float = Field(
        0.0, ge=0.0, json_schema_extra={"maximum": 1.0}, description="Similitud mínima, de 0.0 a 1.0"
    )
    as_of: AsOf = None


async def run(params: SemanticParams, scope: ToolScope) -> Found:
    """The chunks nearest in meaning. Raises ToolFailure when the query has no vector."""
    services = scope.services
    (vector,), _, reason = await embed(services, [params.query], scope.as_of, "semantic")
    if vector is None or services.embedder is None:
        raise ToolFailure(UNAVAILABLE.format(reason=reason).strip())
    items = await asyncio.to_thread(_search, vector, params, scope)
    model = services.embedder.name
    result = SearchResult(
        query=params.query,
        total_found=len(items),
        results=items,
        search_params={"top_k": params.top_k, "min_score": params.min_score, "embedding_model": model},
        search_type="semantic_search",
    )
    head = (
        f"🧠 Búsqueda semántica: '{one_line(params.query)}'\n"
        f"   Resultados encontrados: {result.total_found}\n   Modelo: {model}"
    )
    blocks = results(items, [f"Similitud: {item.score or 0.0:.4f}" for item in items])
    return Found(result, "\n\n".join([head, *blocks]))


def _search(vector: tuple[float, ...], params: SemanticParams, scope: ToolScope) -> tuple[ResultItem, ...]:
    where = IndexFilter(as_of=scope.as_of, collections=tuple(scope.services.profile.collection_weights))
    dense = toward_texts(scope.services, vector)
    (scored,) = scope.services.index.search([IndexQuery(dense=dense, where=where, limit=params.top_k)])
    # Rounding may give a cosine above 1, opposite directions one below 0.
    cosines = [(one.id, min(1.0, max(0.0, one.score))) for one in scored]
    near = [(key, cosine) for key, cosine in cosines if cosine >= params.min_score]
    return scope.library.items(near, scope.as_of)


TOOL = Tool(
    name="tool_semantic_search",
    purpose="Busca por significado: encuentra fragmentos sobre un concepto aunque usen otras palabras.",
    use="Concepto o pregunta en lenguaje natural",
    params=SemanticParams,
    run=run,
)
