"""The Responses API as the scripted model server speaks it; see model_server.py."""

import json
from collections.abc import Iterator
from typing import Any

from tests.model_replies import Reply, Request

ENDS = {"stop": ("completed", None), "length": ("incomplete", "max_output_tokens")}


def response(request: Request, reply: Reply) -> dict[str, Any]:
    """The body of a whole reply, and of the last event of a stream."""
    status, reason = ENDS.get(reply.finish or "", ("incomplete", reply.finish))
    body: dict[str, Any] = {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": request.model,
        "status": "failed" if reply.failed else status,
        "error": {"code": reply.failed, "message": "it failed"} if reply.failed else None,
        "incomplete_details": {"reason": reason} if reason and not reply.failed else None,
        "output": list(_items(reply)),
        "usage": None,
    }
    if reply.usage:
        sent, written = reply.usage
        body["usage"] = {
            "input_tokens": sent,
            "input_tokens_details": {"cached_tokens": reply.details[0]},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": reply.details[1]},
            "total_tokens": sent + written,
        }
    return body


def _items(reply: Reply) -> Iterator[dict[str, Any]]:
    if reply.reasoning is not None:
        yield {
            "id": "rs_1",
            "type": "reasoning",
            "summary": [],
            "encrypted_content": reply.reasoning or None,
            "status": None,
        }
    if reply.aside:
        yield {**_message(reply.aside), "id": "msg_aside", "phase": "commentary"}
    if reply.text or reply.refusal or not reply.calls:
        yield _message(reply.text, reply.refusal)
    for number, (name, arguments) in enumerate(reply.calls, 1):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        yield {
            "id": f"fc_{number}",
            "type": "function_call",
            "call_id": f"call_{number}",
            "name": name,
            "arguments": written,
            "status": "completed" if reply.finish == "stop" else "incomplete",
        }


def _message(text: str, refusal: str | None = None) -> dict[str, Any]:
    said = {"type": "output_text", "text": text, "annotations": []}
    content = [{"type": "refusal", "refusal": refusal}] if refusal else [said]
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}


def opening(request: Request, reply: Reply) -> Iterator[dict[str, Any]]:
    """The events before the first piece of text."""
    begun = {**response(request, reply), "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    if reply.aside:
        item = {**_message(reply.aside), "id": "msg_aside", "phase": "commentary"}
        yield {"type": "response.output_item.added", "item": item}
        yield {"type": "response.output_text.delta", "item_id": "msg_aside", "delta": reply.aside}
    yield {"type": "response.output_item.added", "item": {**_message(""), "content": []}}


def piece(text: str) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "item_id": "msg_1", "delta": text}


def closing(request: Request, reply: Reply) -> Iterator[dict[str, Any]]:
    """The events after the last piece of text; none says that it ended when `finish` is None."""
    whole = response(request, reply)
    if reply.refusal:
        yield {"type": "response.refusal.delta", "item_id": "msg_1", "delta": reply.refusal}
    for item in whole["output"]:
        yield {"type": "response.output_item.done", "item": item}
    if reply.finish is not None:
        yield {"type": f"response.{whole['status']}", "response": whole}
