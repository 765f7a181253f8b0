"""Retry policy of endpoints: bounded attempts, growing waits. Pure except for the jitter."""

import random
from dataclasses import dataclass

from core.errors import ModelError

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_ASKED = 20.0


@dataclass(frozen=True)
class Fault:
    """A failed attempt, described without any text of the endpoint or the SDK.

    Attributes:
        kind: the error to raise if it is final.
        text: one sentence in Spanish.
        retry_after: seconds that the endpoint asked to wait.
        unsupported: optional keys of the request that the endpoint may not know.
    """

    kind: type[ModelError]
    text: str
    retryable: bool = False
    retry_after: float | None = None
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backoff:
    """Full exponential back-off with jitter in its upper half, `retries` times at most."""

    retries: int
    first: float = FIRST_WAIT
    longest: float = LONGEST_ASKED

    def wait(self, failed: int, fault: Fault, left: float | None = None) -> float | None:
        """Seconds to wait after `failed` failed attempts, or None to give up.

        It gives up when the wait would use up the `left` seconds: the fault is clearer than a timeout. So it
        does when the endpoint asks for more than `longest`: it would refuse a request that comes earlier.
        """
        if not fault.retryable or failed > self.retries:
            return None
        if fault.retry_after is not None:
            wait = fault.retry_after
            if wait > self.longest:
                return None
        else:
            wait = min(LONGEST_WAIT, self.first * 2.0 ** (failed - 1)) * random.uniform(0.5, 1.0)
        return wait if left is None or wait < left else None
