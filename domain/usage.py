"""What models were used for whom, and how much of it a person may use: values and ports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from rag.errors import InputError
from rag.running.metering import Spent
from rag.types import Value

ERASED = "erased"
"""Who things belong to once the person is gone."""
QUESTIONS = "questions"
"""The role under which questions are counted; it has no model."""


class QuotaExceeded(InputError):
    """The person has used what they may on one day."""


class Quota(Value):
    """What one person may use a day; 0 = no limit.

    Attributes:
        tokens: sent and received. A question is refused once they are spent: those that are being answered
            then may still exceed them.
    """

    questions: int = 0
    tokens: int = 0


class Usage(Value):
    """What somebody used on one day of Spain; `role` is QUESTIONS, with an empty model, for the questions."""

    owner: str
    day: date
    role: str
    model: str
    questions: int = 0
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class UsageStore(Protocol):
    """Raises (all methods): StorageError."""

    def record(self, owner: str, spent: Sequence[Spent]) -> None:
        """Add it to what the owner has used today."""
        ...

    def rows(self, since: date, until: date, owner: str = "") -> list[Usage]:
        """Both days included; by day, owner, role and model."""
        ...
