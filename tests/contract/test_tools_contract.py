"""The six tools by their contract: texts to the letter, values, every error, order, typed values."""

import re

import pytest

from rag.errors import EmbedderUnavailable
from rag.index.sparse import SparseEncoder
from rag.tools.contract import TOOLS, function_tools, prompt_text
from rag.tools.regex_search import PREDEFINED
from tests.fakes import HashEmbedder
from tests.queries import statements
from tests.tool_corpus import AS_OF, LONG, Tools, toolbox, xml


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    with toolbox(tmp_path_factory.mktemp("tools")) as made:
        yield made


SEARCH_HEADER = """\
[RESULTADOS DE TU BÚSQUEDA]

RECORDATORIO - Pregunta original del usuario: "¿Qué dice la guía?"

INSTRUCCIONES:
1. Analiza estos resultados cuidadosamente
2. Presenta una respuesta natural y útil al usuario
3. Cita las fuentes mencionando los documentos
4. Si la información no es suficiente, dilo claramente

📊 Total de búsquedas ejecutadas: {total}
   Exitosas: {done}
   Fallidas: {failed}
"""
ONE_SEARCH = SEARCH_HEADER.format(total=1, done=1, failed=0)
FILE_HEADER = """\
[RESULTADOS DE TU BÚSQUEDA]

RECORDATORIO - Pregunta original del usuario: "¿Qué dice la guía?"
"""
RULE = "═══════════════════════════════════════════════════════════════"

LEXICAL = f"""{ONE_SEARCH}
🔍 Búsqueda léxica: 'paro en la oficina'
   Resultados encontrados: 3
   Query expandida: '(paro OR prestación OR desempleo) OR oficina'

[Resultado 1]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0001
Score: 3.0
Contenido:
Artículo 1. Oficina virtual.
La oficina virtual responde en soporte@ejemplo.invalid a quien cobra el desempleo.
Su página es https://ejemplo.invalid/ayuda y su programa la versión 2.10.3 del año 1995.

[Resultado 2]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0004
Score: 1.4
Contenido:
Artículo 4. Expediente.
El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica.

[Resultado 3]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0002
Score: 1.4
Contenido:
Artículo 2. Horario de los centros.
Los centros abren según este cuadro.
| Centro | Horario |
|---|---|
| Norte | 9 a 14 |
| Sur | 16 a 19 |"""

SEMANTIC = f"""{ONE_SEARCH}
🧠 Búsqueda semántica: 'horario de los centros'
   Resultados encontrados: 1
   Modelo: hash-64

[Resultado 1]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0002
Similitud: 0.7605
Contenido:
Artículo 2. Horario de los centros.
Los centros abren según este cuadro.
| Centro | Horario |
|---|---|
| Norte | 9 a 14 |
| Sur | 16 a 19 |"""

STRUCTURE = f"""{ONE_SEARCH}
🏗️  Búsqueda estructural: documento 'Guia_Contactos.md'
   Resultados encontrados: 1
   Filtros: chunk_type=table

[Resultado 1]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0002
Tipo: table
Contenido:
Los centros abren según este cuadro.
| Centro | Horario |
|---|---|
| Norte | 9 a 14 |
| Sur | 16 a 19 |"""

REGEX = f"""{ONE_SEARCH}
🔎 Búsqueda por regex: patrón 'email'
   Total de coincidencias: 2 en 2 archivos

[Archivo: archivo.v2.md]
Total de matches: 1

Match 1: archivo@ejemplo.invalid
Contexto:
Artículo 1. Archivo.
El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

[Archivo: Guia_Contactos.md]
Total de matches: 1

Match 1: soporte@ejemplo.invalid
Contexto:
Artículo 1. Oficina virtual.
La oficina virtual responde en soporte@ejemplo.invalid a quien cobra el desempleo.
Su página es https://ejemplo.invalid/ayuda y su programa la versión 2.10.3 del año 1995."""

