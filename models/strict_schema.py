"""JSON schemas as OpenAI's strict modes want them.

Rules: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

import re
from collections.abc import Mapping
from typing import Any


def strict_schema(node: Any) -> Any:
    """A JSON schema as strict structured output wants it: no extra keys, every key required, no defaults."""
    if isinstance(node, list):
        return [strict_schema(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            made[key] = {name: strict_schema(part) for name, part in value.items()}
        elif key != "default":
            made[key] = strict_schema(value)
    if "properties" in made:
        made |= {"additionalProperties": False, "required": list(made["properties"])}
    return made


def described(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Name, strictness and strict schema of an output, as both APIs want them side by side."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title", "")))[:64] or "output"
    return {"name": name, "strict": True, "schema": strict_schema(schema)}
