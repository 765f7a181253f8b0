"""Replies that would not end: a model that repeats itself, writes blanks for ever or never stops."""

import json

MOST = 200_000
"""Characters of a streamed reply, thinking included; the longest answer and its quotations have 30,000."""
TAIL = 400
PERIOD = 40


class Endless:
    """Watches the pieces of one reply."""

    def __init__(self) -> None:
        self._tail = ""
        self._heard = 0
        self._looked = 0

    def hears(self, piece: str) -> bool:
        """True if nothing of use will follow.

        It has MOST characters, or its last TAIL ones are blank or repeat PERIOD or fewer of them.
        """
        self._heard += len(piece)
        self._tail = (self._tail + piece)[-TAIL:]
        if self._heard - self._looked < PERIOD or len(self._tail) < TAIL:
            return False
        self._looked = self._heard
        tail = self._tail
        return (
            self._heard > MOST
            or tail.isspace()
            or any(tail.endswith(tail[:-period]) for period in range(1, PERIOD + 1))
        )


def holds_object(text: str) -> bool:
    """True if the first JSON object of a text is whole."""
    start = text.find("{")
    try:
        return start >= 0 and isinstance(json.JSONDecoder(strict=False).raw_decode(text, start)[0], dict)
    except (ValueError, RecursionError):
        return False
