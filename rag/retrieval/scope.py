"""Plan of a search: collections, filters stated by the question, as-of date, flat or by document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from core.profile import Cuts
from index.points import IndexFilter
from law.decisions import LAW
from lexicon.territories import Territory
from rag.question.understanding import Pointed, Understanding
from rag.shared.state import Services

# «en Madrid» and names of several words; a single word that happens to be a place hides too much when wrong.
SURE_OF_PLACE = 0.8


@dataclass(frozen=True)
class Plan:
    """Parameters of a search besides its query.

    Attributes:
        where: collection searched to its filter.
        by_document: two steps, best documents first (S3.40).
        filters: conditions stated by the question, in Spanish, for the trace; may be empty.
    """

    as_of: date
    where: Mapping[str, IndexFilter]
    cuts: Cuts
    mode: str = "hybrid"
    by_document: bool = False
    filters: tuple[str, ...] = ()

    def widened(self, services: Services) -> Plan:
        """The same search without the conditions of the question."""
        return replace(self, where=_everywhere(services, self.as_of), filters=())


UNREAD = Understanding()
"""The understanding of a search that nobody asked as a question."""


def plan(
    services: Services,
    as_of: date,
    read: Understanding = UNREAD,
    *,
    mode: str | None = None,
) -> Plan:
    """The plan for a question; without its understanding, all collections, filtered by date only.

    RAG_ENABLED=false leaves lexical search only, without filters (S2.51).
    """
    enabled = services.profile.rag_enabled
    where = _everywhere(services, as_of)
    filters: tuple[str, ...] = ()
    if enabled:
        where, filters = _filtered(where, read, services)
    return Plan(
        as_of=as_of,
        where=where,
        cuts=services.cuts,
        mode=mode or ("hybrid" if enabled else "lexical"),
        by_document=enabled and _by_document(services.profile.rag_search_strategy, read, filters),
        filters=filters,
    )


def _everywhere(services: Services, as_of: date) -> dict[str, IndexFilter]:
    """Each collection that has documents."""
    loaded = services.holdings().collections
    searched = (name for name in services.profile.collection_weights if name in loaded)
    return {name: IndexFilter(as_of=as_of, collections=(name,)) for name in searched}


def _filtered(
    where: dict[str, IndexFilter], read: Understanding, services: Services
) -> tuple[dict[str, IndexFilter], tuple[str, ...]]:
    told = []
    asked = read.filters
    # «El Supremo» filters only if a judgment is loaded.
    if collections := [name for name in asked.collections if name in where]:
        where = {name: where[name] for name in collections}
        told.append(f"colección {', '.join(collections)}")
    if place := _sure(read.territory):
        where = {name: one.model_copy(update={"territories": place.names}) for name, one in where.items()}
        told.append(f"territorio {', '.join(place.names)} o estatal")
    if LAW in where and asked.norm_ids:
        where = where | {LAW: where[LAW].model_copy(update={"norm_ids": asked.norm_ids})}
        told += [f"norma {norm}" for norm in asked.norm_ids]
    where, of_documents = _pointed(where, read.pointed)
    return where, (*told, *of_documents)


def _pointed(where: dict[str, IndexFilter], asked: Pointed) -> tuple[dict[str, IndexFilter], tuple[str, ...]]:
    """Narrow the collections of the documents that the question points to by their metadata.

    Uncertain conditions narrow those collections only, never 'normativa': no law is hidden. Sure conditions
    leave no other collection and, if no document meets them, none at all: the search is then widened.
    """
    found = {
        name: where[name].model_copy(
            update={
                "norm_ids": ids,
                "flags": asked.flags,
                "section_types": asked.section_types,
                "as_of": None if asked.dated else where[name].as_of,
            }
        )
        for name, ids in asked.where.items()
        if name in where
        and (asked.sure or name != LAW)
        and (ids or (not asked.conditions and (asked.flags or asked.section_types)))
    }
    if not found and not (asked.sure and asked.where):
        return where, ()
    told = [*asked.conditions, *(f"sección {name}" for name in asked.section_types)]
    told += [f"contiene {name}" for name in asked.flags]
    return (found if asked.sure else where | found), tuple(told)


def _sure(place: Territory | None) -> Territory | None:
    return place if place and place.confidence >= SURE_OF_PLACE else None


def _by_document(strategy: str, read: Understanding, filters: tuple[str, ...]) -> bool:
    """By document when forced, or when the question compares or asks for several documents (X.13)."""
    if strategy != "auto":
        return strategy == "hierarchical"
    return read.type == "comparison" or (read.pointed.several and bool(filters))
