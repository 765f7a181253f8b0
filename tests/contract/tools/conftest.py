"""The tools over the invented documents."""

import pytest

from tests.tool_corpus import toolbox

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


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    with toolbox(tmp_path_factory.mktemp("tools")) as made:
        yield made
