"""The log: text for people or one JSON object per line for machines, with the request of each line."""

import contextlib
import logging
import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Literal

from pythonjsonlogger.json import JsonFormatter

_bound: ContextVar[Mapping[str, str]] = ContextVar("log_fields", default={})  # noqa: B039

QUIET = (
    "alembic",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "mcp",
    "openai",
    "uvicorn.access",
    "uvicorn.error",
    "websockets",
)
"""Libraries that log nothing useful at INFO, or an address (a model's, a visitor's) with each call."""


@contextlib.contextmanager
def bound(**fields: str) -> Iterator[None]:
    """Add these fields to each line logged within, in this task or thread and the tasks that it starts."""
    token = _bound.set({**_bound.get(), **fields})
    try:
        yield
    finally:
        _bound.reset(token)


def bind(**fields: str) -> None:
    """As `bound`, for the rest of this task or thread."""
    _bound.set({**_bound.get(), **fields})


class _Fields(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in _bound.get().items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True


class _Text(logging.Formatter):
    """One line a record, even if its text has line breaks; only a traceback may follow, indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return _indented(super().formatStack(stack_info))

    def format(self, record: logging.LogRecord) -> str:
        told = " ".join(f"{name}={value}" for name, value in _bound.get().items())
        return super().format(record) + (f"  [{told}]" if told else "")


def _indented(text: str) -> str:
    return "\n".join(f"    {one_line(line)}" for line in text.splitlines())


def one_line(text: str) -> str:
    """The text with unprintable characters (line breaks, terminal codes) written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def configure(kind: Literal["text", "json"] = "text", level: str = "INFO") -> None:
    """Send everything that this process logs to stderr. A second call replaces the first."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_Fields())
    if kind == "json":
        names = {"levelname": "level", "name": "logger"}
        handler.setFormatter(
            JsonFormatter("%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="at")
        )
    else:
        handler.setFormatter(_Text("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
