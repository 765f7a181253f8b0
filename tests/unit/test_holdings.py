"""Lookups in a corpus: a question reads as many norms of a large corpus as of a small one."""

from collections import Counter
from datetime import date
from typing import Any

import pytest

from law.holdings import Holdings
from law.norms import SUMMARISES, Norm
from rag.question.question_reading import understand

TODAY = date(2026, 6, 1)
READS: Counter[str] = Counter()


class Watched(Norm):
    """A norm that counts how often a field of it is read."""

    def __getattribute__(self, name: str) -> Any:
        if name in Norm.model_fields:
            READS[name] += 1
        return super().__getattribute__(name)


def corpus(size: int) -> Holdings:
    """As many laws, agreements and contracts, of which questions name the first ones."""
    made: list[Norm] = []
    for n in range(1, size + 1):
        agreement = f"Convenio colectivo de la rama{n} de la provincia de Huelva{n}"
        contract = f"Suministro de faroles{n} solares{n}"
        made += [
            Watched(id=f"L-{n}", title=f"Ley {n}/2031", law=f"Ley {n}/2031", rank="Ley", number=f"{n}/2031"),
            Watched(id=f"A-{n}", title=agreement, law=agreement, rank="Convenio colectivo"),
            Watched(
                id=f"C-{n}",
                title=contract,
                law=contract,
                collection="contratos",
                extra={"num_contrato": f"CON-2031-{n:04}"},
            ),
        ]
    return Holdings(made)


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos días de vacaciones tengo?",
        "¿Qué dice el artículo 3 de la Ley 1/2031 sobre la jornada?",
        "¿Qué dice el convenio de la rama1 de Huelva1?",
        "¿Cuánto da el convenio colectivo de hostelería en Valencia, y desde 2019?",
        "¿Cuánto cuesta CON-2031-0001?",
    ],
)
def test_a_question_reads_no_more_norms_of_a_large_corpus(question: str) -> None:
    reads = []
    for held in (corpus(2), corpus(200)):
        READS.clear()
        understand(question, (), TODAY, held)
        reads.append(READS.total())
    assert reads[0] == reads[1]


def test_documents_are_found_by_their_numbers_and_agreements_by_their_names() -> None:
    held = corpus(200)
    assert understand("¿Cuánto cuesta CON-2031-0150?", (), TODAY, held).pointed.where == {
        "contratos": ("C-150",)
    }
    found = understand("¿Qué dice el convenio de la rama7?", (), TODAY, held).agreements
    assert (found.named, len(found.others)) == (("A-7",), 199)


def test_a_summary_stands_for_its_norm_and_a_norm_is_known_by_number_rank_and_alias() -> None:
    norm = Norm(id="R-1", title="Guía", law="Guía", rank="Guía", alias="G", number="9/2031", official=False)
    held = Holdings([norm.model_copy(update={"extra": {SUMMARISES: "BOE-A-2031-9"}})])
    assert held.norms == {"R-1", "BOE-A-2031-9"}
    assert held.numbers == {"9/2031", "guia 9/2031"}
    assert [one.id for one in held.aliases["G"]] == ["R-1"]
    assert (held.unofficial, Holdings().unofficial) == (True, False)
