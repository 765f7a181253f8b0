"""Tool calls that a model makes as functions of its endpoint."""

import json
from collections.abc import Sequence

from models.chat import FunctionCall
from rag.tools.tool_calls import ToolCall
from rag.tools.xml_calls import MAX_CALLS, TOO_MANY
from text.textnorm import encodable

NOT_AN_OBJECT = "Los argumentos de {name} no son un objeto JSON: escríbalos como dice su esquema."


def read_calls(calls: Sequence[FunctionCall]) -> list[ToolCall]:
    """The calls in order, as `rag.tools.xml_calls.parse` gives those in XML; null is no value.

    A call that cannot be read has its `problem` in Spanish. Beyond MAX_CALLS, one call with a problem stands
    for all the rest.
    """
    made = [_call(call) for call in calls[:MAX_CALLS]]
    if (skipped := len(calls) - MAX_CALLS) > 0:
        made.append(ToolCall("", {}, TOO_MANY.format(count=skipped)))
    return made


def _call(call: FunctionCall) -> ToolCall:
    try:
        values = json.loads(encodable(call.arguments) or "{}")
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return ToolCall(call.name, {}, NOT_AN_OBJECT.format(name=call.name))
    return ToolCall(call.name, {name: value for name, value in values.items() if value is not None})
