"""Storing what was paid for although the database is away for a moment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress

from rag.errors import StorageUnavailable

LONGEST_SECONDS = 30.0
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0

logger = logging.getLogger(__name__)


async def store(
    write: Callable[[], object], what: str, ending: asyncio.Event, pool: Executor | None = None
) -> None:
    """Call `write` in a thread of `pool`, again after growing pauses while the database is away.

    Args:
        write: may be called again after a commit of which nobody heard.
        what: for the log.
        ending: once it is set, the attempt after it is the last.
        pool: asyncio's own when there is none.

    Raises:
        StorageUnavailable: it was away for LONGEST_SECONDS, or until the end of the program.
        StorageError: it refused; what else `write` raises.
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
