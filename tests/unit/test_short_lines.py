"""Short lines of laws and of loaded documents: items of a list, and values behind a label."""

import pytest

from rag.answers.labelled_lines import asked_lines
from rag.answers.passage_selection import stretches
from rag.answers.quotable import quotable
from rag.answers.quotation_check import verify
from rag.answers.quoted_words import without_false_marks
from rag.answers.written_answer import quoted_passage
from rag.shared.answer_contract import DraftCitation
from rag.shared.hits import Context, Hit
from tests.factories import make_chunk

PARTIES = "Órgano: Junta inventada\nContratista: Talleres Inventados S.A.\nCIF del contratista: A-00000000"
MONEY = (
    "Importe total (IVA incluido): 1.200,00 EUR\nImporte: sin revisión\nLos pagos se hacen en treinta días."
)


def of_contract(text: str, section: str, name: str = "Contrato de vehículos ligeros"):
    return make_chunk("C-1", section, text, section=section, law=name, collection="contratos")


def asked(question: str) -> list[str]:
    chunks = of_contract(PARTIES, "PARTES"), of_contract(MONEY, "IMPORTE")
    found = stretches([(place, Hit(chunk=chunk, score=1.0)) for place, chunk in enumerate(chunks)])
    return [passage.text for passage in asked_lines(question, found)]


@pytest.mark.parametrize(
    ("lines", "quoted"),
    [
        (
            ["a) La total, que impide el oficio.", "b) La absoluta.", "c) La grande."],
            ["a) La total, que impide el oficio.\nb) La absoluta.\nc) La grande."],
        ),
        (
            ["* Norma 27001", "* Alto", "* Otra norma más larga"],
            ["* Norma 27001\n* Alto", "* Otra norma más larga"],
        ),
        (["Beneficiarios.", "Lo será quien lo pida."], ["Beneficiarios.\nLo será quien lo pida."]),
        (["2027 - 22,60 %", "2028 - 23,10 %"], ["2027 - 22,60 %\n2028 - 23,10 %"]),
        (["a) (Derogado)", "b) La causa válida del contrato."], ["b) La causa válida del contrato."]),
        (["IV", "La ley inventada se divide en títulos."], ["La ley inventada se divide en títulos."]),
        (
            ["2 bis.", "Lo anterior rige desde mayo de 2027."],
            ["2 bis.\nLo anterior rige desde mayo de 2027."],
        ),
    ],
)
def test_a_line_too_short_to_quote_goes_with_its_list_or_with_the_next_line(lines, quoted):
    heading = "Artículo 7. Regla inventada."
    chunk = make_chunk(text="\n".join([heading, *lines]), section=heading)
    assert [piece.text for piece in quotable(chunk)] == quoted


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (
            "¿Cuál es el importe total del contrato de vehículos?",
            "Importe total (IVA incluido): 1.200,00 EUR",
        ),
        ("¿Qué empresa es el contratista?", "Contratista: Talleres Inventados S.A."),
        ("dime el CIF del contratista", "CIF del contratista: A-00000000"),
    ],
)
def test_a_line_whose_whole_label_is_asked_for_is_quoted(question, line):
    assert asked(question) == [line]


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué plazo tiene el contrato de vehículos ligeros?",
        "¿Responde el contratista de los salarios de la subcontrata?",
        "¿Qué indemnización paga el contratista si la obra termina tarde?",
        "el contratista",
    ],
)
def test_a_question_that_asks_for_more_than_a_label_gets_no_line(question):
    assert asked(question) == []


def test_a_line_of_another_document_than_the_first_is_not_quoted():
    other = make_chunk(
        "N-1", "7", "Artículo 7. Pago.\nEl pago se hace en treinta días.", section="Artículo 7. Pago."
    )
    chunks = other, of_contract(PARTIES, "PARTES")
    found = stretches([(place, Hit(chunk=chunk, score=1.0)) for place, chunk in enumerate(chunks)])
    assert asked_lines("¿quién es el contratista?", found) == []


def test_the_first_line_of_a_section_without_heading_can_be_cited():
    hits = Context(hits=(Hit(chunk=of_contract(MONEY, "IMPORTE"), score=1.0),))
    (citation,), _ = verify([DraftCitation(quote=MONEY.splitlines()[0], marker="C1")], hits, chosen=True)
    assert citation.quote == MONEY.splitlines()[0]


@pytest.mark.parametrize(
    "heading", ["Artículo 7. Pago de los salarios inventados.", "PREÁMBULO DE LA LEY INVENTADA"]
)
def test_the_heading_of_an_article_cannot_be_cited(heading):
    chunk = make_chunk(text=f"{heading}\nEl pago se hace en treinta días.", section=heading)
    citations, checks = verify(
        [DraftCitation(quote=heading, marker="C1")], Context(hits=(Hit(chunk=chunk, score=1.0),))
    )
    assert not citations
    assert "rúbrica" in checks[0].reason


def test_a_list_with_stars_is_said_on_one_line_and_keeps_its_marks():
    text = "* Norma 27001\n* Esquema alto"
    (piece,) = quotable(of_contract(text, "NORMAS"))
    (found,) = stretches([(0, Hit(chunk=of_contract(text, "NORMAS"), score=1.0))])
    answer = f"{quoted_passage(found.passage(1.0), text)} [C1]"
    assert answer == "«* Norma 27001 * Esquema alto» [C1]"
    assert without_false_marks(answer, {"C1": [piece.text]}) == (answer, [])
    assert without_false_marks(answer, {"C1": ["* Norma 27002\n* Esquema alto"]})[1]
