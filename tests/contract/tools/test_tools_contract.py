"""The six tools by their contract: texts to the letter, what models are told of them."""

import pytest

from rag.tools.regex_search import PREDEFINED
from rag.tools.tool_contract import TOOLS, function_tools, prompt_text
from tests.case_files import passage
from tests.contract.tools.conftest import SEARCH_HEADER
from tests.tool_corpus import LONG, Tools, xml


@pytest.mark.parametrize(
    ("call", "section"),
    [
        (xml("lexical_search", query="paro en la oficina", top_k=3), "Búsqueda léxica"),
        (
            xml("semantic_search", query="horario de los centros", top_k=2, min_score=0.1),
            "Búsqueda semántica",
        ),
        (
            xml("structure_search", document_name="Guia_Contactos.md", chunk_type="table"),
            "Búsqueda estructural",
        ),
        (xml("regex_search", predefined="email", context_lines=1), "Búsqueda por regex"),
        (xml("file_section", file_name="archivo.v2", chunk_start=1, chunk_end=9), "Parte de un documento"),
        (
            xml("file_section", file_name="GC", chunk_start=3, chunk_end=3, include_metadata="true"),
            "Parte de un documento, con lo que se sabe de cada fragmento",
        ),
        (xml("file_content", file_name="Guia_Contactos"), "Documento entero"),
        (
            xml("file_content", file_name="archivo.v2.md", include_structure="false"),
            "Documento entero, sin su estructura",
        ),
    ],
    ids=["lexical", "semantic", "structure", "regex", "section", "metadata", "content", "plain"],
)
def test_the_text_is_that_of_the_contract_to_the_letter(tools: Tools, call, section):
    assert tools.text(call) == passage("tool_answers", section)


def test_several_calls_share_a_header_in_document_order(tools: Tools):
    calls = [
        xml("file_section", file_name="archivo.v2", chunk_start=2, chunk_end=2),
        xml("nothing"),
        xml("lexical_search", query="turnos"),
    ]
    text = tools.text("\n".join(calls))
    assert text.startswith(SEARCH_HEADER.format(total=3, done=2, failed=1))
    marks = ["📊 Sección de archivo", "❌ tool_nothing: No existe", "🔍 Búsqueda léxica: 'turnos'"]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


def test_searches_are_cut_at_500_characters_and_files_never_are(tools: Tools):
    found = tools.text(xml("lexical_search", query="palabra050"))
    shown = found.partition("Contenido:\n")[2]
    assert shown.endswith("...") and 480 < len(shown) <= 503
    assert LONG in tools.text(xml("file_section", file_name="GC", chunk_start=3, chunk_end=3))
    assert LONG in tools.text(xml("file_content", file_name="GC"))
    assert LONG in tools.one(xml("lexical_search", query="palabra050")).result.results[0].content


def test_the_prompt_names_every_tool_parameter_default_and_limit():
    text = prompt_text()
    for tool in TOOLS.values():
        assert f"<{tool.name}>" in text and f"Uso recomendado: {tool.use}." in text
        assert all(f"- {name} (" in text for name in tool.params.model_fields)
    assert "- top_k (opcional; por defecto 5, máximo 10)" in text
    assert "- include_structure (opcional; por defecto true)" in text
    assert all(name in text for name in PREDEFINED)


def test_the_functions_say_what_the_prompt_says_in_schemas_that_every_endpoint_takes() -> None:
    functions = {tool.name: tool for tool in function_tools()}
    assert list(functions) == list(TOOLS)
    for tool in functions.values():
        properties = tool.parameters["properties"]
        assert list(properties) == list(TOOLS[tool.name].params.model_fields)
        for schema in properties.values():
            assert set(schema) <= {"type", "enum", "anyOf", "description"}
            assert schema["description"].rpartition(" (")[0] in prompt_text()
    search = functions["tool_lexical_search"].parameters["properties"]
    assert search["query"] == {"type": "string", "description": "Términos de búsqueda exactos (requerido)."}
    assert search["top_k"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "description": "Número de resultados (opcional; por defecto 5, máximo 10).",
    }
    assert search["as_of"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "Día de cuya redacción se trata, AAAA-MM-DD; sin él, el de la consulta (opcional).",
    }
    position = functions["tool_structure_search"].parameters["properties"]["position"]
    assert position["anyOf"] == [{"type": "string", "enum": ["first_5", "last_3", "all"]}, {"type": "null"}]
