"""The norms of the BOE as this program reads them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from domain.accounts import LOCAL_USER
from loading.boe.boe_client import BoeClient
from loading.boe.boe_copies import Copies
from loading.boe.boe_update import BoeLibrary
from loading.ingestion.intake import Intake


@dataclass
class Boe:
    """One connection to the BOE, made on first use, which keeps the pace of all requests.

    Attributes:
        rate: requests a second.
    """

    home: Path
    url: str
    rate: float
    intake: Callable[[], Intake]

    @cached_property
    def _client(self) -> BoeClient:
        return BoeClient(self.url, rate=self.rate)

    def library(self, owner: str = LOCAL_USER, job_id: str = "") -> BoeLibrary:
        """The library of the BOE; its loads are recorded under `owner` and `job_id`."""
        intake = self.intake()
        return BoeLibrary(
            Copies(self.home / "boe", self._client, intake.reader),
            intake.store,
            lambda path, document: intake.put(document, path, intake.origin(path, owner), job_id=job_id),
        )

    def close(self) -> None:
        """Close the connection, if there is one."""
        client: BoeClient | None = vars(self).pop("_client", None)
        if client is not None:
            client.close()
