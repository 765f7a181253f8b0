"""The tools of the MCP server: what a model reads about each, and what runs it."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ValidationError

from core.errors import InputError
from rag.tools.tool import Tool as DocumentTool
from rag.tools.tool_contract import TOOLS as DOCUMENT_TOOLS
from service.contract.answers import AnswerAlone, AskRequest
from service.contract.articles import ArticleDocument, DiffRequest
from service.contract.citations import CitationsRequest
from service.contract.program import Model
from service.contract.search import SearchDocument, SearchRequest
from service.contract.template_documents import (
    DraftDocument,
    FillRequest,
    TemplateDocument,
    TemplatesDocument,
)
from service.opinions.verification import CertificateDocument, CertificateRequest
from text.refused_values import problem
from text.textnorm import encodable
from web.mcp import document_tools, verification
from web.mcp.documents import (
    ArticleRequest,
    CheckedAnswer,
    ComparedArticle,
    FillTemplateRequest,
    NoArguments,
    TemplateRequest,
    ToolResult,
    VerifyRequest,
)
from web.mcp.engine import Engine, Json, Tell
from work.briefs.findings import CitationReport

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
    "collection": "Solo esa colección: normativa, sentencias o criterios_inss",
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
        readable: the document as text.
    """

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Callable[[Engine, Json, Tell], Awaitable[Json]]
    readable: Callable[[Json], str] = _json

    async def __call__(self, engine: Engine, arguments: Mapping[str, Any], tell: Tell) -> Json:
        """The document of a call. Raises InputError: the arguments are wrong; and as the engine."""
        return await self.run(engine, _encodable(arguments), tell)

    @cached_property
    def described(self) -> Tool:
        """The description that a client is given of it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=_asked(self.takes.model_json_schema(by_alias=True)),
            output_schema=_bare(self.gives.model_json_schema(by_alias=True, mode="serialization")),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=self.name != "ask",
                open_world_hint=False,
            ),
        )


def _asked(schema: Json) -> Json:
    """The schema of arguments with what each means."""
    properties = {
        name: _bare(found, "title") | {"description": found.get("description") or PARAMETERS[name]}
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


async def _diff(engine: Engine, request: DiffRequest, _: Tell) -> Json:
    document = await engine.diff(request)
    return document | {"url": (await engine.norm(document["norm_id"]))["url"]}


async def _fill(engine: Engine, request: FillTemplateRequest, _: Tell) -> Json:
    document = await engine.fill(request.name, FillRequest(data=request.data))
    return {name: document[name] for name in DraftDocument.model_fields}


async def _ask(engine: Engine, request: AskRequest, tell: Tell) -> Json:
    document = await engine.ask(request, tell)
    return {name: document[name] for name in AnswerAlone.model_fields}


def _offered(  # noqa: PLR0917
    name: str,
    title: str,
    description: str,
    takes: type[Model],
    gives: type[BaseModel],
    act: Callable[[Engine, Model, Tell], Awaitable[Json]],
) -> Offered:
    """A tool of one act on its request."""

    async def run(engine: Engine, values: Json, tell: Tell) -> Json:
        return await act(engine, _request(takes, values), tell)

    return Offered(name, title, description, takes, gives, run)


def _document_tool(tool: DocumentTool) -> Offered:
    async def run(engine: Engine, values: Json, _: Tell) -> Json:
        return await document_tools.call(engine, tool, values)

    about = f"{tool.purpose} Úsela para: {tool.use}."
    return Offered(tool.name, TITLES[tool.name], about, tool.params, ToolResult, run, document_tools.readable)


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
        _offered(
            "search",
            "Buscar en la normativa",
            "Fragmentos de la normativa laboral y de Seguridad Social española que encuentra una búsqueda, el"
            " mejor primero, en su redacción vigente un día, con su dirección oficial (ELI o BOE).",
            SearchRequest,
            SearchDocument,
            lambda engine, asked, _: engine.search(asked),
        ),
        _offered(
            "article",
            "Artículo en una fecha",
            "El texto íntegro de un artículo o disposición como estaba un día, con todas sus redacciones, la"
            " norma que dio cada una, su huella SHA-256 y su dirección oficial.",
            ArticleRequest,
            ArticleDocument,
            lambda engine, asked, _: engine.article(asked.reference, asked.as_of),
        ),
        _offered(
            "diff",
            "Comparar redacciones",
            "Dos redacciones de un artículo, palabra por palabra: qué se quitó y qué se añadió.",
            DiffRequest,
            ComparedArticle,
            _diff,
        ),
        _offered(
            "verify",
            "Comprobar citas",
            "Comprueba letra por letra que unas palabras citadas están en la redacción del artículo que se"
            " dice. Úsela con la respuesta de «ask» o con sus propias citas antes de darlas por buenas.",
            VerifyRequest,
            CheckedAnswer,
            lambda engine, asked, _: verification.verify(engine, asked),
        ),
        _offered(
            "check_citations",
            "Comprobar las citas de un escrito",
            "El estado de cada norma, artículo, cita literal y sentencia de un escrito en una fecha: vigente,"
            " modificada, derogada, inexistente, cita exacta o con diferencias. No guarda el escrito.",
            CitationsRequest,
            CitationReport,
            lambda engine, asked, _: engine.citations(asked),
        ),
        _offered(
            "verify_certificate",
            "Comprobar un certificado de fuentes",
            "Dice si un certificado de fuentes está como lo firmó esta instalación de Articulado, y si el"
            " texto de un documento lo nombra.",
            CertificateRequest,
            CertificateDocument,
            lambda engine, asked, _: engine.certificate(asked),
        ),
        _offered(
            "ask",
            "Preguntar con citas comprobadas",
            "Responde una pregunta de Derecho laboral o de Seguridad Social con citas literales comprobadas,"
            " o dice que la normativa cargada no basta. Tarda de segundos a un par de minutos.",
            AskRequest,
            AnswerAlone,
            _ask,
        ),
        _offered(
            "templates",
            "Modelos de escrito",
            "Los modelos de escrito laborales de esta instalación: nombre, título y para qué sirve cada uno.",
            NoArguments,
            TemplatesDocument,
            lambda engine, _asked, _: engine.templates(),
        ),
        _offered(
            "template",
            "Datos de un modelo de escrito",
            "Los datos que pide un modelo de escrito, su plazo, el estado de hoy de cada precepto en que se"
            " apoya y sus avisos.",
            TemplateRequest,
            TemplateDocument,
            lambda engine, asked, _: engine.template(asked.name),
        ),
        _offered(
            "fill_template",
            "Redactar un escrito con su modelo",
            "El texto de un escrito con los datos que se dan y «[…]» donde falta alguno; qué falta, el plazo"
            " contado y el estado de sus preceptos. No guarda los datos. No invente datos: pregúntelos.",
            FillTemplateRequest,
            DraftDocument,
            _fill,
        ),
        *map(_document_tool, DOCUMENT_TOOLS.values()),
    )
}
