"""What a stored sign of life is worth when the clock of the machine may have been moved."""

from __future__ import annotations

from datetime import datetime, timedelta

SKEW = timedelta(minutes=5)
"""How far ahead of this clock a stored time may be: servers differ by seconds. Beyond it the clock has been
put back, and what it wrote before is not believed."""


def silent(at: datetime, now: datetime, seconds: float) -> bool:
    """Whether a sign of life is that many seconds old, or of a clock that has been put back since."""
    return not now - timedelta(seconds=seconds) < at <= now + SKEW
