"""tool_lexical_search: BM25 over the words of the query and their synonyms (S1.10-S1.12, X.15)."""

import html
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import Field

from calculations.params import Params
from index.points import IndexFilter, IndexQuery
from index.sparse import query_vector, reference_tokens
from law.labels import holds_apartado
from rag.ranking.chunk_words import stemmed
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import MAX_TEXT, WHOLE, AsOf, Found, ResultItem, SearchResult
from rag.tools.tool_texts import one_line, results

OPERATOR = "OR"
HIGHLIGHTS = 3
WINDOW = 220
EXACT = "Artículo citado, entero"
PART = "Apartado citado; sin el apartado se devuelve el artículo entero"

_WORD = re.compile(r"[^\W_]+")


class LexicalParams(Params):
    """Parameters of tool_lexical_search."""

    query: str = Field(min_length=1, max_length=MAX_TEXT, description="Términos de búsqueda exactos")
    top_k: int = Field(default=5, ge=1, json_schema_extra={"maximum": 10}, description="Número de resultados")
    as_of: AsOf = None


class Expansion(NamedTuple):
    """The query as run: words in groups (`text`), synonyms added, reference tokens, stems to highlight."""

    text: str
    synonyms: tuple[str, ...]
    tokens: tuple[str, ...]
    stems: frozenset[str]


def run(params: LexicalParams, scope: ToolScope) -> Found:
    """The articles that the query names, then the best chunks by BM25 for the rest of it, if it has any."""
    lines, rest = cited(params.query, scope)
    expansion = expand(rest, scope)
    named = scope.library.items([(chunk_id, None) for chunk_id in lines], scope.as_of)
    found = search(rest, expansion, scope, params.top_k)
    items = (*named, *(item for item in found if item.metadata.chunk not in lines))
    result = SearchResult(
        query=params.query,
        expanded_query=expansion.text or None,
        total_found=len(items),
        results=items,
        search_params={
            "operator": OPERATOR,
            "top_k": params.top_k,
            "filters_applied": {},
            "synonyms_used": list(expansion.synonyms),
            **({WHOLE: len(named)} if named else {}),
        },
        search_type="lexical_search",
    )
    head = [
        f"🔍 Búsqueda léxica: '{one_line(params.query)}'",
        f"   Resultados encontrados: {result.total_found}",
        *([f"   Query expandida: '{expansion.text}'"] if expansion.text else []),
    ]
    scores = [lines.get(item.metadata.chunk, f"Score: {item.score or 0.0:.1f}") for item in items]
    blocks = results(items, scores, len(named))
    return Found(result, "\n\n".join(["\n".join(head), *blocks]))


def cited(query: str, scope: ToolScope) -> tuple[dict[str, str], str]:
    """(ids of the chunks that the query names, in order, each with its line; the query without those names).

    Of a named apartado, the parts that hold it; else every part. The question may name the norm.
    """
    resolved = scope.services.holdings().references(f"{query}. {scope.question}")
    own = [one for one in resolved if one.start < len(query) and one.norm_id is not None]
    lines: dict[str, str] = {}
    norms: set[str | None] = set()
    for one in own:
        parts = scope.services.store.find(one.norm_id or "", one.label, scope.as_of) if one.label else []
        held = [part for part in parts if holds_apartado(part.apartados, one.apartado)]
        line = PART if held and len(held) < len(parts) else EXACT
        lines |= {part.id: line for part in held or parts}
        norms |= {part.norm_id for part in parts}
    rest = query
    for one in own:
        if one.norm_id in norms:
            rest = rest[: one.start] + " " * len(rest[one.start : one.end]) + rest[one.end :]
    return lines, rest if any(len(word) > 1 for word in _WORD.findall(rest)) else ""