SECTION = f"""{FILE_HEADER}
INSTRUCCIONES:
1. Analiza estos resultados cuidadosamente
2. Presenta una respuesta natural y útil al usuario
3. Cita las fuentes mencionando los documentos

📊 Sección de archivo obtenida
   Archivo: archivo.v2.md
   Chunks solicitados: 1-9
   Chunks encontrados: 2

[Chunk 1]
ID: archivo_v2_chunk_0001
Índice: 1

Artículo 1. Archivo.
El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

[Chunk 2]
ID: archivo_v2_chunk_0002
Índice: 2

Artículo 2. Vacaciones del archivo.
El archivo cierra por vacaciones en agosto."""

SECTION_METADATA = f"""{FILE_HEADER}
INSTRUCCIONES:
1. Analiza estos resultados cuidadosamente
2. Presenta una respuesta natural y útil al usuario
3. Cita las fuentes mencionando los documentos

📊 Sección de archivo obtenida
   Archivo: Guia_Contactos.md
   Chunks solicitados: 3-3
   Chunks encontrados: 1

[Chunk 3]
ID: Guia_Contactos_chunk_0003
Índice: 3

📋 Metadata del chunk:
   Descripción: Artículo 3. Vacaciones del personal.
   Keywords: jornada

Artículo 3. Vacaciones del personal.
{LONG}"""

CONTENT = f"""{FILE_HEADER}
INSTRUCCIONES:
1. Analiza estos resultados cuidadosamente
2. Presenta una respuesta natural y útil al usuario
3. Usa la estructura para identificar secciones relevantes

📄 Contenido completo del archivo
   Archivo: Guia_Contactos.md
   Tamaño: 1,903 caracteres
   Total chunks: 5
   Estructura disponible: Sí

{RULE}
CONTENIDO COMPLETO
{RULE}

Guía inventada de contactos de la oficina

Identificador: X-GUIA
Nombre: Guía de Contactos (GC)
Rango: Guía
Ámbito: estatal
Publicación: 2019-12-20
En vigor desde: 2020-01-01
Estado: Vigente
Fuente: https://ejemplo.invalid/guia

TÍTULO I. De la oficina
CAPÍTULO I. De la atención

Artículo 1. Oficina virtual.
La oficina virtual responde en soporte@ejemplo.invalid a quien cobra el desempleo.
Su página es https://ejemplo.invalid/ayuda y su programa la versión 2.10.3 del año 1995.

Artículo 2. Horario de los centros.
Los centros abren según este cuadro.
| Centro | Horario |
|---|---|
| Norte | 9 a 14 |
| Sur | 16 a 19 |

CAPÍTULO II. De los recursos

Artículo 3. Vacaciones del personal.
{LONG}

Artículo 4. Expediente.
El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica.

{RULE}
ESTRUCTURA DEL DOCUMENTO (5 chunks)
{RULE}

📋 Chunk 0: Guia_Contactos_chunk_0000
   Descripción: Guía inventada de contactos de la oficina

📋 Chunk 1: Guia_Contactos_chunk_0001
   Descripción: Artículo 1. Oficina virtual.
   Keywords: general

📋 Chunk 2: Guia_Contactos_chunk_0002
   Descripción: Artículo 2. Horario de los centros.
   Keywords: jornada

📋 Chunk 3: Guia_Contactos_chunk_0003
   Descripción: Artículo 3. Vacaciones del personal.
   Keywords: jornada

📋 Chunk 4: Guia_Contactos_chunk_0004
   Descripción: Artículo 4. Expediente.
   Keywords: procedimiento

{RULE}"""

