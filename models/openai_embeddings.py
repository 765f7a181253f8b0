"""Embeddings at any OpenAI-compatible endpoint."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from core.errors import EmbedderUnavailable
from models.chat import ModelCall
from models.endpoint_faults import sentence
from models.openai_client import Clients, fault_of, log_not_understood
from models.retry import FIRST_WAIT, Backoff, Fault
from models.role import RoleSettings
from models.vector_requests import Vector, batches, means, unit, windows
from text.textnorm import encodable

SECONDS = 60.0
INPUTS = 128
# OpenAI's limits are 8,191 tokens an input and 300,000 a request; Spanish legal text has 3 characters
# a token or more.
INPUT_CHARACTERS = 16_000
REQUEST_CHARACTERS = 200_000


class OpenAIEmbedder:
    """Unit vectors from an endpoint. Any event loop and thread may call it.

    `name` carries the dimensions: vectors of different sizes never share a cache.

    Raises:
        ConfigurationError: the role has neither a key nor a custom address.
    """

    def __init__(
        self, role: RoleSettings, dimensions: int, retries: int, *, first_wait: float = FIRST_WAIT
    ) -> None:
        self.name = f"openai/{role.model}@{dimensions}"
        self.dimensions = dimensions
        self._settings = role
        self._backoff = Backoff(retries, first_wait, longest=SECONDS)
        self._clients = Clients(role)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[Vector], ModelCall]:
        """Unit vectors of `texts`, in order, and their cost.

        Raises:
            EmbedderUnavailable: the endpoint failed, or its vectors have another size.
            ValueError: a text is empty.
        """
        started = time.perf_counter()
        plan = _Plan(texts)
        tokens = attempts = 0
        for batch in plan.batches:
            failed = 0
            while True:
                attempts += 1
                try:
                    response = await self._clients.get().embeddings.create(**self._request(batch))
                    break
                except Exception as error:
                    fault = fault_of(error, self._settings)
                failed += 1
                await asyncio.sleep(self._wait(failed, fault))
            plan.vectors += self._vectors(response, len(batch))
            tokens += _tokens(response)
        call = ModelCall(
            role=self._settings.role,
            model=self._settings.model,
            messages=tuple(("user", text) for text in texts),
            prompt_tokens=tokens,
            attempts=attempts,
            elapsed_ms=(time.perf_counter() - started) * 1000,
        )
        return plan.result(), call

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors of `texts`, in order; it blocks. Raises as `embed_queries`."""
        plan = _Plan(texts)
        for batch in plan.batches:
            failed = 0
            while True:
                try:
                    response = self._clients.blocking().embeddings.create(**self._request(batch))
                    break
                except Exception as error:
                    fault = fault_of(error, self._settings)
                failed += 1
                time.sleep(self._wait(failed, fault))
            plan.vectors += self._vectors(response, len(batch))
        return plan.result()

    def _request(self, batch: list[str]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._settings.model,
            "input": batch,
            "encoding_format": "float",
            "timeout": SECONDS,
        }
        if "text-embedding-3-" in self._settings.model:
            request["dimensions"] = self.dimensions
        return request

    def _wait(self, failed: int, fault: Fault) -> float:
        wait = self._backoff.wait(failed, fault)
        if wait is None:
            raise EmbedderUnavailable(fault.text)
        return wait

    def _vectors(self, response: Any, expected: int) -> list[Vector]:
        try:
            by_index = {item.index: unit(item.embedding) for item in response.data}
            vectors = [by_index[index] for index in range(expected)]
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            log_not_understood(error, self._settings)
            vectors = []
        if not vectors:
            text = "{who} no devolvió un vector válido por texto: revise {ROLE}_MODEL y {ROLE}_BASE_URL."
            raise EmbedderUnavailable(sentence(self._settings, text))
        size = next((len(vector) for vector in vectors if len(vector) != self.dimensions), None)
        if size is not None:
            text = (
                f"{{who}} da vectores de {size} dimensiones y se esperaban {self.dimensions}: "
                f"ponga {{ROLE}}_DIMENSIONS={size} y reconstruya el índice."
            )
            raise EmbedderUnavailable(sentence(self._settings, text))
        return vectors


class _Plan:
    """The windows of some texts, in requests, and the way back to one vector a text."""

    def __init__(self, texts: Sequence[str]) -> None:
        parts = [windows(encodable(text).strip(), INPUT_CHARACTERS) for text in texts]
        if not all(parts):
            raise ValueError("an empty text has no vector")
        self._sizes = [len(part) for part in parts]
        flat = [window for part in parts for window in part]
        self.batches = list(batches(flat, INPUTS, REQUEST_CHARACTERS))
        self.vectors: list[Vector] = []

    def result(self) -> list[Vector]:
        return means(self.vectors, self._sizes)


def _tokens(response: Any) -> int:
    usage = getattr(response, "usage", None)
    return int(getattr(usage, "prompt_tokens", None) or 0)
