"""The day in Spain, and the age of a stored sign of life."""

import time
from datetime import UTC, date, datetime, timedelta
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
