"""Agreements whose file has another name than the one they were loaded from.

A file of an agreement gives no identifier, only the code of the register and a title. The code is also that
of later terms, partial amendments and tables of wages, so it is not enough.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rag.ingestion.metadata import identified
from rag.law import dates
from rag.law.agreement_names import LAST_DAY, RANK
from rag.law.labels import fold
from rag.loaders.agreement_facts import CODE
from rag.ports import CorpusStore
from rag.types import Document, Norm

SHARED = 0.5
"""Least share of the articles of a loaded agreement in another text of it: an amendment has a few."""
ALIKE = (
    "Tiene {same} que «{other}», que ya está cargado{term}: se cargará como otro documento y se citarán los "
    "dos. {advice}"
)
SUCCEEDS = "Si lo sustituye, escriba en los datos de ese («Modificar») su estado y su último día de vigencia."
REPLACES = (
    "Si es otro texto de ese documento, no lo cargue aquí: abra ese documento y use el botón «Nueva versión»."
)


class Outline(NamedTuple):
    """An agreement and the labels of its provisions."""

    norm: Norm
    labels: frozenset[str]


def outline(document: Document) -> Outline:
    """The outline of a document."""
    return Outline(document.norm, frozenset(block.label for block in document.blocks if block.label))


def recognised(document: Document, store: CorpusStore) -> Document:
    """The document under the identifier of the one loaded agreement that it is another text of; else itself.

    Raises:
        StorageError: the database failed.
    """
    norm = document.norm
    near = [] if norm.rank != RANK or store.norm(norm.id) else [*_near(norm, store.norms())]
    held = (store.document(other.id) for other in near)
    same = [one.norm.id for one in held if one and is_text_of(outline(document), outline(one))]
    return identified(document, same[0]) if len(same) == 1 else document


def is_text_of(given: Outline, other: Outline) -> bool:
    """True if both are texts of one agreement: of one term and, in great part, of the same provisions."""
    if not _named_alike(given.norm, other.norm) or not _of_one_term(given.norm, other.norm):
        return False
    return len(given.labels & other.labels) >= SHARED * len(other.labels) > 0


def doubts(norm: Norm, store: CorpusStore) -> list[str]:
    """Spanish warnings of a new document about loaded ones with its code or its title.

    Raises:
        StorageError: the database failed.
    """
    if norm.rank != RANK or store.norm(norm.id):
        return []
    return [_doubt(norm, other) for other in _near(norm, store.norms())]


def _near(norm: Norm, others: Sequence[Norm]) -> Iterator[Norm]:
    return (other for other in others if other.collection == norm.collection and _named_alike(norm, other))


def _named_alike(norm: Norm, other: Norm) -> bool:
    """True if two agreements have one code or, where one lacks it, one title."""
    if other.rank != norm.rank:
        return False
    codes = {norm.extra.get(CODE, ""), other.extra.get(CODE, "")}
    return fold(norm.title) == fold(other.title) if "" in codes else len(codes) == 1


def _of_one_term(norm: Norm, other: Norm) -> bool:
    """True if their last agreed days are one, or else their first; unknown days say nothing with one code."""
    for days in (
        (norm.extra.get(LAST_DAY), other.extra.get(LAST_DAY)),
        (norm.valid_from, other.valid_from),
    ):
        if all(days):
            return days[0] == days[1]
    return bool(norm.extra.get(CODE) and other.extra.get(CODE))


def _doubt(norm: Norm, other: Norm) -> str:
    coded = norm.extra.get(CODE) and other.extra.get(CODE)
    same = "el mismo código de convenio" if coded else "el mismo título"
    until = dates.parse(other.extra.get(LAST_DAY, ""))
    term = f" con vigencia pactada hasta el {dates.spelled(until)}" if until else ""
    advice = REPLACES if _of_one_term(norm, other) else f"{SUCCEEDS} {REPLACES}"
    return ALIKE.format(same=same, other=other.title, term=term, advice=advice)