PLAIN_CONTENT = f"""{FILE_HEADER}
📄 Contenido completo del archivo
   Archivo: archivo.v2.md
   Tamaño: 349 caracteres
   Estructura disponible: No

{RULE}
CONTENIDO COMPLETO
{RULE}

Instrucción inventada de archivo

Identificador: X-OTRA
Nombre: Instrucción de Archivo
Rango: Instrucción
Ámbito: estatal
En vigor desde: 2021-01-01
Estado: Vigente

Artículo 1. Archivo.
El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

Artículo 2. Vacaciones del archivo.
El archivo cierra por vacaciones en agosto.

{RULE}"""


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (xml("lexical_search", query="paro en la oficina", top_k=3), LEXICAL),
        (xml("semantic_search", query="horario de los centros", top_k=2, min_score=0.1), SEMANTIC),
        (xml("structure_search", document_name="Guia_Contactos.md", chunk_type="table"), STRUCTURE),
        (xml("regex_search", predefined="email", context_lines=1), REGEX),
        (xml("file_section", file_name="archivo.v2", chunk_start=1, chunk_end=9), SECTION),
        (
            xml("file_section", file_name="GC", chunk_start=3, chunk_end=3, include_metadata="true"),
            SECTION_METADATA,
        ),
        (xml("file_content", file_name="Guia_Contactos"), CONTENT),
        (xml("file_content", file_name="archivo.v2.md", include_structure="false"), PLAIN_CONTENT),
    ],
    ids=["lexical", "semantic", "structure", "regex", "section", "metadata", "content", "plain"],
)
def test_the_text_is_that_of_the_contract_to_the_letter(tools: Tools, call, text):
    assert tools.text(call) == text


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


def test_a_lexical_result_has_the_fields_of_the_contract(tools: Tools):
    found = tools.one(xml("lexical_search", query="paro en la oficina", top_k=1)).result.model_dump()
    assert found.pop("execution_time_ms") > 0
    item = found.pop("results")[0]
    assert found == {
        "query": "paro en la oficina",
        "expanded_query": "(paro OR prestación OR desempleo) OR oficina",
        "total_found": 1,
        "search_params": {
            "operator": "OR",
            "top_k": 1,
            "filters_applied": {},
            "synonyms_used": ["prestación por desempleo"],
        },
        "search_type": "lexical_search",
    }
    assert item["source_file"] == "Guia_Contactos.md"
    assert item["highlights"] == (
        "Artículo 1. <em>Oficina</em> virtual.",
        "La <em>oficina</em> virtual responde en soporte@ejemplo.invalid"
        " a quien cobra el <em>desempleo</em>.",
    )
    assert item["metadata"]["chunk"] == "X-GUIA/a1@2020-01-01#1"
    assert item["metadata"]["section_title"] == "Artículo 1. Oficina virtual."
    assert (item["metadata"]["chunk_type"], item["metadata"]["has_tables"]) == ("content", False)


def test_a_semantic_result_has_cosines_in_order_no_expansion_and_its_model(tools: Tools):
    found = tools.one(xml("semantic_search", query="vacaciones del personal")).result
    scores = [item.score for item in found.results]
    assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 1
    assert found.expanded_query is None
    assert found.search_params == {"top_k": 10, "min_score": 0.0, "embedding_model": "hash-64"}
    least = scores[2]
    kept = tools.one(xml("semantic_search", query="vacaciones del personal", min_score=least)).result
    assert [item.score for item in kept.results] == scores[:3]


@pytest.mark.parametrize(
    ("query", "expanded"),
    [
        ("expediente", "expediente"),
        ("expediente y centros", "expediente OR centros"),
        ("centros centro", "centros"),
        ("turnos del paro", "(turnos OR trabajo) OR (paro OR prestación OR desempleo)"),
        ("¿y de la?", None),
        ("art. 3 GC", "art OR 3 OR GC OR art:3 OR norm:X-GUIA"),
    ],
)
def test_the_expanded_query_says_what_was_run(tools: Tools, query, expanded):
    assert tools.one(xml("lexical_search", query=query)).result.expanded_query == expanded


