"""Contents of a corpus by what questions ask for, made once a revision: no question walks its norms."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from law.agreement_names import RANK, AgreementNames
from law.decisions import PAPERS, Decisions
from law.document_metadata import Records
from law.labels import fold
from law.norm_names import NormCatalogue
from law.norms import EVERYWHERE, SUMMARISES, Norm, Reference
from law.reference_reading import find_mentions
from law.references import resolve

ASKED = 64
"""Texts whose references are kept: those of a few questions that are answered at the same time."""


class Holdings:
    """The norms of a corpus by what they are asked by.

    Attributes:
        names: every norm that a question may name, also those that are not loaded.
        by_id: the norms.
        norms: ids, also of the norms that a summary stands for; `numbers`: «31/1995» and «ley 31/1995».
        territories: those of its norms that do not hold everywhere.
        aliases: norms by alias.
        decisions: its rulings and criteria.
        records: those with metadata of their own, which a question may point by.
        unofficial: True if it has norms and none is official.
        references: those of a question or a search, which one run asks for several times.
    """

    def __init__(self, norms: Sequence[Norm] = (), names: NormCatalogue | None = None) -> None:
        self.names = names or NormCatalogue(norms)
        self.by_id: Mapping[str, Norm] = {norm.id: norm for norm in norms}
        self.norms = frozenset({*self.by_id, *(norm.extra.get(SUMMARISES, "") for norm in norms)})
        self.numbers = frozenset(
            name
            for norm in norms
            if norm.number
            for name in (fold(norm.number), fold(f"{norm.rank} {norm.number}"))
        )
        self.territories = frozenset(norm.territory for norm in norms).difference(EVERYWHERE)
        self.collections = frozenset(norm.collection for norm in norms)
        self.decisions = Decisions(norms)
        self.records = Records(norm for norm in norms if norm.extra or norm.collection == PAPERS)
        self.unofficial = bool(norms) and not any(norm.official for norm in norms)
        self.aliases: defaultdict[str, list[Norm]] = defaultdict(list)
        for norm in norms:
            self.aliases[norm.alias].append(norm)
        self.agreements = AgreementNames(norm for norm in norms if norm.rank == RANK)
        self.references = lru_cache(ASKED)(self._references)

    def _references(self, text: str) -> tuple[Reference, ...]:
        return tuple(resolve(find_mentions(text), self.names))
