"""tool_structure_search: headers, tables and contents of a document, from the database (S1.30-S1.32)."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from calculations.params import Params
from law.chunks import Chunk
from rag.tools.document_view import (
    HEADER,
    TABLE,
    DocumentView,
    kind_of,
    opened_headings,
    table_of,
)
from rag.tools.lexical_search import expand, search
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import MAX_NAME, MAX_TEXT, AsOf, Found, ResultItem, SearchResult
from rag.tools.tool_texts import one_line, results
from text.textnorm import fold_for_search

FALLBACK_TOP = 10
ENDS = {"first_5": slice(0, 5), "last_3": slice(-3, None), "all": slice(None)}


class StructureParams(Params):
    """Parameters of tool_structure_search; `words` are its keywords, split."""

    document_name: str = Field(
        min_length=1, max_length=MAX_NAME, description="Nombre exacto del documento, con extensión"
    )
    chunk_type: Literal["section_header", "table", "content"] | None = Field(
        None, description="Tipo de fragmento: section_header, table o content"
    )
    keywords: str = Field(default="", max_length=MAX_TEXT, description="Palabras clave separadas por comas")
    position: Literal["first_5", "last_3", "all"] | None = Field(
        None, description="De los encontrados, los primeros, los últimos o todos: first_5, last_3 o all"
    )
    top_k: int = Field(
        default=10, ge=1, json_schema_extra={"maximum": 50}, description="Máximo de resultados"
    )
    as_of: AsOf = None

    @property
    def words(self) -> list[str]:
        return [word.strip() for word in self.keywords.split(",") if word.strip()]


def run(params: StructureParams, scope: ToolScope) -> Found:
    """The matching pieces of the document. Raises ToolFailure when it is unknown or ambiguous."""
    entry = scope.library.find(params.document_name, exact=True)
    view = scope.library.view(entry.norm.id, scope.as_of)
    # One block alone has no structure.
    fallback = "" if len({chunk.block_id for chunk in view.chunks}) > 1 else "lexical"
    found = _lexical(params, scope, entry.norm.id) if fallback else list(_matching(view, params))
    chosen = found if fallback else found[ENDS[params.position or "all"]]
    items = tuple(chosen[: params.top_k])
    filters = _filters(params)
    result = SearchResult(
        query=view.file_name,
        total_found=len(chosen),
        results=items,
        search_params={"document_name": view.file_name, "top_k": params.top_k, **filters},
        search_type="structure_search",
    )
    head = [
        f"🏗️  Búsqueda estructural: documento '{one_line(view.file_name)}'",
        f"   Resultados encontrados: {result.total_found}",
    ]
    if filters:
        head.append(f"   Filtros: {', '.join(f'{name}={value}' for name, value in filters.items())}")
    blocks = results(items, [f"Tipo: {item.metadata.chunk_type}" for item in items])
    return Found(result, "\n\n".join(["\n".join(head), *blocks]), fallback=fallback)


def _lexical(params: StructureParams, scope: ToolScope, norm_id: str) -> list[ResultItem]:
    """Lexical search of the keywords, or else the question, in this document only (X.18)."""
    query = " ".join(params.words) or scope.question
    top_k = min(params.top_k, FALLBACK_TOP)
    return list(search(query, expand(query, scope), scope, top_k, (norm_id,)))


def _matching(view: DocumentView, params: StructureParams) -> Iterator[ResultItem]:
    """Pieces of the type asked that hold any of the keywords, in reading order."""
    words = [fold_for_search(one) for one in params.words]
    for chunk, kind, content in _pieces(view, params.chunk_type):
        if not words or _holds(chunk, content, words):
            yield view.outline.item(chunk, content, kind=kind)


def _pieces(view: DocumentView, kind: str | None) -> Iterator[tuple[Chunk | None, str, str]]:
    """(chunk, type, content) of each piece; a chunk's header is the headings that begin there and its own."""
    if kind in (None, HEADER):
        yield None, HEADER, view.outline.norm.title if kind else view.header
    above: Sequence[str] = ()
    for chunk in view.chunks:
        if kind == HEADER:
            path = chunk.chapter.split(" > ") if chunk.chapter else []
            if chunk.part == 1:
                yield chunk, HEADER, "\n".join([*opened_headings(above, path), chunk.section])
            above = path
        elif kind in (None, kind_of(chunk)):
            yield chunk, kind_of(chunk), table_of(chunk) if kind == TABLE else chunk.headed


def _holds(chunk: Chunk | None, content: str, words: Sequence[str]) -> bool:
    text = fold_for_search("\n".join([content, *(chunk.keywords if chunk else ())]))
    return any(word in text for word in words)


def _filters(params: StructureParams) -> dict[str, str]:
    given = {
        "chunk_type": params.chunk_type,
        "keywords": ",".join(params.words),
        "position": params.position,
    }
    return {name: one_line(value) for name, value in given.items() if value}


TOOL = Tool(
    name="tool_structure_search",
    purpose="Recorre un documento por su estructura: encabezados, tablas o contenido.",
    use="Explorar la estructura de un documento",
    params=StructureParams,
    run=run,
)
