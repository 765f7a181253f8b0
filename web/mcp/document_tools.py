"""The six document tools, with their own parameters as JSON instead of XML."""

from collections.abc import Mapping
from html import escape
from typing import Any

from articulado.clients.calls import Json
from articulado.clients.client import AsyncClient
from core.errors import InputError
from rag.tools.tool import Tool
from rag.tools.tool_contract import read_params
from web.mcp.documents import FoundSource

ADDRESSES = "Direcciones oficiales:"


async def call(client: AsyncClient, tool: Tool, values: Mapping[str, Any]) -> Json:
    """The document of `ToolResult`. Raises InputError: the call is wrong or failed; its text says why."""
    read_params(tool.params, values)
    document = await client.tool(_xml(tool.name, values))
    (done,) = document["calls"]
    if done["error"]:
        raise InputError(done["error"])
    found = done["result"]
    sources = [{name: one[name] for name in FoundSource.model_fields} for one in found["results"]]
    return {
        "as_of": found["search_params"].get("as_of", document["as_of"]),
        "text": document["text"],
        "total_found": found["total_found"],
        "search_params": found["search_params"],
        "sources": sources,
    }


def readable(document: Json) -> str:
    """The text of a result, with the address of each article in it."""
    told = [one["metadata"] for one in document["sources"] if one["metadata"]["url"]]
    lines = [f"- {', '.join(filter(None, (one['law'], one['label'])))}: {one['url']}" for one in told]
    return "\n".join([document["text"], "", ADDRESSES, *dict.fromkeys(lines)]) if lines else document["text"]


def _xml(name: str, values: Mapping[str, Any]) -> str:
    """The call as `rag.tools.xml_calls` reads it: without any '<' in a value, which cannot end early."""
    given = ((key, value) for key, value in values.items() if value is not None)
    body = "".join(f"<{key}>{escape(_written(value), quote=False)}</{key}>" for key, value in given)
    return f"<{name}>{body}</{name}>"


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
