"""A preview of the changes that loading documents would make: no embeddings, no model, no writes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from core.clock import today_in_spain
from core.values import Value
from law.agreement_names import RANK
from law.changes import ArticleChange, Fate, article_changes
from law.chunks import Chunk
from law.corpus_store import CorpusStore
from law.decisions import LAW
from law.norms import Block, Document, Norm
from loading.chunking.chunk import chunk_document
from loading.formats.norm_facts import is_rank
from loading.ingestion.agreement_identity import Agreements, Outline, identity_doubts, is_text_of, outline
from loading.ingestion.ingest import lost_history, superseded
from loading.ingestion.intake import NO_STORED_DAY
from loading.ingestion.load_doubts import load_doubts
from loading.ingestion.rewording import asks_since, latest_start, nothing_new, proposed_start, shorter
from loading.ingestion.ruling_identity import SAME_RULING, Rulings

SAMPLES = 3
MIN_SAMPLE = 300
MAX_TEXT = 20_000_000
"""Characters of text that the previews of one upload carry: they stay in memory until it is confirmed."""
SAME_AGREEMENT = (
    "Es otro texto del mismo convenio que «{other}», que va antes: cárguelo cuando ese esté ya cargado."
)
REPEATED = (
    "Su identificador «{norm_id}» es también el de «{other}», que va antes: quite uno de los dos o cambie su "
    "identificador."
)


class Preview(Value):
    """One document of an upload, compared with the corpus.

    Attributes:
        name: file it comes from.
        stored: the norm with that identifier that is in the corpus, if any.
        articles: every block with legal text and its change.
        chunks: fragments that it would have.
        warnings: Spanish sentences; those of the loader come last.
        refused: reason why it cannot be loaded, in Spanish; empty when it can.
        asks_since: True if it is another text of a stored document and must be told from when it is in force.
        after: last first day of a wording that is stored, when it asks and that day is known.
        proposed: the first day that its own data suggest, when it asks.
        shorter: sentence to confirm about stored articles that would lose much of their text.
        blocks: its text as it would be stored; empty where an upload has too much of it.
    """

    name: str
    norm: Norm
    stored: Norm | None = None
    articles: tuple[ArticleChange, ...] = ()
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    refused: str = ""
    asks_since: bool = False
    after: date | None = None
    proposed: date | None = None
    shorter: str = ""
    blocks: tuple[Block, ...] = ()

    def count(self, *fates: Fate) -> int:
        """Number of articles with one of these fates."""
        return sum(article.fate in fates for article in self.articles)

    @property
    def lacks_day(self) -> bool:
        """True if it is new and nothing says when it is from: whoever loads it may."""
        return self.stored is None and self.norm.lacks_day

    @property
    def must_be_dated(self) -> bool:
        """True for a new law without a day: law in force has one."""
        return self.lacks_day and self.norm.collection == LAW

    @property
    def lacks_rank(self) -> bool:
        """True for a new law whose rank is none that the BOE writes."""
        return self.stored is None and self.norm.collection == LAW and not is_rank(self.norm.rank)

    @property
    def changes_nothing(self) -> bool:
        if self.stored is None or self.asks_since:
            return False
        return self.count(Fate.UNCHANGED) == len(self.articles)


@dataclass
class Comparison:
    """Compares the documents of one upload with the corpus, and with those compared before.

    Attributes:
        merge: each is a stored norm with new articles, which have their day already.
        room: characters of text that previews may still carry.
        today: day on which they are compared.
    """

    store: CorpusStore
    merge: bool = False
    room: int = MAX_TEXT
    today: date = field(default_factory=today_in_spain)
    _names: dict[str, str] = field(default_factory=dict)
    _texts: dict[tuple[str, ...], str] = field(default_factory=dict)
    _rulings: Rulings = field(default_factory=Rulings)
    _agreements: list[tuple[str, Outline]] = field(default_factory=list)

    @cached_property
    def _loaded(self) -> Agreements:
        return Agreements(self.store.norms())

    def preview(self, document: Document, name: str = "") -> Preview:
        """The preview of the next document; of those with one identifier only the first can be loaded.

        Raises:
            StorageError: the database failed.
        """
        norm, name = document.norm, name or document.norm.id
        stored = self.store.document(norm.id)
        asks = not self.merge and asks_since(stored, document)
        chunks = chunk_document(document)
        texts = tuple(version.text for block in document.blocks for version in block.versions)
        other, twin = self._names.get(norm.id), self._texts.get(texts)
        repeated = REPEATED.format(norm_id=norm.id, other=other) if other is not None else ""
        same = f"Su texto es el mismo que el de «{twin}»; quite uno de los dos." if twin is not None else ""
        if not repeated and stored is None and (other := self._agreement(document, name)):
            repeated = SAME_AGREEMENT.format(other=other)
        if copies := self._rulings.same(norm):
            repeated = SAME_RULING.format(other=self._names[copies[0].id])
        self._rulings.add(norm)
        self._names.setdefault(norm.id, name)
        self._texts.setdefault(texts, name)
        return Preview(
            name=name,
            norm=norm,
            stored=stored.norm if stored else None,
            articles=tuple(article_changes(stored.blocks if stored else (), document.blocks)),
            chunks=len(chunks),
            warnings=(
                *([same] if same and not repeated else ()),
                *load_doubts(document, chunks, self.today),
                *_twins(norm, chunks, self.store),
                *(() if stored else identity_doubts(norm, self._loaded)),
                *document.warnings,
            ),
            refused=repeated
            or superseded(norm, self.store)
            or (NO_STORED_DAY.format(title=norm.title) if stored and _stays_undated(stored, document) else "")
            or ("" if asks else nothing_new(stored, document) or lost_history(document, self.store)),
            asks_since=asks,
            after=latest_start(stored) if stored and asks else None,
            proposed=proposed_start(stored, document) if stored and asks else None,
            shorter=shorter(stored, document),
            blocks=document.blocks if self._has_room(sum(map(len, texts))) else (),
        )

    def _agreement(self, document: Document, name: str) -> str:
        """Name of the file before that holds another text of this agreement; '' for other documents."""
        if document.norm.rank != RANK:
            return ""
        own = outline(document)
        found = next((other for other, one in self._agreements if is_text_of(own, one)), "")
        self._agreements.append((name, own))
        return found

    def _has_room(self, characters: int) -> bool:
        fits = characters <= self.room
        self.room -= characters if fits else 0
        return fits


def _stays_undated(stored: Document, given: Document) -> bool:
    """True for a law whose wordings would go on without a day."""
    return given.norm.collection == LAW and (given.undated or (stored.undated and asks_since(stored, given)))


def _twins(norm: Norm, chunks: Sequence[Chunk], store: CorpusStore) -> list[str]:
    """Other norms of the corpus that hold the longest texts of this one, letter by letter."""
    longest = sorted((c.text for c in chunks if len(c.text) >= MIN_SAMPLE), key=len)[-SAMPLES:]
    if not longest:
        return []
    others = store.norms_with_texts(longest) - {norm.id}
    names = {other.id: other.law for other in store.norms()} if others else {}
    return [
        f"Tiene el mismo texto que {names.get(other, other)} ({other}), que ya está en el corpus: "
        "si es la misma norma, póngale ese identificador para que la sustituya."
        for other in sorted(others)
    ]
