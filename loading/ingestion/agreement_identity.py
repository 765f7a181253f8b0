"""Agreements whose file has another name than the one they were loaded from.

A file of an agreement gives no identifier, only the code of the register and a title. The code is also that
of later terms, partial amendments and tables of wages, so it is not enough.
"""

from collections.abc import Iterable
from typing import NamedTuple

from law import dates
from law.agreement_names import LAST_DAY, RANK
from law.corpus_store import CorpusStore
from law.labels import fold
from law.norms import Document, Norm
from loading.formats.agreement_facts import CODE
from loading.ingestion.metadata_corrections import identified

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


class Agreements:
    """Loaded agreements by their code and their title, so that one is found among however many.

    Args:
        norms: may hold others, which are left out.
    """

    def __init__(self, norms: Iterable[Norm] = ()) -> None:
        self._by_name: dict[tuple[str, str], dict[str, Norm]] = {}
        for norm in norms:
            self.add(norm)

    def add(self, norm: Norm) -> None:
        """Add an agreement."""
        for name in _names(norm):
            self._by_name.setdefault(name, {})[norm.id] = norm

    def remove(self, norm: Norm) -> None:
        """Remove an agreement, given as it was added."""
        for name in _names(norm):
            self._by_name.get(name, {}).pop(norm.id, None)

    def named_as(self, norm: Norm) -> list[Norm]:
        """Those of its collection with its code or, where one lacks it, its title; by id."""
        found = {other.id: other for name in _names(norm) for other in self._by_name.get(name, {}).values()}
        alike = (other for other in found.values() if other.collection == norm.collection)
        return sorted((other for other in alike if _named_alike(norm, other)), key=lambda other: other.id)


def recognised(document: Document, store: CorpusStore, loaded: Agreements) -> Document:
    """The document under the identifier of the one loaded agreement that it is another text of; else itself.

    Raises:
        StorageError: the database failed.
    """
    norm = document.norm
    near = loaded.named_as(norm)
    if not near or store.norm(norm.id):
        return document
    held = (store.document(other.id) for other in near)
    same = [one.norm.id for one in held if one and is_text_of(outline(document), outline(one))]
    return identified(document, same[0]) if len(same) == 1 else document


def is_text_of(given: Outline, other: Outline) -> bool:
    """True if both are texts of one agreement: of one term and, in great part, of the same provisions."""
    if not _named_alike(given.norm, other.norm) or not _of_one_term(given.norm, other.norm):
        return False
    return len(given.labels & other.labels) >= SHARED * len(other.labels) > 0


def identity_doubts(norm: Norm, loaded: Agreements) -> list[str]:
    """Spanish warnings of a new document about loaded agreements with its code or its title."""
    return [_doubt(norm, other) for other in loaded.named_as(norm)]


def _names(norm: Norm) -> list[tuple[str, str]]:
    """Code and title of an agreement, as keys; of other norms none."""
    if norm.rank != RANK:
        return []
    code = norm.extra.get(CODE, "")
    return [("title", fold(norm.title)), *([("code", code)] if code else [])]


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
