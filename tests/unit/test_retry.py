"""The waits between attempts at an endpoint."""

from rag.errors import ModelError
from rag.providers.retry import LONGEST_ASKED, LONGEST_WAIT, Backoff, Fault

PASSING = Fault(ModelError, "", retryable=True)


def test_waits_grow_with_jitter_up_to_a_limit() -> None:
    policy = Backoff(retries=9, first=1.0)
    for failed, longest in [(1, 1.0), (2, 2.0), (3, 4.0), (4, LONGEST_WAIT), (9, LONGEST_WAIT)]:
        waits = {policy.wait(failed, PASSING) or 0.0 for _ in range(50)}
        assert len(waits) > 1
        assert longest / 2 <= min(waits) <= max(waits) <= longest
    assert policy.wait(10, PASSING) is None


def test_an_endless_retry_after_is_capped() -> None:
    asked = Fault(ModelError, "", retryable=True, retry_after=86_400.0)
    assert Backoff(retries=1).wait(1, asked) == LONGEST_ASKED
