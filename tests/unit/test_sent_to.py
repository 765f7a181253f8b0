"""Tables that a passage sends to within its document, and the rows of them that answer."""

import pytest

from law.chunks import Chunk
from law.norm_names import NormCatalogue
from law.norms import DOCUMENT, Norm
from rag.answers.asked_rows import asked_rows, told_rows
from rag.answers.passage_selection import stretches
from rag.answers.remissions import labels, tables
from rag.shared.hits import Hit
from tests.case_files import pairs
from tests.factories import make_chunk

LAW = "Convenio colectivo inventado de faros"
OTHER = Norm(id="X-OTRA", title="Ley 7/1999, de faroles", law="Ley 7/1999", rank="Ley", number="7/1999")
CATALOGUE = NormCatalogue([OTHER])
DIETAS = "Anexo V. Dietas.\n| Dieta | Euros |\n| --- | --- |\n| Almuerzo | 13,75 |\n| Pernocta | 29,95 |"
PERMITS = (
    "Artículo 31. Licencias.\n| Causa del permiso | Días |\n| --- | --- |\n| Boda o pareja de hecho | 16 |\n"
    "| Óbito de un pariente | 4 |"
)


def chunk(text: str, label: str, **fields: object) -> Chunk:
    given = {"norm_id": "X-FAROS", "law": LAW, "rank": "Convenio colectivo"} | fields
    section, _, _ = text.partition("\n")
    return make_chunk(text=text, label=label, block_id=label, section=section, start=0, **given)


SOURCE = chunk("Artículo 29. Dietas.\nSe pagan las dietas del anexo V.", "29")
HITS = [
    Hit(chunk=SOURCE, score=1.0),
    Hit(chunk=chunk(DIETAS, "anexo V"), score=0.5, origin="reference"),
    Hit(chunk=chunk(PERMITS, "31"), score=0.5),
    Hit(chunk=chunk(PERMITS, "31", norm_id="X-OTRO", law="Otro convenio"), score=0.5),
]


def sent_to(text: str, hits: list[Hit] = HITS) -> list[str]:
    return [hit.chunk.section for _, hit in tables(text, SOURCE, hits, CATALOGUE)]


@pytest.mark.parametrize(("text", "named"), pairs("own_annexes"))
def test_a_text_names_the_blocks_of_its_own_norm(text: str, named: str) -> None:
    assert "; ".join(labels(text, "X-FAROS", CATALOGUE)) == named


def test_a_passage_sends_to_the_annex_or_the_article_of_its_own_norm_that_it_names() -> None:
    assert sent_to("Las dietas del anexo V.") == ["Anexo V. Dietas."]
    assert sent_to("Los permisos del artículo 31.") == ["Artículo 31. Licencias."]
    assert sent_to("Los permisos del anexo IV.") == []
    assert sent_to("Se paga a fin de mes.") == []


def test_tables_without_a_name_are_those_of_the_document_unless_the_article_has_its_own() -> None:
    assert sent_to("Las de las tablas anexas.") == ["Anexo V. Dietas.", "Artículo 31. Licencias."]
    source = chunk(f"{PERMITS}\nLos días son los de la tabla.", "31")
    found = tables("Los días son los de la tabla.", source, HITS, CATALOGUE)
    assert [number for number, _ in found] == [2]


def sheet(title: str, rank: str = "") -> Hit:
    text = f"Tabla 2\n{title}. Tabla 2\n| Plus | Euros |\n| --- | --- |\n| Domingo | 34,50 |"
    return Hit(chunk=chunk(text, "", norm_id="tablas", law="tablas", rank=rank), score=0.5)


def test_a_sheet_under_the_name_of_the_norm_is_part_of_its_document() -> None:
    assert sent_to("El complemento de la tabla 2.", [*HITS, sheet(LAW)]) == ["Tabla 2"]
    assert sent_to("El complemento de la tabla 2.", [*HITS, sheet("Otro convenio")]) == []
    assert sent_to("El complemento de la tabla 2.", [*HITS, sheet(LAW, "Ley")]) == []


def test_a_table_in_a_document_of_the_person_who_asks_is_none_of_the_norm() -> None:
    own = HITS[1].model_copy(update={"origin": DOCUMENT})
    assert sent_to("Las dietas del anexo V.", [HITS[0], own]) == []


def test_of_a_table_that_answers_only_the_rows_that_say_a_word_of_the_question_are_told() -> None:
    found = stretches(tables("Las dietas del anexo V.", SOURCE, HITS, CATALOGUE))
    assert [row.text for row in told_rows("¿Cuánto pagan por la pernocta?", (), found)] == [
        "| Pernocta | 29,95 |"
    ]
    assert told_rows("¿Cuánto pagan por dormir fuera?", (), found) == []


def test_a_figure_of_something_else_does_not_take_the_place_of_the_row_that_is_asked_about() -> None:
    holidays = chunk("Artículo 17. Vacaciones.\nSon treinta y un días naturales, partidos en dos.", "17")
    found = stretches([(0, Hit(chunk=holidays, score=1.0)), (1, HITS[2])])
    (row,) = asked_rows("¿Cuántos días dan por una boda?", (), found)
    assert row.text == "| Boda o pareja de hecho | 16 |"
    assert asked_rows("¿Cuántos días de vacaciones hay?", (), found) == []
