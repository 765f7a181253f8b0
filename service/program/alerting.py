"""Wiring of alerts of changes of the law: digests, and the alerts that deliver them."""

from collections.abc import Callable

from domain.alert_settings import AlertsSettings
from domain.alerts import DueQuestion
from law.norm_names import NormCatalogue
from rag.shared.cited_answer import Answer
from service.program.alerts import Alerts
from service.program.deliveries import Deliveries
from storage.stores import Database


def wire(
    database: Database,
    settings: AlertsSettings,
    address: str,
    *,
    catalogue: Callable[[], NormCatalogue],
    ask: Callable[[DueQuestion], Answer],
    may_be_told: Callable[[str], bool],
) -> tuple[Deliveries, Alerts]:
    """The deliveries and the alerts over one database; see their classes for the arguments."""

    def law(norm_id: str) -> str | None:
        norm = database.corpus.norm(norm_id)
        return norm.law if norm else None

    deliveries = Deliveries(
        settings, database.digests, database.news, address=address, law=law, may_be_told=may_be_told
    )
    alerts = Alerts(
        database.news,
        database.questions,
        database.references,
        norms=database.corpus.norms,
        catalogue=catalogue,
        ask=ask,
        deliver=deliveries.deliver,
    )
    return deliveries, alerts
