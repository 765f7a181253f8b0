"""Search aids that a model writes for norms: what they would take, and within which budget."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from core.clock import today_in_spain
from core.errors import ConfigurationError
from core.values import Value
from domain.usage import Usage
from law.norms import Document
from loading.aids.shipped_aids import Enrichment
from loading.enrichment.enrich import Enricher, Limits
from loading.enrichment.estimate import Estimate
from loading.enrichment.written_aids import MODEL, ORIGIN
from loading.ingestion.load_request import AidsCost
from models.metering import ENRICHMENT
from rag.prompts import Prompts
from service.config import ROOT, Settings
from service.oversight.usage import UsageReports
from service.program.models import Models
from storage.stores import Database

SHIPPED = ROOT / "data" / "enrichment"
ENRICHED = "enriched"


class AidsStatus(Value):
    """Search aids of a stored norm: articles with aids by a model, and what those without any would take."""

    written: int
    cost: AidsCost | None


@dataclass
class SearchAids:
    """Search aids of this program: who writes them, and what they cost."""

    database: Database
    settings: Settings
    models: Models
    prompts: Prompts
    usage: UsageReports

    def __post_init__(self) -> None:
        self.limits = Limits(
            calls=self.settings.enrich_max_calls,
            tokens=self.settings.enrich_max_tokens,
            month=self.settings.enrich_max_tokens_per_month,
        )

    @property
    def enricher(self) -> Enricher:
        return Enricher(
            self.database.corpus,
            self.database.corpus_writer,
            self.settings.articulado_home / ENRICHED,
            self.models.reader,
            self.prompts,
            self.limits,
            lambda: self.database.usage.tokens_this_month(ENRICHMENT),
        )

    @property
    def follow_loads(self) -> bool:
        """True if a model writes search aids after each load."""
        return self.models.reader is not None and self.settings.enrich_on_load

    def estimate(self, document: Document) -> Estimate:
        """Estimate of the aids of a document once it is stored; nothing when loads go without them."""
        if not self.follow_loads:
            return Estimate()
        return self.enricher.estimate(Enrichment(SHIPPED).apply(document))

    def status(self, norm_id: str) -> AidsStatus:
        """The search aids of a norm; of one that is not stored, none."""
        document = self.database.corpus.document(norm_id)
        if document is None:
            return AidsStatus(written=0, cost=None)
        written = sum(block.attributes.get(ORIGIN) == MODEL for block in document.blocks)
        lacking = [self.enricher.estimate(document)] if self.models.reader else []
        return AidsStatus(written=written, cost=self.cost(lacking))

    def cost(self, lacking: Iterable[Estimate]) -> AidsCost | None:
        """Cost of the reader for all of these; None when that is nothing."""
        total, reader = reduce(Estimate.plus, lacking, Estimate()), self.models.reader
        if reader is None or not total.calls:
            return None
        money, currency = self._money(total, reader.model)
        limits = self.limits
        return AidsCost(
            model=reader.model,
            calls=total.calls,
            tokens=total.tokens,
            reasons=self.settings.reader_reasoning,
            money=money,
            currency=currency,
            within=total.calls <= limits.calls and total.tokens <= self.enricher.allowance(),
        )

    def _money(self, total: Estimate, model: str) -> tuple[float | None, str]:
        try:
            prices = self.usage.prices()
        except ConfigurationError:
            # The page of use tells what is wrong with the list; a load does not wait for that.
            return None, ""
        counts = {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}
        usage = Usage(owner="", day=today_in_spain(), role=ENRICHMENT, model=model, **counts)
        return prices.cost(usage), prices.currency
