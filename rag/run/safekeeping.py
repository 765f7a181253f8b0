"""Storing a paid-for result, with further attempts while the database is out of reach."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress

from core.errors import StorageUnavailable

LONGEST_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0

logger = logging.getLogger(__name__)


async def store(
    write: Callable[[], object], what: str, ending: asyncio.Event, pool: Executor | None = None
) -> None:
    """Call `write` in a thread of `pool`, repeatedly, with growing pauses, while the database is away.

    Args:
        write: must be repeatable: a commit may succeed without its confirmation arriving.
        what: name of the data for the log.
        ending: once it is set, the attempt after it is the last.
        pool: asyncio's default pool if None.

    Raises:
        StorageUnavailable: the database was away for LONGEST_SECONDS, or until the end of the program.
        StorageError: the database refused. Other exceptions of `write` pass through too.
    """
    loop = asyncio.get_running_loop()
    clock = loop.time
    end = clock() + LONGEST_SECONDS
    pause = FIRST_PAUSE
    while True:
        is_last = ending.is_set() or clock() + pause > end
        try:
            await loop.run_in_executor(pool, write)
            return
        except StorageUnavailable:
            if is_last:
                raise
            logger.warning("%s cannot be stored now; trying again", what)
        with suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), pause)
        pause = min(2 * pause, LONGEST_PAUSE)
