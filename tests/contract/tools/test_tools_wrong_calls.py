"""Calls of tools that cannot be done, each told in one sentence."""

import pytest

from rag.tools.tool_contract import TOOLS
from tests.contract.tools.conftest import SEARCH_HEADER
from tests.tool_corpus import Tools, xml

SECTION_OF = {"file_name": "Guia_Contactos.md"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (xml("lexical_search"), "Falta el parámetro obligatorio «query»."),
        (xml("lexical_search", query="  "), "Falta el parámetro obligatorio «query»."),
        (xml("lexical_search", query="x", top_k=0), "«top_k» debe ser como mínimo 1, no «0»."),
        (xml("lexical_search", query="x", top_k="cinco"), "«top_k» debe ser un número entero, no «cinco»."),
        (
            xml("lexical_search", query="x", limit=5),
            "«limit» no es un parámetro de esta herramienta: son query, top_k, as_of.",
        ),
        (
            xml("lexical_search", query="x" * 2001),
            "«query» debe ser un texto de 2000 caracteres como máximo, no «" + "x" * 80 + "».",
        ),
        (
            xml("lexical_search", query="x", as_of="2019-02-30"),
            "«as_of» debe ser una fecha escrita como 2024-03-01, no «2019-02-30».",
        ),
        (
            xml("file_content", file_name="GC", as_of="hace diez años"),
            "«as_of» debe ser una fecha escrita como 2024-03-01, no «hace diez años».",
        ),
        (xml("semantic_search", query="x", min_score="nan"), "«min_score» debe ser un número, no «nan»."),
        (xml("semantic_search", query="x", min_score=-1), "«min_score» debe ser como mínimo 0.0, no «-1»."),
        (
            xml("structure_search", document_name="Guia_Contactos.md", chunk_type="imagen"),
            "«chunk_type» debe ser uno de section_header, table, content, no «imagen».",
        ),
        (
            xml("structure_search", document_name="Guia_Contactos"),
            "No existe el documento «Guia_Contactos». Escriba el nombre exacto, con su extensión."
            " Nombres parecidos: Guia_Contactos.md.",
        ),
        (xml("regex_search"), "Indique «predefined» o «pattern»: no se ha indicado ninguno."),
        (
            xml("regex_search", predefined="email", pattern="x"),
            "Indique «predefined» o «pattern»: no ambos.",
        ),
        (
            xml("regex_search", predefined="iban"),
            "«predefined» debe ser uno de email, url, version, reference, amount, term, no «iban».",
        ),
        (
            xml("regex_search", pattern="(abierto"),
            "La expresión regular no es válida: missing ): (abierto.",
        ),
        (
            xml("regex_search", pattern="x", case_sensitive="quizá"),
            "«case_sensitive» debe ser sí o no (true o false), no «quizá».",
        ),
        (xml("file_section", file_name="nota", chunk_start=1), "Falta el parámetro obligatorio «chunk_end»."),
        (
            xml("file_section", **SECTION_OF, chunk_start=0, chunk_end=2),
            "«chunk_start» debe ser como mínimo 1, no «0».",
        ),
        (
            xml("file_section", **SECTION_OF, chunk_start=5, chunk_end=2),
            "«chunk_start» (5) no puede ser mayor que «chunk_end» (2).",
        ),
        (
            xml("file_section", **SECTION_OF, chunk_start=1, chunk_end=101),
            "Se piden 101 chunks: el máximo por solicitud es 100.",
        ),
        (
            xml("file_section", **SECTION_OF, chunk_start=9, chunk_end=9),
            "Guia_Contactos.md tiene 4 chunks: no hay ninguno desde 9.",
        ),
        (
            xml("file_content", file_name="Guia_Contacto"),
            "No existe el documento «Guia_Contacto». Nombres parecidos: Guia_Contactos.md.",
        ),
        (xml("file_content", file_name="zzzz"), "No existe el documento «zzzz»."),
        (
            xml("file_content", file_name="aviso"),
            "El nombre «aviso» es ambiguo; indique uno de estos identificadores:"
            " aviso.md (X-AVISO-N), aviso.md (X-AVISO-S).",
        ),
        (
            xml("inventada", x=1),
            f"No existe esa herramienta; las que hay son {', '.join(TOOLS)}.",
        ),
        (
            "<tool_lexical_search><query>x</query>",
            "La llamada a tool_lexical_search no está cerrada: termínela con </tool_lexical_search>.",
        ),
    ],
)
def test_a_wrong_call_fails_with_a_sentence_that_says_what_to_do(tools: Tools, call, message):
    assert tools.error(call) == message
    text = tools.text(call)
    assert text.startswith(SEARCH_HEADER.format(total=1, done=0, failed=1))
    assert text.endswith(f": {message}")


def test_a_range_of_100_is_allowed_and_ends_where_the_document_does(tools: Tools):
    found = tools.one(xml("file_section", **SECTION_OF, chunk_start=4, chunk_end=103)).result
    assert [item.chunk_id for item in found.results] == ["Guia_Contactos_chunk_0004"]


@pytest.mark.parametrize("values", [{}, {"query": ["a"]}, {"query": None}, {"query": "x", "top_k": [1]}])
def test_typed_values_that_are_no_use_fail(tools: Tools, values):
    assert not tools.execute("tool_lexical_search", values).ok
