"""Scanner of tool calls written by a model in XML or nearly; it is not an XML parser.

It resolves and evaluates nothing: no entities besides the five of XML, no DTD, no attributes. A value ends at
its own closing tag, so `&`, `<` and `\\` in it are literal. Time is linear in the text.
"""

import re
from typing import Any
from xml.sax.saxutils import unescape

from rag.tools.tool_calls import ToolCall
from text.textnorm import encodable

MAX_REPLY = 100_000
MAX_CALLS = 10
MAX_PARAMETERS = 20

# A failed start costs at most the characters before the next '<'.
_TAG = re.compile(
    r"<(?P<close>/?)\s*(?P<name>tool_\w{1,60})(?P<rest>[^<>]*)>|<!\[CDATA\[|<!--", re.IGNORECASE
)
_PARAMETER = re.compile(r"<([A-Za-z_]\w{0,60})((?:\s[^<>]*)?/?)>", re.ASCII)
_CDATA = re.compile(r"\s*<!\[CDATA\[")
_END = {"<![cdata[": "]]>", "<!--": "-->"}

UNCLOSED = "La llamada a {name} no está cerrada: termínela con </{name}>."
UNCLOSED_PARAMETER = "El parámetro «{name}» no está cerrado: termínelo con </{name}>."
TOO_MANY_PARAMETERS = f"La llamada tiene más de {MAX_PARAMETERS} parámetros."
TWICE = "El parámetro «{name}» aparece dos veces."
TOO_MANY = (
    f"Solo se ejecutan {MAX_CALLS} llamadas por respuesta; quedan sin ejecutar {{count}}: escríbalas en otra."
)
TOO_LONG = f"La respuesta pasa de {MAX_REPLY} caracteres: lo que sigue no se ha leído."


def parse(reply: str) -> list[ToolCall]:
    """The calls of a reply, in order; any text around them is ignored.

    A call that cannot be read has its `problem` in Spanish; names of tools are not checked here. Comments are
    ignored; CDATA is taken literally.
    """
    text = encodable(reply[:MAX_REPLY])
    calls: list[ToolCall] = []
    skipped = 0
    for name, body in _elements(text):
        if len(calls) >= MAX_CALLS:
            skipped += 1
        elif body is None:
            calls.append(ToolCall(name, {}, UNCLOSED.format(name=name)))
        else:
            calls.append(_call(name, body))
    if skipped:
        calls.append(ToolCall("", {}, TOO_MANY.format(count=skipped)))
    if len(reply) > MAX_REPLY:
        calls.append(ToolCall("", {}, TOO_LONG))
    return calls


def _elements(text: str) -> list[tuple[str, str | None]]:
    """(name, body) of each element; body is None if it is not closed before the next one begins."""
    found: list[tuple[str, str | None]] = []
    opened: tuple[str, int] | None = None
    endless: set[str] = set()
    position = 0
    while (tag := _TAG.search(text, position)) is not None:
        position = tag.end()
        if tag["name"] is None:
            end = _END[tag[0].lower()]
            stop = -1 if end in endless else text.find(end, position)
            if stop < 0:
                endless.add(end)
            else:
                position = stop + len(end)
            continue
        name = tag["name"].lower()
        if tag["close"]:
            if opened and opened[0] == name:
                found.append((name, text[opened[1] : tag.start()]))
                opened = None
            continue
        if opened:
            found.append((opened[0], None))
        opened = (name, tag.end())
        if tag["rest"].rstrip().endswith("/"):
            found.append((name, ""))
            opened = None
    if opened:
        found.append((opened[0], None))
    return found


def _call(name: str, body: str) -> ToolCall:
    values: dict[str, Any] = {}
    position = seen = 0
    while (tag := _parameter(body, position)) is not None:
        parameter, position, stop = tag[1], tag.end(), tag.end()
        if not tag[2].endswith("/"):
            close = _closing(body, parameter, position)
            if close is None:
                return ToolCall(name, values, UNCLOSED_PARAMETER.format(name=parameter))
            stop, position = close.span()
        if parameter in values:
            return ToolCall(name, values, TWICE.format(name=parameter))
        if value := _value(body[tag.end() : stop]):
            values[parameter] = value
        seen += 1
        if seen > MAX_PARAMETERS:
            return ToolCall(name, {}, TOO_MANY_PARAMETERS)
    return ToolCall(name, values)


def _parameter(body: str, position: int) -> re.Match[str] | None:
    """The next opening tag outside comments, or None."""
    while (start := body.find("<", position)) >= 0:
        if tag := _PARAMETER.match(body, start):
            return tag
        end = body.find("-->", start) if body.startswith("<!--", start) else -1
        if end < 0 and body.startswith("<!--", start):
            return None
        position = max(start + 1, end)
    return None


def _closing(body: str, parameter: str, position: int) -> re.Match[str] | None:
    """The closing tag of a value, or None; tags inside its CDATA do not count."""
    if cdata := _CDATA.match(body, position):
        position = body.find("]]>", cdata.end())
        if position < 0:
            return None
    return re.compile(rf"</\s*{parameter}\s*>").search(body, position)


def _value(raw: str) -> str:
    """The content of CDATA, or the text stripped and with the five entities decoded once."""
    text = raw.strip()
    if text.startswith("<![CDATA[") and text.endswith("]]>"):
        return text[9:-3]
    return unescape(text, {"&quot;": '"', "&apos;": "'"})