def expand(query: str, scope: ToolScope) -> Expansion:
    """The query's words, grouped with their synonyms, and the tokens of the articles it names.

    The index adds up the weights of the terms it finds, so groups and the words in them are joined by OR.
    """
    services = scope.services
    synonyms = services.synonyms.expand(query)
    by_key = {key: services.synonyms.terms(key) for key in services.synonyms.fired(query)}
    mentioned = services.holdings().references(query)
    tokens = reference_tokens(mentioned)
    seen: set[str] = set()
    groups: list[list[str]] = []
    for key, terms in by_key.items():
        own = _fresh(_words_like(query, key), seen)
        added = [word for term in terms if term in synonyms for word in _fresh(_WORD.findall(term), seen)]
        groups += [[*own, *added]] if own or added else []
    groups += [[word] for word in _fresh(_WORD.findall(query), seen)]
    groups += [[token] for token in tokens]
    return Expansion(
        text=f" {OPERATOR} ".join(_group(group) for group in groups),
        synonyms=synonyms,
        tokens=tokens,
        stems=frozenset(seen),
    )


def search(
    query: str, expansion: Expansion, scope: ToolScope, top_k: int, norm_ids: tuple[str, ...] = ()
) -> tuple[ResultItem, ...]:
    """The best chunks by BM25 in force on the day, in every collection; empty `norm_ids` means all norms."""
    services = scope.services
    sparse = query_vector(query, extra_terms=expansion.synonyms, tokens=expansion.tokens)
    if not sparse.indices:
        return ()
    where = IndexFilter(
        as_of=scope.as_of, norm_ids=norm_ids, collections=tuple(services.profile.collection_weights)
    )
    (scored,) = services.index.search([IndexQuery(sparse=sparse, where=where, limit=top_k)])
    items = scope.library.items([(one.id, one.score) for one in scored], scope.as_of)
    return tuple(
        item.model_copy(update={"highlights": highlights(item.content, expansion.stems)}) for item in items
    )


def highlights(text: str, marked: frozenset[str]) -> tuple[str, ...]:
    """At most three passages as HTML, with the words whose stem is in `marked` within <em>."""
    scored: list[tuple[int, int, str]] = []
    for order, line in enumerate(text.split("\n")):
        matches = [match for match in _WORD.finditer(line) if stemmed(match[0]) & marked]
        if matches:
            distinct = len({match[0].casefold() for match in matches})
            scored.append((-distinct, order, _window(line, matches)))
    return tuple(text for _, _, text in sorted(sorted(scored)[:HIGHLIGHTS], key=lambda one: one[1]))


def _window(line: str, matches: Sequence[re.Match[str]]) -> str:
    """About WINDOW characters of a line around its first match, cut between words, as HTML."""
    start = 0 if len(line) <= WINDOW else max(0, matches[0].start() - WINDOW // 4)
    if start:
        start = line.find(" ", start, matches[0].start()) + 1 or matches[0].start()
    end = min(len(line), start + WINDOW)
    if end < len(line):
        end = max(line.rfind(" ", start, end), matches[0].end())
    pieces: list[str] = ["..."] if start else []
    position = start
    for match in matches:
        if match.end() <= end:
            pieces += [html.escape(line[position : match.start()], quote=False), f"<em>{match[0]}</em>"]
            position = match.end()
    pieces.append(html.escape(line[position:end], quote=False))
    return "".join([*pieces, "..." if end < len(line) else ""])


def _fresh(words: Iterable[str], seen: set[str]) -> list[str]:
    """The words with a stem not yet in `seen`, which takes in their stems."""
    kept = []
    for word in words:
        new = stemmed(word) - seen
        if new:
            seen |= new
            kept.append(word)
    return kept


def _words_like(query: str, key: str) -> list[str]:
    """The words of the query that share a stem with a key of the dictionary, as written."""
    wanted = stemmed(key)
    return [word for word in _WORD.findall(query) if stemmed(word) & wanted]


def _group(words: Sequence[str]) -> str:
    return f"({' OR '.join(words)})" if len(words) > 1 else words[0]


TOOL = Tool(
    name="tool_lexical_search",
    purpose="Busca palabras exactas (BM25) en todo el corpus vigente, con sus sinónimos; un artículo citado "
    "con su norma («artículo 48 ET») se devuelve entero y sin otros; con su apartado («48.4»), la parte que "
    "lo contiene.",
    use="Término técnico exacto",
    params=LexicalParams,
    run=run,
)
