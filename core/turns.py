"""Turns at work that costs: few at once, fewer for each person, and those who wait take turns by person."""

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial

from core.errors import TooManyWaiting
from core.progress import OnProgress

QUEUE = "queue"
"""Phase of who waits; the steps done are those that come before."""
LOOK_SECONDS = 0.2


class Place:
    """A place in the work or in the queue for it.

    Attributes:
        since: when it began, in seconds of `time.monotonic`.
    """

    def __init__(self, turns: "Turns", person: str, begin: Callable[[], object]) -> None:
        self._turns = turns
        self.person = person
        self.begin = begin
        self.since = 0.0

    @property
    def ahead(self) -> int:
        """Number of turns that come before it; 0 once it has begun."""
        return self._turns.ahead(self)

    def end(self) -> None:
        """Let the next one in; once is enough."""
        self._turns.end(self)


class Turns:
    """Hands out turns; for any thread.

    Args:
        at_once: work at the same time, `each` of it for one person.
        waiting: turns of one person that may wait, and `crowd` of all of them.
        patience: seconds after which a turn ends though its work goes on, if somebody waits.
    """

    def __init__(
        self, at_once: int, each: int, waiting: int, crowd: int, patience: float | None = None
    ) -> None:
        self._at_once = at_once
        self._each = each
        self._most = waiting
        self._crowd = crowd
        self._patience = patience
        self._watch: threading.Timer | None = None
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._closed = False
        self._at_work: set[Place] = set()
        self._busy: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[Place]] = OrderedDict()

    def take(self, person: str, begin: Callable[[], object]) -> Place:
        """A turn whose `begin` is called, from any thread, when it comes; it must not wait.

        Raises:
            TooManyWaiting: the person, or everybody together, has too much work waiting.
        """
        turn = Place(self, person, begin)
        with self._lock:
            waiting = len(self._queues.get(person, ()))
            if self._closed or waiting >= self._most or sum(map(len, self._queues.values())) >= self._crowd:
                raise TooManyWaiting
            self._queues.setdefault(person, deque()).append(turn)
        self._next()
        return turn

    @contextmanager
    def turn(self, person: str, tell: OnProgress | None = None) -> Iterator[Place]:
        """Wait for a turn and have it for the block; inside one of the same person and thread it is that one.

        Args:
            tell: told how many are ahead while it waits; what it raises ends the waiting.
        """
        outer: Place | None = getattr(self._of_thread, "place", None)
        if outer is not None and outer.person == person:
            yield outer
            return
        begun = threading.Event()
        mine = self.take(person, begun.set)
        try:
            while not begun.wait(LOOK_SECONDS if tell else None):
                if tell:
                    tell(QUEUE, mine.ahead, 0)
            if self._closed:
                raise TooManyWaiting
            self._of_thread.place = mine
            yield mine
        finally:
            self._of_thread.place = outer
            mine.end()

    @asynccontextmanager
    async def awaited(self, person: str) -> AsyncIterator[Place]:
        """`turn` for a coroutine, whose loop is free meanwhile."""
        begun = asyncio.Event()
        mine = self.take(person, partial(asyncio.get_running_loop().call_soon_threadsafe, begun.set))
        try:
            await begun.wait()
            yield mine
        finally:
            mine.end()

    def ahead(self, turn: Place) -> int:
        """Number of turns that come before this one."""
        with self._lock:
            if turn not in self._queues.get(turn.person, ()):
                return 0
            own = self._queues[turn.person].index(turn)
            people = list(self._queues)
            before = people[: people.index(turn.person)]
            others = ((one, queue) for one, queue in self._queues.items() if one != turn.person)
            return own + sum(min(len(queue), own + (one in before)) for one, queue in others)

    def end(self, turn: Place) -> None:
        """End a turn, begun or not."""
        with self._lock:
            if turn in self._at_work:
                self._at_work.remove(turn)
                self._busy[turn.person] -= 1
            elif turn in (queue := self._queues.get(turn.person, deque())):
                queue.remove(turn)
                if not queue:
                    del self._queues[turn.person]
        self._next()

    def close(self) -> None:
        """Give no more turns; those who wait in `turn` are sent away."""
        with self._lock:
            self._closed = True
            left = [turn for queue in self._queues.values() for turn in queue]
        for turn in left:
            turn.begin()

    def _next(self) -> None:
        begun: list[Place] = []
        with self._lock:
            while len(self._at_work) < self._at_once and (person := self._first()) is not None:
                queue = self._queues.pop(person)
                turn = queue.popleft()
                if queue:
                    self._queues[person] = queue  # behind the others
                turn.since = time.monotonic()
                self._at_work.add(turn)
                self._busy[person] += 1
                begun.append(turn)
            self._look_later()
        for turn in begun:
            turn.begin()

    def _look_later(self) -> None:
        """Have turns that take too long end while somebody waits. Call it with the lock."""
        if self._patience is None or self._watch is not None or not (self._queues and self._at_work):
            return
        first = min(turn.since for turn in self._at_work) + self._patience
        self._watch = threading.Timer(max(0.0, first - time.monotonic()), self._end_late, [self._patience])
        self._watch.daemon = True
        self._watch.start()

    def _end_late(self, patience: float) -> None:
        with self._lock:
            self._watch = None
            late = [turn for turn in self._at_work if time.monotonic() - turn.since >= patience]
        for turn in late:
            turn.end()
        self._next()

    def _first(self) -> str | None:
        return next((person for person in self._queues if self._busy[person] < self._each), None)
