"""Readiness of a process to answer."""

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Readiness:
    """Checks of the parts that an answer needs, made each time.

    Attributes:
        accepting: False from the moment that the process takes no more questions.
    """

    accepting = True

    def __init__(self, **checks: Callable[[], bool]) -> None:
        """Wire it; a check that raises counts as False."""
        self._checks = checks | {"accepting": lambda: self.accepting}

    def state(self) -> dict[str, bool]:
        """Readiness of each thing, by name."""
        found: dict[str, bool] = {}
        for name, check in self._checks.items():
            try:
                found[name] = check()
            except Exception as error:
                logger.warning("not ready: %s: %s", name, error)
                found[name] = False
        return found
