"""The tools of the MCP server: what a model reads about each, and what runs it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ValidationError, create_model

from articulado.clients.calls import Json, OnEvent, Operation
from articulado.clients.calls import Tool as OfTable
from articulado.clients.client import AsyncClient
from articulado.clients.operations import OPERATIONS
from core.errors import InputError
from core.values import Value
from rag.tools.tool import Tool as DocumentTool
from rag.tools.tool_contract import TOOLS as DOCUMENT_TOOLS
from service.contract.answers import AnswerAlone
from service.contract.program import Model
from service.contract.template_documents import DraftDocument
from text.refused_values import problem
from text.textnorm import encodable
from web.api.acts import Act
from web.mcp import document_tools, verification
from web.mcp.documents import CheckedAnswer, ComparedArticle, ToolResult, VerifyRequest

Tell = Callable[[str], Awaitable[None]]
"""Told the name of each stage that begins."""
DEEPEST = 20
"""Levels of the arguments of a call: those of a stored answer are six."""
TOO_DEEP = "Los argumentos tienen demasiados niveles: envíelos como los describe la herramienta."
TITLES = {
    "tool_lexical_search": "Buscar palabras exactas",
    "tool_semantic_search": "Buscar por significado",
    "tool_structure_search": "Recorrer la estructura de un documento",
    "tool_regex_search": "Buscar un patrón",
    "tool_file_section": "Leer una parte de un documento",
    "tool_file_content": "Leer un documento completo",
    "tool_calculation": "Calcular un plazo o una cantidad",
}
PARAMETERS = {
    "query": "Palabras, pregunta o cita de un artículo",
    "mode": "Por palabras y significado (hybrid), solo palabras (lexical) o solo significado (semantic)",
    "limit": "Máximo de fragmentos",
    "collection": "Solo esa colección: normativa, sentencias, criterios_inss o documentos",
    "as_of": "Normativa vigente ese día (AAAA-MM-DD); la de hoy, si falta",
    "reference": "El artículo y su norma: «art. 48 ET», «da 3 LGSS»",
    "article": "El artículo y su norma: «art. 48 ET», «da 3 LGSS»",
    "from": "Día de la primera redacción (AAAA-MM-DD); la anterior a la otra, si falta",
    "to": "Día de la segunda redacción (AAAA-MM-DD); la de hoy, si falta",
    "answer": "El texto que cita; lo que lleve entre comillas se comprueba también",
    "citations": "Las que dio «ask», sin cambios, o propias: «quote» (las palabras), «article» y «as_of»",
    "sources": "Las fuentes que dio «ask» además de las citas",
    "parts": "Las partes que dio «ask», si la respuesta las tiene",
    "question": "La pregunta, o un texto con varias; cuente los hechos y sus fechas, sin datos personales",
    "agent": "Que el modelo de Articulado investigue por sí mismo: más lento, para preguntas difíciles",
    "text": "El texto del escrito o, con un certificado, el del documento que debería nombrarlo",
    "certificate": "El contenido del archivo del certificado, sin cambios",
    "matter": "Id de un expediente; de sus papeles se toman los hechos, o las sentencias aportadas",
    "name": "El nombre del modelo, como lo da «templates»",
    "data": "Los datos por su nombre, como los pide «template»: «31/01/2025», «1.850,50», true si se marca",
    "conversation": "Id de una conversación anterior para seguirla, o «new»",
}


def _json(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False)


@dataclass(frozen=True)
class Offered:
    """A tool.

    Attributes:
        takes: model of its arguments.
        gives: model of its document.
        run: the document, from the plain arguments.
        means: the parameters that do not say themselves what they mean.
        readable: the document as text.
    """

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Callable[[AsyncClient, Json, Tell], Awaitable[Json]]
    means: Mapping[str, str] = field(default_factory=dict)
    readable: Callable[[Json], str] = _json

    async def __call__(self, client: AsyncClient, arguments: Mapping[str, Any], tell: Tell) -> Json:
        """The document of a call. Raises InputError: the arguments are wrong; and as the client."""
        return await self.run(client, _encodable(arguments), tell)

    @cached_property
    def described(self) -> Tool:
        """The description that a client is given of it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=_asked(self.takes.model_json_schema(by_alias=True), self.means),
            output_schema=_bare(self.gives.model_json_schema(by_alias=True, mode="serialization")),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=self.name != "ask",
                open_world_hint=False,
            ),
        )


