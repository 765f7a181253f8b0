"""The Chat Completions API: the body of a request, and the reading of replies."""

from collections.abc import Mapping, Sequence
from typing import Any

from models.chat import ChatMessage, FunctionTool
from models.endpoint_faults import fault_within
from models.openai_replies import Reading
from models.retry import Fault
from models.role import RoleSettings
from models.strict_schema import described
from text.textnorm import encodable


class Completions:
    """Bodies of requests and contents of replies. Without functions: models write their calls as XML."""

    path = "/chat/completions"
    calls_functions = False

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
            "messages": [{"role": m.role, "content": encodable(m.content)} for m in messages],
        }
        if not role.reasoning:
            request["temperature"] = 0
        if schema is not None:
            request["response_format"] = {"type": "json_schema", "json_schema": described(schema)}
        if role.effort:
            request["reasoning_effort"] = role.effort
        if stream:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return request

    def read(self, reply: Any, reading: Reading, role: RoleSettings, *, streamed: bool) -> str | Fault:
        """Record a whole reply, or one event of a stream; returns its text (maybe empty), or its failure.

        A reply of another shape raises AttributeError, TypeError, KeyError or the like.
        """
        if reply.get("error"):
            return fault_within(reply["error"], role)
        reading.spend(reply.get("usage"), "prompt", "completion")
        choices = reply.get("choices") or [{}] if streamed else reply["choices"]
        choice = choices[0]
        if choice.get("error"):
            return fault_within(choice["error"], role)
        said = choice.get("delta" if streamed else "message") or {}
        reading.finish = choice.get("finish_reason") or reading.finish or ("" if streamed else "stop")
        reading.refused = reading.refused or bool(said.get("refusal"))
        reading.thought = reading.thought or bool(said.get("reasoning_content") or said.get("reasoning"))
        return reading.content(said.get("content"))