@pytest.mark.parametrize("query", ["turnos del paro", "baja médica por embarazo", "art. 3 GC", "ERTE y ERE"])
def test_the_terms_of_the_expanded_query_are_those_that_the_index_was_asked(tools: Tools, query, monkeypatch):
    asked = []
    index = tools.program.services.index
    search = index.search
    monkeypatch.setattr(index, "search", lambda queries: asked.extend(queries) or search(queries))
    expanded = tools.one(xml("lexical_search", query=query)).result.expanded_query
    terms = [term for term in re.split(r"[() ]+|OR", expanded) if term]
    tokens = {term for term in re.findall(r"\w+:[\w-]+", expanded)}
    words = " ".join(term for term in terms if term not in tokens)
    assert SparseEncoder().query(words, tokens=tokens).indices == asked[0].sparse.indices


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ({"chunk_type": "section_header"}, [0, 1, 2, 3, 4]),
        ({"chunk_type": "section_header", "keywords": "capítulo ii, ninguna"}, [3]),
        ({"chunk_type": "content"}, [1, 3, 4]),
        ({"chunk_type": "content", "position": "last_3", "top_k": 2}, [1, 3]),
        ({}, [0, 1, 2, 3, 4]),
        ({"position": "first_5"}, [0, 1, 2, 3, 4]),
        ({"position": "last_3"}, [2, 3, 4]),
        ({"keywords": "HORARIO,expediente", "position": "all"}, [2, 4]),
        ({"keywords": "nada"}, []),
    ],
)
def test_structure_is_read_from_the_document_in_order(tools: Tools, given, numbers):
    found = tools.one(xml("structure_search", document_name="Guia_Contactos.md", **given))
    assert [int(item.chunk_id[-4:]) for item in found.result.results] == numbers
    assert found.fallback == ""


def test_headers_are_the_headings_that_begin_there_and_the_article_s_own(tools: Tools):
    found = tools.one(xml("structure_search", document_name="Guia_Contactos.md", chunk_type="section_header"))
    assert [item.content for item in found.result.results] == [
        "Guía inventada de contactos de la oficina",
        "TÍTULO I. De la oficina\nCAPÍTULO I. De la atención\nArtículo 1. Oficina virtual.",
        "Artículo 2. Horario de los centros.",
        "CAPÍTULO II. De los recursos\nArtículo 3. Vacaciones del personal.",
        "Artículo 4. Expediente.",
    ]


@pytest.mark.parametrize(
    ("keywords", "question", "found"),
    [("noche", "x", 1), ("", "¿Cómo rotan los turnos?", 1), ("", "¿y de la?", 0)],
)
def test_without_structure_the_document_is_searched_and_the_model_is_not_told(
    tools: Tools, keywords, question, found
):
    call = xml("structure_search", document_name="nota.md", keywords=keywords, top_k=40)
    outcome = tools.one(call, question=question)
    assert outcome.fallback == "lexical"
    assert outcome.result.search_type == "structure_search"
    assert [item.source_file for item in outcome.result.results] == ["nota.md"] * found
    assert outcome.text.startswith("🏗️  Búsqueda estructural: documento 'nota.md'")
    assert "léxica" not in outcome.text and "Score" not in outcome.text


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ({"predefined": "url"}, ["https://ejemplo.invalid/guia", "https://ejemplo.invalid/ayuda"]),
        ({"predefined": "version"}, ["2.10.3"]),
        ({"pattern": r"\bAPI[-_]?KEY\b"}, ["api_key"]),
        ({"pattern": r"\bAPI[-_]?KEY\b", "case_sensitive": "true"}, []),
        ({"pattern": r"REF-\d{4}-[A-Z]{3}", "case_sensitive": "true"}, ["REF-2024-ABC"]),
        ({"pattern": r"\bpagina\b"}, ["página"]),
        ({"pattern": r"\bPÁGINA\b"}, ["página"]),
        ({"pattern": "pagina", "case_sensitive": "true"}, []),
        ({"pattern": "^Su página", "case_sensitive": "true"}, ["Su página"]),
        ({"pattern": "virtual.\nLa oficina"}, ["virtual.\nLa oficina"]),
        ({"pattern": "(ñññ)*"}, []),
        ({"pattern": "palabra0", "max_matches_per_file": 2}, ["palabra0"] * 2),
    ],
)
def test_a_pattern_finds_what_it_says(tools: Tools, given, matches):
    found = tools.one(xml("regex_search", **given)).result
    marked = [re.sub("</?em>", "", item.highlights[0]) for item in found.results]
    assert marked == matches


