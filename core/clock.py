"""The day in Spain, the age of a stored sign of life, and the wait that a server asks for."""

import time
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

SPAIN = ZoneInfo("Europe/Madrid")
"""The zone of every day and hour that a person reads: a server may keep another one, containers keep UTC."""
SKEW = timedelta(minutes=5)
"""Tolerated lead of a stored time over this clock: servers differ by seconds. A larger lead means that the
clock was put back, and the stored time is not trusted."""


def today_in_spain() -> date:
    """The current day in Spain: the law in force on it answers a question that names no day."""
    return spanish_day(datetime.fromtimestamp(time.time(), UTC))


def spanish_day(moment: datetime) -> date:
    """The day in Spain of a stored moment, which is UTC when it has no zone."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(SPAIN).date()


def silent(at: datetime, now: datetime, seconds: float) -> bool:
    """True if a sign of life is `seconds` old or older, or more than SKEW ahead (clock put back)."""
    return not now - timedelta(seconds=seconds) < at <= now + SKEW


def asked_wait(retry_after: str | None) -> float | None:
    """Seconds from now of a Retry-After header, a number or a date (RFC 9110, 10.2.3); None for another."""
    with suppress(ValueError):
        return max(0.0, float(retry_after or ""))
    with suppress(ValueError, OverflowError, TypeError):
        return max(0.0, parsedate_to_datetime(retry_after or "").timestamp() - time.time())
    return None
