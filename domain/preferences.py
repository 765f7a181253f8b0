"""How one person wants the program to be: values."""

from datetime import date
from enum import StrEnum

from core.values import Value
from rag.shared.cited_answer import AnswerLength


class Theme(StrEnum):
    """Colours of the pages; the values are stored."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class DefaultDay(StrEnum):
    """The day whose law a new conversation is about; the values are stored."""

    TODAY = "today"
    ASK = "ask"
    FIXED = "fixed"


class Notice(StrEnum):
    """How a person is told that an answer has ended while they were elsewhere; the values are stored."""

    PAGE = "page"
    TAB = "tab"
    NONE = "none"


class Preferences(Value):
    """Preferences of a person; the defaults are those of a person who has chosen nothing.

    Attributes:
        fixed_day: the day of `DefaultDay.FIXED`.
        shortcuts: keys that lead to places of the page.
        toured: the first steps have been shown and closed.
        detail: the trace of each answer is shown under it.
    """

    theme: Theme = Theme.SYSTEM
    length: AnswerLength = AnswerLength.NORMAL
    day: DefaultDay = DefaultDay.TODAY
    fixed_day: date | None = None
    shortcuts: bool = True
    notice: Notice = Notice.PAGE
    toured: bool = False
    detail: bool = False
