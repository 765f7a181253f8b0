"""The waits between attempts at an endpoint."""

import pytest

from core.errors import ModelError
from models.retry import LONGEST_ASKED, LONGEST_WAIT, Backoff, Fault

PASSING = Fault(ModelError, "", retryable=True)


def test_waits_grow_with_jitter_up_to_a_limit() -> None:
    policy = Backoff(retries=9, first=1.0)
    for failed, longest in [(1, 1.0), (2, 2.0), (3, 4.0), (4, LONGEST_WAIT), (9, LONGEST_WAIT)]:
        waits = {policy.wait(failed, PASSING) or 0.0 for _ in range(50)}
        assert len(waits) > 1
        assert longest / 2 <= min(waits) <= max(waits) <= longest
    assert policy.wait(10, PASSING) is None


@pytest.mark.parametrize(
    ("asked", "left", "longest", "waits"),
    [
        (2.0, None, LONGEST_ASKED, 2.0),
        (LONGEST_ASKED, None, LONGEST_ASKED, LONGEST_ASKED),
        (86_400.0, None, LONGEST_ASKED, None),
        (30.0, None, LONGEST_ASKED, None),
        (30.0, None, 60.0, 30.0),
        (15.0, 10.0, LONGEST_ASKED, None),
    ],
)
def test_an_asked_wait_is_kept_whole_or_the_attempt_is_given_up(
    asked: float, left: float | None, longest: float, waits: float | None
) -> None:
    busy = Fault(ModelError, "", retryable=True, retry_after=asked)
    assert Backoff(retries=1, longest=longest).wait(1, busy, left) == waits
