"""Values of a requested answer."""

from enum import StrEnum


class AnswerLength(StrEnum):
    """How much an answer says; the values are stored."""

    BRIEF = "brief"
    NORMAL = "normal"
    DETAILED = "detailed"
