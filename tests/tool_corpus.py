"""Invented documents for the tests of the tools, and a toolbox over them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from rag.tools.tool_calls import ToolCall, ToolOutcome
from rag.tools.tool_contract import Toolbox
from rag.tools.tool_documents import Library
from rag.tools.tool_texts import render
from service.program import assembly
from tests.factories import settings_of
from tests.fakes import HashEmbedder

AS_OF = date(2024, 6, 1)
LONG = " ".join(f"palabra{number:03d}" for number in range(100)) + "."

GUIDE = f"""---
id: X-GUIA
title: Guía inventada de contactos de la oficina
law: Guía de Contactos
alias: GC
aliases: [Guía]
rank: Guía
collection: normativa
published: 2019-12-20
valid_from: 2020-01-01
status: Vigente
url: https://ejemplo.invalid/guia
---
# TÍTULO I. De la oficina

## CAPÍTULO I. De la atención

#### Artículo 1. Oficina virtual.

La oficina virtual responde en soporte@ejemplo.invalid a quien cobra el desempleo.

Su página es https://ejemplo.invalid/ayuda y su programa la versión 2.10.3 del año 1995.

#### Artículo 2. Horario de los centros.

Los centros abren según este cuadro.

| Centro | Horario |
|---|---|
| Norte | 9 a 14 |
| Sur | 16 a 19 |

## CAPÍTULO II. De los recursos

#### Artículo 3. Vacaciones del personal.

{LONG}

#### Artículo 4. Expediente.

El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica.
"""

OTHER = """---
id: X-OTRA
title: Instrucción inventada de archivo
law: Instrucción de Archivo
rank: Instrucción
collection: criterios_inss
valid_from: 2021-01-01
status: Vigente
---
#### Artículo 1. Archivo.

El archivo se guarda diez años y se consulta en archivo@ejemplo.invalid con cita.

#### Artículo 2. Vacaciones del archivo.

El archivo cierra por vacaciones en agosto.
"""

NOTE = """---
id: X-NOTA
title: Nota inventada sobre los turnos
law: Nota de Turnos
rank: Nota
collection: criterios_inss
valid_from: 2022-01-01
status: Vigente
---
#### Artículo único. Turnos.

Los turnos de noche rotan cada semana y los de fiesta cada mes.
"""


def same_name(identifier: str, law: str) -> str:
    """A document whose file is called as another's."""
    return NOTE.replace("X-NOTA", identifier).replace("Nota de Turnos", law).replace("turnos", law.lower())


FILES = {
    "Guia_Contactos.md": GUIDE,
    "archivo.v2.md": OTHER,
    "nota.md": NOTE,
    "norte/aviso.md": same_name("X-AVISO-N", "Aviso Norte"),
    "sur/aviso.md": same_name("X-AVISO-S", "Aviso Sur"),
}


class Tools:
    """A toolbox and the loop that its calls run in."""

    def __init__(self, program: assembly.App) -> None:
        self.program = program
        self.box = Toolbox(program.services, Library(program.database.corpus, program.database.documents))
        self._loop = asyncio.new_event_loop()

    def run(self, calls: str, question: str = "¿Qué dice la guía?", as_of: date = AS_OF) -> list[ToolOutcome]:
        return self._loop.run_until_complete(self.box.run(calls, as_of=as_of, question=question))

    def execute(self, name: str, values: dict[str, object]) -> ToolOutcome:
        """The outcome of a call with typed values, as the inspector makes it."""
        call = ToolCall(name, values)
        return self._loop.run_until_complete(self.box.execute(call, as_of=AS_OF, question="¿Qué dice?"))

    def one(self, calls: str, **given: object) -> ToolOutcome:
        (outcome,) = self.run(calls, **given)
        return outcome

    def text(self, calls: str, question: str = "¿Qué dice la guía?") -> str:
        return render(self.run(calls, question), question)

    def error(self, calls: str) -> str:
        """The message of a call that failed."""
        outcome = self.one(calls)
        assert not outcome.ok and outcome.result is None
        return outcome.error

    def close(self) -> None:
        self._loop.close()


@contextmanager
def toolbox(folder: Path, *, embedder: object = None) -> Iterator[Tools]:
    """Tools over the invented documents, in a home below `folder`."""
    for name, text in FILES.items():
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    chosen = settings_of(articulado_home=folder / "home", embeddings_provider="none")
    program = assembly.build(chosen)
    program.models.embedder = HashEmbedder() if embedder is None else embedder
    for name in FILES:
        program.loading.ingest([folder / "documents" / name])
    tools = Tools(program)
    try:
        yield tools
    finally:
        tools.close()
        program.close()


def xml(tool: str, **values: object) -> str:
    """A call as a model writes it."""
    body = "\n".join(f"<{name}>{value}</{name}>" for name, value in values.items())
    return f"<tool_{tool}>\n{body}\n</tool_{tool}>"
