"""Endpoints that failed a run: none of its later stages asks them in vain."""

import math
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import ModelBusy, ModelError, ModelTimeout
from models.chat import ChatModel

AGAIN = "no se ha vuelto a preguntar: {error}"
BUSY_SECONDS = 30.0
"""How long a model at its limit of use is left alone: limits are counted by the minute."""


class Failures:
    """The faults of endpoints and of models, and the longest wait for each endpoint, in seconds."""

    def __init__(self) -> None:
        self._faults: dict[tuple[Hashable, str], tuple[float, ModelError]] = {}
        self._waited: dict[Hashable, tuple[float, ModelError]] = {}

    def of_part(self) -> "Failures":
        """These for one of several questions, with waits of its own: they are asked at the same time."""
        part = Failures()
        part._faults = self._faults
        return part

    def of(self, model: ChatModel, seconds: float) -> ModelError | None:
        """The failure that asking for so many seconds would meet again; None if it may work."""
        for name in ("", model.model):
            until, known = self._faults.get((model.endpoint, name), (0.0, None))
            if known is not None and time.monotonic() < until:
                return known
        waited, late = self._waited.get(model.endpoint, (0.0, None))
        return late if seconds <= waited else None

    def add(self, model: ChatModel, error: ModelError, seconds: float) -> None:
        """Remember a failure of a call that had so many seconds."""
        again = type(error)(AGAIN.format(error=error))
        if isinstance(error, ModelTimeout):
            if self.of(model, seconds) is None:
                self._waited[model.endpoint] = (seconds, again)
        elif error.reach:
            until = time.monotonic() + BUSY_SECONDS if isinstance(error, ModelBusy) else math.inf
            self._faults[model.endpoint, model.model if error.reach == "model" else ""] = (until, again)


_failures: ContextVar[Failures | None] = ContextVar("failures", default=None)


@contextmanager
def asked_once(shared: Failures | None = None) -> Iterator[None]:
    """Failures are remembered in this block and in the tasks started in it: those of a block around it too.

    Args:
        shared: where they are kept; if None, where the block around this one keeps them, if there is one.
    """
    token = _failures.set(shared or _failures.get() or Failures())
    try:
        yield
    finally:
        _failures.reset(token)


def failures() -> Failures:
    """Those of the run under way; outside of one, none."""
    return _failures.get() or Failures()
