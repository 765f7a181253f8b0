"""Use of models by person: counting, cost and reports."""

import logging
import tomllib
from collections.abc import Iterable, Sequence
from datetime import date
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path

from pydantic import Field, ValidationError

from core.errors import ConfigurationError, StorageError
from core.values import Value
from domain.usage import COUNTS, Usage
from models.metering import Meter, Spent
from rag.run.runs import Run
from rag.shared.trace import Trace
from storage.people.usage import SqlUsageStore

BY = ("user", "model", "day")
PER = 1_000_000

PRICES = "prices.toml"

logger = logging.getLogger(__name__)


class Price(Value):
    """Per million tokens sent and received; `model` may hold * for anything."""

    model: str
    input: float = Field(ge=0)
    output: float = Field(default=0, ge=0)


class Prices(Value):
    """A price list: `checked` is the day on which somebody copied it from `source`."""

    currency: str = ""
    checked: date | None = None
    source: str = ""
    price: tuple[Price, ...] = ()

    def cost(self, usage: Usage) -> float | None:
        """Cost in the currency of the prices; None for a model without a price."""
        if not (usage.prompt_tokens or usage.completion_tokens):
            return 0.0
        found = next((one for one in self.price if fnmatchcase(usage.model, one.model)), None)
        if found is None:
            return None
        return (usage.prompt_tokens * found.input + usage.completion_tokens * found.output) / PER


class UsageLine(Value):
    """A line of a report.

    Attributes:
        key: the owner, the model, or the day as ISO text.
        cost: of what has a price; `unpriced` says that some of it has none.
    """

    key: str
    questions: int = 0
    calls: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: bool = False


class UsageReports:
    """Takes what is spent to the store, and reports it."""

    def __init__(self, store: SqlUsageStore, files: Sequence[Path]) -> None:
        """Wire it.

        Args:
            files: where the price list may be; the first that exists counts.
        """
        self._store = store
        self._files = files

    def spend(self, owner: str, spent: Sequence[Spent]) -> None:
        """Keep it; trouble is logged and spoils nothing of what was paid for."""
        try:
            self._store.record(owner, spent)
        except StorageError:
            logger.exception("what %s used could not be recorded", owner)

    def answered(self, run: Run, trace: Trace | None) -> None:
        """Count what an answer spent, however it ended."""
        meter: Meter = run.meter
        meter.add_embeddings(call for stage in (trace.records if trace else ()) for call in stage.calls)
        self.spend(run.owner, meter.spent)

    def prices(self) -> Prices:
        """Raises ConfigurationError: the list cannot be read."""
        path = next((path for path in self._files if path.is_file()), None)
        if path is None:
            return Prices()
        try:
            return Prices.model_validate(tomllib.loads(path.read_text("utf-8")))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
            raise ConfigurationError(
                f"La lista de precios {path.name} no se puede leer: revise su formato."
            ) from error

    def report(self, by: str, since: date, until: date) -> list[UsageLine]:
        """Use between two days, both included: one line a user, model or day, by name.

        Raises:
            ConfigurationError: see `prices`.
        """
        prices = self.prices()
        lines: dict[str, UsageLine] = {}
        for usage in self._store.rows(since, until):
            key = {"user": usage.owner, "model": usage.model, "day": usage.day.isoformat()}[by]
            if not key:
                continue
            counts, cost = usage.model_dump(include=set(COUNTS)), prices.cost(usage)
            one = UsageLine(key=key, cost=cost or 0.0, unpriced=cost is None, **counts)
            lines[key] = _added(lines[key], one) if key in lines else one
        return [lines[key] for key in sorted(lines)]


def total(lines: Iterable[UsageLine]) -> UsageLine:
    """Their sum, with an empty key."""
    return reduce(_added, lines, UsageLine(key=""))


def _added(line: UsageLine, other: UsageLine) -> UsageLine:
    """The sum, under the key of the first."""
    changes = {name: getattr(line, name) + getattr(other, name) for name in (*COUNTS, "cost")}
    return line.model_copy(update=changes | {"unpriced": line.unpriced or other.unpriced})
