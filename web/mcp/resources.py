"""The resources of the MCP server: the list of norms, and each article on a day."""

from datetime import date

from mcp.shared.uri_template import UriTemplate
from mcp_types import Resource, ResourceTemplate

from articulado.clients.calls import Json
from articulado.clients.client import AsyncClient
from core.errors import InputError, NotFound
from service.contract.articles import MOST_NORMS
from text.textnorm import encodable

NORMS = "articulado://norms"
JSON = "application/json"
UNKNOWN = "No existe ese recurso: son «articulado://norms» y «articulado://norms/{norm_id}/articles/{label}»."
NO_DAY = "«as_of» debe ser una fecha escrita como 2024-03-01."
NO_PAGE = "«offset» debe ser un número entero."
LIST = UriTemplate.parse(f"{NORMS}{{?offset}}")
ARTICLE = UriTemplate.parse(f"{NORMS}/{{norm_id}}/articles/{{label}}{{?as_of}}")

RESOURCES = [
    Resource(
        uri=NORMS,
        name="norms",
        title="Normas del corpus",
        description=f"Las {MOST_NORMS} primeras por su identificador, con su estado y su dirección oficial.",
        mime_type=JSON,
    )
]
TEMPLATES = [
    ResourceTemplate(
        uri_template=str(ARTICLE),
        name="article",
        title="Artículo en una fecha",
        description="El texto de un artículo por el identificador de su norma (BOE-A-…) y su número"
        " («48 bis», «da 3»), en su redacción del día «as_of» o, si falta, de hoy.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        uri_template=str(LIST),
        name="norms_page",
        title="Normas del corpus, por páginas",
        description=f"{MOST_NORMS} normas, por su identificador, desde la número «offset» (la primera, 0).",
        mime_type=JSON,
    ),
]


async def read(client: AsyncClient, uri: str) -> Json:
    """The document of a resource.

    Raises:
        NotFound: there is none of that address.
        InputError: a value in the address cannot be used. And as the client.
    """
    found = _values(ARTICLE, uri)
    if found is not None and _is_name(found["norm_id"]) and _is_name(found["label"]):
        return await client.article_of(found["norm_id"], found["label"], _day(found.get("as_of")))
    if (found := _values(LIST, uri)) is not None:
        offset = found.get("offset", "0")
        if not (offset.isascii() and offset.isdigit() and len(offset) < 8):
            raise InputError(NO_PAGE)
        return await client.norms(int(offset), MOST_NORMS)
    raise NotFound(UNKNOWN)


def _values(template: UriTemplate, uri: str) -> dict[str, str] | None:
    found = template.match(uri)
    return None if found is None else {name: encodable(str(value)) for name, value in found.items()}


def _is_name(text: str) -> bool:
    """True if the text can stand in an address of the API."""
    return bool(text) and "/" not in text


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(NO_DAY) from None
