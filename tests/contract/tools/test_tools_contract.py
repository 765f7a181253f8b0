"""The six tools by their contract: texts to the letter, what models are told of them."""

import pytest

from rag.tools.regex_search import PREDEFINED
from rag.tools.tool_contract import TOOLS, function_tools, prompt_text
from tests.contract.tools.conftest import SEARCH_HEADER
from tests.tool_corpus import LONG, Tools, xml

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
Vigente: desde 01/01/2020
Contenido:
Artículo 1. Oficina virtual.
La oficina virtual responde en soporte@ejemplo.invalid a quien cobra el desempleo.
Su página es https://ejemplo.invalid/ayuda y su programa la versión 2.10.3 del año 1995.

[Resultado 2]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0004
Score: 1.4
Vigente: desde 01/01/2020
Contenido:
Artículo 4. Expediente.
El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica.

[Resultado 3]
Documento: Guia_Contactos.md
ID: Guia_Contactos_chunk_0002
Score: 1.4
Vigente: desde 01/01/2020
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
Vigente: desde 01/01/2020
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
Vigente: desde 01/01/2020
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
Vigente: desde 01/01/2021
Contexto:
Artículo 1. Archivo.
El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

[Archivo: Guia_Contactos.md]
Total de matches: 1

Match 1: soporte@ejemplo.invalid
Vigente: desde 01/01/2020
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
Vigente: desde 01/01/2021

Artículo 1. Archivo.
El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

[Chunk 2]
ID: archivo_v2_chunk_0002
Índice: 2
Vigente: desde 01/01/2021

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
Vigente: desde 01/01/2020

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
