"""Shared parts of the tests of the OpenAI adapters: those of a chat model run once for each API."""

import traceback
from typing import Any

import pytest
from pydantic import SecretStr

from core.errors import ModelError
from models.chat import ChatMessage
from models.openai_chat import OpenAIChat
from models.role import RoleSettings
from tests.model_server import ModelServer

KEY = "sk-sintetica-0123456789"
MESSAGES = [
    ChatMessage(role="system", content="Eres breve."),
    ChatMessage(role="user", content="PREGUNTA ÚNICA"),
]
MODEL = "modelo-1"


APIS = ("chat", "responses")
FORMAT = {"chat": "response_format", "responses": "text"}


class Endpoint(ModelServer):
    """A server whose clients speak one API with it."""

    def __init__(self, api: str) -> None:
        super().__init__()
        self.api = api


def role(server: ModelServer, **changes: Any) -> RoleSettings:
    api = server.api if isinstance(server, Endpoint) else "chat"
    values = {"role": "reader", "model": MODEL, "base_url": server.url, "api_key": SecretStr(KEY), "api": api}
    return RoleSettings(**(values | changes))


def chat(server: ModelServer, retries: int = 2, **changes: Any) -> OpenAIChat:
    return OpenAIChat(role(server, **changes), retries, first_wait=0.001)


def script(server: ModelServer, *replies: Any) -> None:
    server.script(**{MODEL: replies})


async def failure(model: OpenAIChat, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.complete(MESSAGES, **options)
    return caught.value


def everything(error: BaseException) -> str:
    """Text, repr, attributes and traceback of an error and of all that hangs from it."""
    linked: list[BaseException | None] = [error.__cause__, error.__context__]
    own = [str(error), repr(error), repr(vars(error)), "".join(traceback.format_exception(error))]
    return "\n".join([*own, *(everything(other) for other in linked if other is not None)])