def _asked(schema: Json, means: Mapping[str, str]) -> Json:
    """The schema of arguments with what each means."""
    properties = {
        name: _bare(found, "title") | {"description": means.get(name) or found["description"]}
        for name, found in schema["properties"].items()
    }
    inner = {"$defs": _bare(schema["$defs"])} if "$defs" in schema else {}
    outer = {name: value for name, value in schema.items() if name not in ("properties", "$defs")}
    return {**_bare(outer), "properties": properties, **inner}


def _bare(schema: Any, *names: str) -> Any:
    """The schema without titles and docstrings, which are not for models; properties may have those names."""
    dropped = names or ("title", "description")
    if isinstance(schema, Mapping):
        kept = {
            name: value for name, value in schema.items() if name not in dropped or not isinstance(value, str)
        }
        return {name: _bare(value, *names) for name, value in kept.items()}
    return [_bare(one, *names) for one in schema] if isinstance(schema, list) else schema


async def _diff(client: AsyncClient, request: Any) -> Json:
    document: Json = await client.diff(request.article, request.since, request.until)
    return document | {"url": (await client.norm(document["norm_id"]))["url"]}


@dataclass(frozen=True)
class Adapted:
    """A tool that takes, gives or does other than its operation; `without` a part not for an assistant."""

    gives: type[BaseModel]
    takes: type[BaseModel] | None = None
    act: Callable[[AsyncClient, Any], Awaitable[Json]] | None = None
    without: str = ""


ADAPTED = {
    "ask": Adapted(AnswerAlone, without="trace"),
    "diff": Adapted(ComparedArticle, act=_diff),
    "fill": Adapted(DraftDocument, without="file"),
    "verify": Adapted(CheckedAnswer, VerifyRequest, verification.verify),
}


def _offered(row: Operation, tool: OfTable) -> Offered:
    """The tool of an operation."""
    act = Act(row)
    adapted = ADAPTED.get(row.name, Adapted(act.document))
    takes = adapted.takes or _taken(act)

    async def run(client: AsyncClient, values: Json, tell: Tell) -> Json:
        request = _request(takes, values)
        if adapted.act is not None:
            return await adapted.act(client, request)
        given = request.model_dump(mode="json")
        if row.reply == "answer":
            given["on_event"] = _begun(tell)
        document: Json = await getattr(client, row.name)(**given)
        document.pop(adapted.without, None)
        return document

    return Offered(tool.name or row.name, tool.title, tool.description, takes, adapted.gives, run, PARAMETERS)


def _taken(act: Act) -> type[BaseModel]:
    """The model of all that an act takes: its parameters, and the fields of those that are models."""
    fields: dict[str, Any] = {}
    for one in act.parameters:
        kind = one.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if len(act.parameters) == 1:
                return kind
            fields |= {name: (found.annotation, found) for name, found in kind.model_fields.items()}
        else:
            fields[one.name] = (kind, ... if one.default is one.empty else one.default)
    made: type[BaseModel] = create_model("Arguments", __base__=Value, **fields)
    return made


def _begun(tell: Tell) -> OnEvent:
    """The listener that tells the stages that begin."""

    async def on_event(name: str, data: Json) -> None:
        if name == "stage" and data["state"] == "started":
            await tell(data["name"])

    return on_event


def _document_tool(tool: DocumentTool) -> Offered:
    async def run(client: AsyncClient, values: Json, _: Tell) -> Json:
        return await document_tools.call(client, tool, values)

    about = f"{tool.purpose} Úsela para: {tool.use}."
    title, readable = TITLES[tool.name], document_tools.readable
    return Offered(tool.name, title, about, tool.params, ToolResult, run, readable=readable)


def _encodable(value: Any, depth: int = 0) -> Any:
    """The arguments without what no database or index takes."""
    if depth > DEEPEST:
        raise InputError(TOO_DEEP)
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {encodable(str(name)): _encodable(one, depth + 1) for name, one in value.items()}
    return [_encodable(one, depth + 1) for one in value] if isinstance(value, list) else value


def _request(model: type[Model], values: Json) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        named = ".".join(map(str, first["loc"]))[:100]
        raise InputError(f"No se puede usar: {problem(named, first)}.") from None


TOOLS: dict[str, Offered] = {
    one.name: one
    for one in (
        *(_offered(row, row.tool) for row in OPERATIONS.values() if row.tool),
        *map(_document_tool, DOCUMENT_TOOLS.values()),
    )
}
