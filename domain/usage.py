"""Use of models by person, and quotas: values."""

from datetime import date

from core.errors import InputError
from core.values import Value

ERASED = "erased"
"""Owner of what an erased person leaves behind."""
QUESTIONS = "questions"
"""The role under which questions are counted; it has no model."""
COUNTS = ("questions", "calls", "failures", "prompt_tokens", "completion_tokens")
"""Fields of `Usage` that add up."""


class QuotaExceeded(InputError):
    """The person has used what they may on one day."""


class Quota(Value):
    """Daily limits of one person; 0 = no limit.

    Attributes:
        tokens: sent and received. A question is refused once they are spent: those that are being answered
            then may still exceed them.
    """

    questions: int = 0
    tokens: int = 0


class Usage(Value):
    """Use by one person on one day of Spain; `role` is QUESTIONS, with an empty model, for questions."""

    owner: str
    day: date
    role: str
    model: str
    questions: int = 0
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
