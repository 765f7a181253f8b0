"""A stretch of a text that cites something."""

from core.values import Value


class Span(Value):
    """Offsets of the stretch, from and to, and its words."""

    start: int
    end: int
    text: str
