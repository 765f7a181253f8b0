"""Intakes of documents as this program reads and refines them."""

from dataclasses import dataclass

from loading.aids.shipped_aids import Enrichment
from loading.enrichment.normalise import Normaliser
from loading.ingestion.intake import Intake
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from rag.prompts import Prompts
from service.config import Settings
from service.program.models import Models
from service.program.search_aids import SHIPPED, SearchAids
from storage.stores import Database

NORMALISED = "normalized"


@dataclass
class Intakes:
    """Makes intakes with the models of the moment."""

    database: Database
    settings: Settings
    models: Models
    prompts: Prompts
    aids: SearchAids

    def __post_init__(self) -> None:
        self.reader = reader_of(Limits(self.settings.parse_seconds, self.settings.parse_memory_mb))

    def new(self) -> Intake:
        """An intake for the calling thread."""
        home, model = self.settings.articulado_home, self.models.reader
        refine = [self.aids.enricher.refine]
        if self.settings.normalize_documents and model is not None:
            refine.insert(0, Normaliser(model, self.prompts, home / NORMALISED).refine)
        stores = self.database.corpus, self.database.corpus_writer, self.database.documents
        return Intake(*stores, home, Enrichment(SHIPPED), refine, self.reader)