def test_a_match_names_its_chunk_its_line_and_its_context(tools: Tools):
    (item,) = tools.one(xml("regex_search", pattern="ref-2024", context_lines=0)).result.results
    assert item.chunk_id == "Guia_Contactos_chunk_0004"
    assert (
        item.content
        == "El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica."
    )
    content = tools.program.corpus.document("X-GUIA")
    assert item.metadata.line and content
    heading = tools.one(xml("regex_search", pattern="CAPÍTULO II")).result.results[0]
    assert heading.chunk_id == "Guia_Contactos_chunk_0003"


def test_matches_beyond_what_a_model_should_read_are_counted(tools: Tools):
    outcome = tools.one(xml("regex_search", pattern="palabra", context_lines=20, max_matches_per_file=100))
    assert len(outcome.result.results) == 100
    assert len(outcome.text) < 30_000
    assert re.search(r"\[\.\.\.\] Hay \d+ coincidencias más", outcome.text)


@pytest.mark.parametrize(
    ("tool", "given", "in_force"),
    [
        ("lexical_search", {"query": "turnos", "top_k": 11}, {"top_k": 10}),
        (
            "semantic_search",
            {"query": "turnos", "top_k": 51, "min_score": 1.5},
            {"top_k": 50, "min_score": 1.0},
        ),
        ("structure_search", {"document_name": "nota.md", "top_k": 10**30}, {"top_k": 50}),
        (
            "regex_search",
            {"pattern": "turno", "context_lines": 21, "max_matches_per_file": 101},
            {"context_lines": 20, "max_matches_per_file": 100},
        ),
    ],
)
def test_a_value_above_its_maximum_is_clamped_and_recorded(tools: Tools, tool, given, in_force):
    params = tools.one(xml(tool, **given)).result.search_params
    assert {name: params[name] for name in in_force} == in_force
    assert params["clamped"] == {name: given[name] for name in in_force}


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
            "«limit» no es un parámetro de esta herramienta: son query, top_k.",
        ),
        (
            xml("lexical_search", query="x" * 2001),
            "«query» debe ser un texto de 2000 caracteres como máximo, no «" + "x" * 80 + "».",
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
            "«predefined» debe ser uno de email, url, version, no «iban».",
        ),
        (
            xml("regex_search", pattern="(abierto"),
            "La expresión regular no es válida: missing ): (abierto.",
        ),
        (
            xml("regex_search", pattern="x", case_sensitive="quizá"),
            "«case_sensitive» debe ser true o false, no «quizá».",
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


@pytest.fixture(scope="module")
def trap(tmp_path_factory):
    """A corpus with a word that an engine which goes back reads in more ways than there are atoms."""
    home = tmp_path_factory.mktemp("trap")
    text = (
        f"---\nid: X-TRAMPA\ntitle: Trampa\n---\n#### Artículo 1. Uno.\n\n{'a' * 5000}!\n\n{'a' * 5000}zz\n"
    )
    (home / "trampa.md").write_text(text, "utf-8")
    with toolbox(home) as made:
        made.program.ingest([home / "trampa.md"])
        yield made


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "pattern", [r"(a+)+zz", r"(a|a)*zz", r"\b(a*)*zz", r"((a{1,30})+)+zz", "a" * 498 + "zz"]
)
def test_a_catastrophic_pattern_ends(trap: Tools, pattern, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.SECONDS", 50.0)
    found = trap.one(xml("regex_search", pattern=pattern)).result
    assert [item.source_file for item in found.results] == ["trampa.md"]


def test_a_search_out_of_time_fails(tools: Tools, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.SECONDS", -1.0)
    assert tools.error(xml("regex_search", pattern="a")).startswith("La búsqueda ha pasado de 1 segundo")


@pytest.fixture
def fresh(tools: Tools):
    """The same corpus with nothing read of it yet."""
    made = Tools(tools.program)
    yield made
    made.close()


def read_by_a_search(tools: Tools) -> int:
    """How many documents a search over the whole corpus reads from the database."""
    with statements(tools.program.database) as asked:
        tools.one(xml("regex_search", pattern="turno"))
    return len(asked.reading("block_versions"))


def test_a_corpus_that_cannot_all_be_kept_is_not_all_read_again(tools: Tools, fresh: Tools, monkeypatch):
    views = [tools.box.library.view(entry.norm.id, AS_OF) for entry in tools.box.library.entries()]
    size = 3 * sum(len(passage.text) for view in views for passage in view.passages)
    monkeypatch.setattr("rag.tools.documents.KEPT_CHARS", size - 1)
    assert [read_by_a_search(fresh) for _ in range(3)] == [len(views), 1, 1]


def test_a_search_that_has_read_for_too_long_stops_and_the_next_goes_on_there(fresh: Tools, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.READING_SECONDS", -1.0)
    assert fresh.error(xml("regex_search", pattern="turno")).startswith("No ha dado tiempo a leer todo")
    monkeypatch.undo()
    assert read_by_a_search(fresh) == len(fresh.box.library.entries()) - 1


@pytest.mark.parametrize("pattern", [r"(?=a)", r"(?<!b)a", r"(a)\1"])
def test_what_the_engine_lacks_is_explained(tools: Tools, pattern):
    assert "no se admiten" in tools.error(xml("regex_search", pattern=pattern))


class Broken(HashEmbedder):
    async def embed_queries(self, texts):
        raise EmbedderUnavailable("el modelo no carga")


def test_without_vectors_the_semantic_search_says_what_to_use(tmp_path):
    with toolbox(tmp_path, embedder=Broken()) as broken:
        message = broken.error(xml("semantic_search", query="turnos"))
    assert message.startswith("La búsqueda semántica no está disponible; use tool_lexical_search.")
    assert "el modelo no carga" in message


def test_an_index_that_fails_is_a_failed_call(tmp_path):
    with toolbox(tmp_path) as closed:
        closed.program.services.index.close()
        assert "El índice está cerrado" in closed.error(xml("lexical_search", query="turnos"))
        assert closed.one(xml("file_content", file_name="GC")).ok


@pytest.mark.parametrize("query", ["1995", "007", "1e3", "true", "null", "3.10"])
def test_a_query_that_looks_like_something_else_stays_text(tools: Tools, query):
    written, typed = tools.one(xml("lexical_search", query=query)), {"query": query}
    assert written.result.query == query
    assert tools.execute("tool_lexical_search", typed).result.query == query
    assert tools.execute("tool_lexical_search", {"query": 1995}).result.query == "1995"


def test_a_call_with_typed_values_gives_what_xml_gives(tools: Tools):
    values = {"document_name": "Guia_Contactos.md", "chunk_type": "table", "top_k": 3}
    outcome = tools.execute("tool_structure_search", values)
    assert outcome.ok and outcome.text == tools.one(xml("structure_search", **values)).text


@pytest.mark.parametrize("values", [{}, {"query": ["a"]}, {"query": None}, {"query": "x", "top_k": [1]}])
def test_typed_values_that_are_no_use_fail(tools: Tools, values):
    assert not tools.execute("tool_lexical_search", values).ok


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
    position = functions["tool_structure_search"].parameters["properties"]["position"]
    assert position["anyOf"] == [{"type": "string", "enum": ["first_5", "last_3", "all"]}, {"type": "null"}]


def test_what_the_model_read_is_known_by_its_chunks(tools: Tools):
    outcome = tools.one(xml("file_section", file_name="archivo.v2", chunk_start=1, chunk_end=2))
    assert outcome.chunk_ids == ("X-OTRA/a1@2021-01-01#1", "X-OTRA/a2@2021-01-01#1")
    assert tools.one(xml("lexical_search")).chunk_ids == ()
