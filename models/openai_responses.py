"""The Responses API: what is sent, and how what comes back is read.

Nothing is stored at the endpoint, so the whole conversation goes with each request. Where functions are
called, that includes the model's reasoning, encrypted by the endpoint (`include`): without it the model would
think again what it thought before each call.

Reference: https://platform.openai.com/docs/api-reference/responses
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.chat import ChatMessage, FunctionCall, FunctionTool
from models.endpoint_faults import fault_within
from models.openai_replies import Reading
from models.retry import Fault
from models.role import RoleSettings
from models.strict_schema import described, strict_schema
from text.textnorm import encodable

ENDED = {"max_output_tokens": "length", "content_filter": "content_filter"}
ASIDE = "commentary"


class Responses:
    """Bodies of requests and contents of replies, by the same methods as `Completions`."""

    path = "/responses"
    calls_functions = True

    def request(
        self,
        role: RoleSettings,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any] | None,
        tools: Sequence[FunctionTool],
        *,
        stream: bool,
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": role.model,
            "input": [item for message in messages for item in _input(message)],
            "store": False,
        }
        if not role.reasoning:
            request["temperature"] = 0
        if role.effort:
            request["reasoning"] = {"effort": role.effort}
        if schema is not None:
            request["text"] = {"format": {"type": "json_schema", **described(schema)}}
        if tools:
            request["tools"] = [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": strict_schema(tool.parameters),
                    "strict": True,
                }
                for tool in tools
            ]
            if role.reasoning:
                request["include"] = ["reasoning.encrypted_content"]
        if stream:
            request["stream"] = True
        return request

    def read(self, reply: Any, reading: Reading, role: RoleSettings, *, streamed: bool) -> str | Fault:
        kind = reply.get("type") if streamed else "response.ended"
        if kind == "response.output_text.delta":
            return "" if reply.get("item_id") in reading.asides else reading.content(reply["delta"])
        if kind == "response.output_item.added":
            if reply["item"].get("phase") == ASIDE:
                reading.asides.add(str(reply["item"].get("id")))
        elif kind == "error":
            return fault_within(reply, role)
        elif kind in ("response.completed", "response.incomplete", "response.failed", "response.ended"):
            return _ended(reply["response"] if streamed else reply, reading, role)
        return ""


def _input(message: ChatMessage) -> Iterator[Mapping[str, Any]]:
    """The items of the request that stand for one message."""
    if message.items:
        yield from message.items
    elif message.role == "tool":
        output = encodable(message.content)
        yield {"type": "function_call_output", "call_id": message.call_id, "output": output}
    else:
        yield {"role": message.role, "content": encodable(message.content)}


def _ended(response: Any, reading: Reading, role: RoleSettings) -> str | Fault:
    """Record a response that has ended; returns its text, unless its pieces have come already."""
    reading.spend(response.get("usage"), "input", "output")
    status = response.get("status", "completed")
    if status == "failed" or response.get("error"):
        return fault_within(response.get("error"), role)
    if status == "completed":
        reading.finish = "stop"
    elif status == "incomplete":
        reading.finish = ENDED.get(str((response.get("incomplete_details") or {}).get("reason")), "")
    output = response["output"]
    said: list[str] = []
    for item in output:
        if item["type"] == "function_call" and item.get("status") in (None, "completed"):
            called = FunctionCall(
                id=str(item["call_id"]), name=str(item["name"]), arguments=item["arguments"]
            )
            reading.calls.append(called)
        elif item["type"] == "message" and item.get("phase") != ASIDE:
            said.append(reading.content(item["content"]))
        elif item["type"] == "reasoning":
            reading.thought = True
    if reading.calls:
        reading.items = _returned(output)
    return "" if reading.heard else "".join(said)


def _returned(output: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The items of a reply as the endpoint takes them back.

    Reasoning without its encrypted or open content is only a reference to something that is stored nowhere;
    what followed it must then go without the ids that bind it to that.
    """
    kept = [
        item
        for item in output
        if item["type"] != "reasoning" or item.get("encrypted_content") or item.get("content")
    ]
    left_out = {"id"} if len(kept) < len(output) else set()
    return [
        {key: value for key, value in item.items() if value is not None and key not in left_out}
        for item in kept
        if item["type"] != "function_call" or item.get("status") in (None, "completed")
    ]
