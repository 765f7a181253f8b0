"""The composition root: Settings become wired services. The only file that knows every part."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config import ROOT, RoleSettings, Settings, settings
from rag.errors import ConfigurationError, EmbedderUnavailable, IndexMismatch
from rag.index.edge import EdgeIndex
from rag.index.server import ServerIndex
from rag.index.sparse import SparseEncoder
from rag.index_types import Fingerprint
from rag.ingestion import shipped
from rag.ingestion.chunk import CHUNKER
from rag.ingestion.doctor import examine
from rag.ingestion.indexing import IndexReport, OnProgress, reindex, sync_index
from rag.ingestion.service import IngestReport, catalogue_of, ingest
from rag.legal.synonyms import Synonyms
from rag.ports import ChatModel, Embedder, VectorIndex
from rag.prompts import Prompts
from rag.providers.local_bulk import BulkEmbedder
from rag.providers.openai import OpenAIChat, OpenAIEmbedder
from rag.references import NormCatalogue
from rag.runs import RunRegistry
from rag.services import Services
from storage import Database, open_database

LOCAL_USER = "local"
DEMO = ROOT / "data" / "demo"

OFFLINE = (
    "Modo sin modelo: las respuestas son frases literales de las normas, sin redacción. "
    "Para que un modelo redacte, configure OPENAI_API_KEY u OPENAI_BASE_URL."
)
LEXICAL = "Búsqueda solo léxica: {reason}"
PENDING = (
    "Faltan los vectores de {pending} fragmentos, que hasta entonces solo se encuentran por sus palabras: "
    "ejecute «python cli.py reindex» con la página cerrada."
)
DEMO_ONLY = (
    "Corpus de demostración: resúmenes no oficiales de artículos seleccionados. "
    "Importe el texto de las normas desde el BOE antes de usar las respuestas."
)


@dataclass
class App:
    """The wired program: one per process."""

    settings: Settings
    database: Database
    index: VectorIndex
    encoder: SparseEncoder
    embedder: Embedder | None
    reader: ChatModel | None
    principal: ChatModel | None
    embedder_problem: str = ""
    prompts: Prompts = field(default_factory=Prompts)
    synonyms: Synonyms = field(default_factory=Synonyms)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _services: Services | None = None
    _runs: RunRegistry | None = None
    _catalogue: NormCatalogue | None = None

    def __post_init__(self) -> None:
        self.corpus = self.database.corpus
        self.conversations = self.database.conversations

    @property
    def mode(self) -> str:
        return "model" if self.reader and self.principal else "offline"

    @property
    def fingerprint(self) -> Fingerprint:
        name, size = (self.embedder.name, self.embedder.dimensions) if self.embedder else ("none", 0)
        return Fingerprint(embedding=name, dimensions=size, chunker=CHUNKER)

    @property
    def services(self) -> Services:
        """What the pipeline works with; opens the index on first use.

        An index that lost part of what the database holds (a damaged folder, an ingestion cut short) is
        completed first, its lexical half at least: half a corpus is never searched in silence.

        Raises:
            IndexMismatch: the index was built with another model or chunker: run `reindex`.
            IndexUnavailable: it cannot be opened.
        """
        with self._lock:
            if self._services is None:
                self.index.open(self.fingerprint)
                if self.index.count() != self.corpus.counts().chunks:
                    self.sync(dense=False)
                self._services = Services(
                    profile=self.settings,
                    store=self.corpus,
                    index=self.index,
                    encoder=self.encoder,
                    prompts=self.prompts,
                    synonyms=self.synonyms,
                    catalogue=self.catalogue,
                    embedder=self.embedder,
                    reader=self.reader,
                    principal=self.principal,
                )
            return self._services

    @property
    def runs(self) -> RunRegistry:
        """Answers in progress."""
        with self._lock:
            if self._runs is None:
                self._runs = RunRegistry(
                    lambda: self.services,
                    self.conversations,
                    history_messages=max(
                        self.settings.history_answer_messages, self.settings.history_decompose_messages
                    ),
                )
            return self._runs

    @property
    def notices(self) -> tuple[str, ...]:
        """Spanish sentences about what this installation can and cannot do now."""
        notices = [] if self.mode == "model" else [OFFLINE]
        if self.embedder is None:
            notices.append(LEXICAL.format(reason=self.embedder_problem))
        elif pending := self.corpus.counts().pending_dense:
            notices.append(PENDING.format(pending=pending))
        norms = self.corpus.norms()
        if norms and not any(norm.official for norm in norms):
            notices.append(DEMO_ONLY)
        return tuple(notices)

    def models(self) -> dict[str, str]:
        """Role to model name, only for the roles in use."""
        roles = {"reader": self.reader, "principal": self.principal}
        names = {role: model.model for role, model in roles.items() if model is not None}
        return names | ({"embeddings": self.embedder.name} if self.embedder else {})

    def catalogue(self) -> NormCatalogue:
        """Norms that a question may name; made anew after an ingestion."""
        with self._lock:
            if self._catalogue is None:
                self._catalogue = catalogue_of(self.corpus)
            return self._catalogue

    def ingest(
        self,
        paths: list[Path],
        collection: str = "normativa",
        *,
        dense: bool = True,
        on_progress: OnProgress = lambda phase, done, total: None,
    ) -> tuple[IngestReport, IndexReport]:
        """Bring documents in and index them.

        Raises:
            InputError, StorageError, IndexUnavailable: see `rag.ingestion.service.ingest`.
        """
        report = ingest(paths, self.corpus, collection=collection, on_progress=on_progress)
        with self._lock:
            self._catalogue = None
        return report, self.sync(dense=dense, on_progress=on_progress)

    def sync(
        self, *, dense: bool = True, on_progress: OnProgress = lambda phase, done, total: None
    ) -> IndexReport:
        """Make the index hold what the database holds."""
        try:
            self.index.open(self.fingerprint)
        except IndexMismatch:
            if self.index_is_derived_from_nothing():
                self.index.reset(self.fingerprint)
            else:
                raise
        return sync_index(
            self.corpus,
            self.index,
            self.encoder,
            self.embedder,
            self.database.vectors,
            on_progress,
            dense=dense,
        )

    def index_is_derived_from_nothing(self) -> bool:
        """An empty corpus has nothing to lose by starting the index anew."""
        return not self.corpus.norms()

    def reindex(self, *, on_progress: OnProgress = lambda phase, done, total: None) -> IndexReport:
        """Rebuild the index from the database."""
        return reindex(
            self.corpus,
            self.index,
            self.encoder,
            self.embedder,
            self.database.vectors,
            self.fingerprint,
            on_progress,
        )

    def load_demo(self, on_progress: OnProgress = lambda phase, done, total: None) -> None:
        """Bring in the demo corpus with its shipped vectors; what is already there stays."""
        if self.embedder is not None:
            shipped.preload(DEMO, self.embedder.name, self.database.vectors)
        self.ingest([DEMO], on_progress=on_progress)

    def ensure_corpus(self) -> bool:
        """Load the demo corpus into an empty home; whether it did."""
        if self.corpus.norms():
            return False
        self.load_demo()
        return True

    def doctor(self) -> dict[str, Any]:
        """Whether settings, database and index agree (see `rag.ingestion.doctor`)."""
        return examine(self.corpus, self.index, self.fingerprint, self.embedder_problem)

    def close(self) -> None:
        """Stop answers under way (they are stored as interrupted) and let go of index and database."""
        if self._runs is not None:
            self._runs.close()
        if isinstance(self.embedder, BulkEmbedder):
            self.embedder.close()
        self.index.close()
        self.database.close()


def build(chosen: Settings) -> App:
    """Wire the program.

    Raises:
        ConfigurationError, StorageError: a setting or the database cannot be used.
    """
    chosen.articulado_home.mkdir(parents=True, exist_ok=True)
    problem = ""
    embedder: Embedder | None = None
    try:
        embedder = EMBEDDERS[chosen.embeddings_provider](chosen)
    except EmbedderUnavailable as error:
        problem = str(error)
    return App(
        settings=chosen,
        database=open_database(chosen.database),
        index=_index(chosen),
        encoder=SparseEncoder(),
        embedder=embedder,
        reader=_chat(chosen, chosen.reader),
        principal=_chat(chosen, chosen.principal),
        embedder_problem=problem,
    )


def _chat(chosen: Settings, role: RoleSettings) -> ChatModel | None:
    """Both roles or neither: half a model is no mode of its own."""
    return OpenAIChat(role, chosen.model_retries) if chosen.has_model else None


def _index(chosen: Settings) -> VectorIndex:
    if not chosen.qdrant_url:
        return EdgeIndex(chosen.index_path)
    key = chosen.qdrant_api_key.get_secret_value() if chosen.qdrant_api_key else None
    return ServerIndex(chosen.qdrant_url, api_key=key, collection=chosen.qdrant_collection)


def _local(chosen: Settings) -> Embedder:
    embedder = BulkEmbedder()
    embedder.load()
    return embedder


def _openai(chosen: Settings) -> Embedder:
    if not chosen.embeddings.enabled:
        raise ConfigurationError(
            "EMBEDDINGS_PROVIDER=openai needs OPENAI_API_KEY, EMBEDDINGS_API_KEY or a base URL."
        )
    return OpenAIEmbedder(chosen.embeddings, chosen.embeddings_dimensions, chosen.model_retries)


def _none(chosen: Settings) -> Embedder:
    raise EmbedderUnavailable("los vectores están desactivados (EMBEDDINGS_PROVIDER=none).")


class _Process:
    """The one program of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._app: App | None = None

    def get(self) -> App:
        with self._lock:
            if self._app is None:
                self._app = build(settings())
            return self._app

    def put(self, replacement: App | None) -> None:
        with self._lock:
            self._app = replacement


_process = _Process()


def app() -> App:
    """The process's program, wired on first use."""
    return _process.get()


def override(replacement: App | None) -> None:
    """Put another program in its place (tests), or none so that the next call wires a new one."""
    _process.put(replacement)


EMBEDDERS: dict[str, Callable[[Settings], Embedder]] = {"local": _local, "openai": _openai, "none": _none}
