"""Estimate of the cost of search aids by a model."""

from __future__ import annotations

from core.values import Value

REPLY_TOKENS = 300
"""A summary, eight keywords and four questions in Spanish, as JSON."""


class Estimate(Value):
    """Calls to a model and their tokens; what a reasoning model thinks comes on top."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def plus(self, other: Estimate) -> Estimate:
        return Estimate(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )
