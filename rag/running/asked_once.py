"""Endpoints that failed a run: none of its later stages asks them in vain."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rag.errors import ModelError, ModelTimeout
from rag.ports import ChatModel

AGAIN = "no se ha vuelto a preguntar: {error}"


class Failures:
    """The lasting faults of endpoints and models, and the longest wait for each endpoint, in seconds."""

    def __init__(self) -> None:
        self._faults: dict[tuple[Hashable, str], ModelError] = {}
        self._waited: dict[Hashable, tuple[float, ModelError]] = {}

    def of(self, model: ChatModel, seconds: float) -> ModelError | None:
        """The failure that asking for so many seconds would meet again; None if it may work."""
        for name in ("", model.model):
            if known := self._faults.get((model.endpoint, name)):
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
            self._faults[model.endpoint, model.model if error.reach == "model" else ""] = again


_failures: ContextVar[Failures | None] = ContextVar("failures", default=None)


@contextmanager
def asked_once() -> Iterator[None]:
    """Failures are remembered in this block and in the tasks started in it."""
    token = _failures.set(Failures())
    try:
        yield
    finally:
        _failures.reset(token)


def failures() -> Failures:
    """Those of the run under way; outside of one, none."""
    return _failures.get() or Failures()
