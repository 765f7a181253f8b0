"""Search aids that a model writes for norms: what they would take, and within which budget."""

from collections.abc import Iterable
from functools import reduce
from pathlib import Path

from config import ROOT
from domain.usage import Usage
from rag.aids.shipped import Enrichment
from rag.clock import today_in_spain
from rag.enrichment.enrich import Enricher, Limits
from rag.enrichment.estimate import Estimate
from rag.enrichment.written import MODEL, ORIGIN
from rag.errors import ConfigurationError
from rag.ingestion.request import AidsCost
from rag.ports import ChatModel, CorpusStore
from rag.prompts import Prompts
from rag.running.metering import ENRICHMENT
from rag.types import Document, Value
from service.oversight.oversight import Oversight

SHIPPED = ROOT / "data" / "enrichment"
ENRICHED = "enriched"


class AidsStatus(Value):
    """Search aids of a stored norm: articles with aids by a model, and what those without any would take."""

    written: int
    cost: AidsCost | None


class SearchAids(Oversight):
    """The part of `bootstrap.App` that knows what search aids cost."""

    home: Path
    corpus: CorpusStore
    reader: ChatModel | None
    prompts: Prompts

    @property
    def enricher(self) -> Enricher:
        limits = Limits(
            calls=self.settings.enrich_max_calls,
            tokens=self.settings.enrich_max_tokens,
            month=self.settings.enrich_max_tokens_per_month,
        )
        usage = self.database.usage
        return Enricher(
            self.corpus,
            self.database.corpus_writer,
            self.home / ENRICHED,
            self.reader,
            self.prompts,
            limits,
            lambda: usage.tokens_this_month(ENRICHMENT),
        )

    def estimate(self, document: Document) -> Estimate:
        """Estimate of the aids of a document once it is stored; nothing when loads go without them."""
        if self.reader is None or not self.settings.enrich_on_load:
            return Estimate()
        return self.enricher.estimate(Enrichment(SHIPPED).apply(document))

    def aids_status(self, norm_id: str) -> AidsStatus:
        """The search aids of a norm; of one that is not stored, none."""
        document = self.corpus.document(norm_id)
        if document is None:
            return AidsStatus(written=0, cost=None)
        written = sum(block.attributes.get(ORIGIN) == MODEL for block in document.blocks)
        lacking = [self.enricher.estimate(document)] if self.reader else []
        return AidsStatus(written=written, cost=self.aids_cost(lacking))

    def aids_cost(self, lacking: Iterable[Estimate]) -> AidsCost | None:
        """Cost of the reader for all of these; None when that is nothing."""
        total = reduce(Estimate.plus, lacking, Estimate())
        if self.reader is None or not total.calls:
            return None
        money, currency = self._money(total, self.reader.model)
        limits = self.enricher.limits
        return AidsCost(
            model=self.reader.model,
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
