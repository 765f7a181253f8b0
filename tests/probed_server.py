"""Replies of a scripted endpoint to the requests of a probe, sound and unsound."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from service.config import Settings
from tests.factories import settings_of
from tests.model_replies import Reply, Request, as_json, fails, says
from tests.scripted import KEY

MODEL = "modelo-1"
NUMBERS = ", ".join(["uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez"] * 8)
"""Long enough to be measured as fast on a machine that does other things too."""
Brain = Callable[[Request], Reply]


def sound(request: Request) -> Reply:
    """The reply of a model that reads all of its prompt and does what is asked."""
    return reads(request, request.prompt)


def reads(request: Request, prompt: str) -> Reply:
    """The reply of a model that reads `prompt` of a request."""
    usage = (len(prompt) // 4, 20)
    if "cincuenta" in prompt:
        return says(NUMBERS, usage=usage)
    if "colina" in prompt:
        number = re.search(r"colina es el (\d+)", prompt)
        return says(number[1] if number else "No se dice.", usage=usage)
    schema = request.body.get("response_format") or request.body.get("text")
    return as_json({"dias": 7}, usage=usage) if schema else says("Siete.", usage=usage)


def cutting(window: int) -> Brain:
    """A server that drops the beginning of what exceeds its window, in tokens, without a word."""
    return lambda request: reads(request, request.prompt[-4 * window :])


def with_text(before: str) -> Brain:
    """A model that writes `before` before each answer."""
    return lambda request: _before(sound(request), before)


def _before(reply: Reply, text: str) -> Reply:
    return replace(reply, text=text + reply.text)


def systems(request: Request) -> int:
    """Number of its messages of the system."""
    return sum(message["role"] == "system" for message in request.messages)


def one_system_only(request: Request) -> Reply:
    """A server whose template takes one message of the system."""
    message = "System message must be at the beginning."
    return fails(400, message) if systems(request) > 1 else sound(request)


def with_window(request: Request) -> Reply:
    """A server that refuses what exceeds its window."""
    message = "This model's maximum context length is 4096 tokens."
    return fails(400, message) if len(request.prompt) > 4 * 4096 else sound(request)


def reasoning_apart(request: Request) -> Reply:
    """A server that writes the reasoning of its model into a field of its own."""
    if request.body.get("stream") or request.body.get("response_format"):
        return sound(request)
    message = {"role": "assistant", "content": "Siete.", "reasoning_content": "Una semana…"}
    return Reply(body={"choices": [{"message": message, "finish_reason": "stop"}]})


def settings(url: str, **changes: Any) -> Settings:
    """Settings of a program whose roles share one endpoint and one model."""
    given = {
        "openai_base_url": url,
        "openai_api_key": KEY,
        "model_retries": 0,
        "reader_model": MODEL,
        "principal_model": MODEL,
        "reader_reasoning": False,
        "principal_reasoning": False,
        "embeddings_provider": "none",
    }
    return settings_of(**(given | changes))
