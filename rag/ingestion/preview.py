"""A preview of the changes that loading documents would make: no embeddings, no model, no writes."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from rag.chunking.chunk import chunk_document
from rag.ingestion.ingest import lost_history, superseded
from rag.ingestion.rewording import asks_since, latest_start, proposed_start
from rag.law.changes import ArticleChange, Fate, article_changes
from rag.loaders.norm_facts import RANKS
from rag.ports import CorpusStore
from rag.types import BlockKind, Chunk, Document, Norm, Value

LAW = "normativa"
SAMPLES = 3
MIN_SAMPLE = 300
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

    def count(self, *fates: Fate) -> int:
        """Number of articles with one of these fates."""
        return sum(article.fate in fates for article in self.articles)

    @property
    def changes_nothing(self) -> bool:
        return self.stored is not None and self.count(Fate.UNCHANGED) == len(self.articles)


def preview(document: Document, store: CorpusStore, name: str = "", *, merge: bool = False) -> Preview:
    """The preview of one document; `preview_all` also finds repeats within one upload.

    Args:
        merge: it is a stored norm with new articles, which have their day already.

    Raises:
        StorageError: the database failed.
    """
    norm = document.norm
    stored = store.document(norm.id)
    asks = not merge and asks_since(stored, document)
    chunks = chunk_document(document)
    return Preview(
        name=name or norm.id,
        norm=norm,
        stored=stored.norm if stored else None,
        articles=tuple(article_changes(stored.blocks if stored else (), document.blocks)),
        chunks=len(chunks),
        warnings=(
            *_warnings(document, chunks),
            *_twins(norm, chunks, store),
            *document.warnings,
        ),
        refused=superseded(norm, store) or ("" if asks else lost_history(document, store)),
        asks_since=asks,
        after=latest_start(stored) if stored and asks else None,
        proposed=proposed_start(stored, document) if stored and asks else None,
    )


def preview_all(
    items: Sequence[tuple[str, Document]], store: CorpusStore, *, merge: bool = False
) -> list[Preview]:
    """Each (file name, document) of an upload, in order; of those with one identifier only the first goes in.

    Raises:
        StorageError: the database failed.
    """
    first: dict[str, str] = {}
    texts: dict[tuple[str, ...], str] = {}
    shown = []
    for name, document in items:
        seen = preview(document, store, name, merge=merge)
        text = tuple(version.text for block in document.blocks for version in block.versions)
        if document.norm.id in first:
            refused = REPEATED.format(norm_id=document.norm.id, other=first[document.norm.id])
            seen = seen.model_copy(update={"refused": refused})
        elif text in texts:
            same = f"Su texto es el mismo que el de «{texts[text]}»; quite uno de los dos."
            seen = seen.model_copy(update={"warnings": (same, *seen.warnings)})
        first.setdefault(document.norm.id, name)
        texts.setdefault(text, name)
        shown.append(seen)
    return shown


def _warnings(document: Document, chunks: Sequence[Chunk]) -> list[str]:
    norm, kinds = document.norm, Counter(block.kind for block in document.blocks)
    said = []
    if not chunks:
        said.append("No tiene ningún fragmento con texto: no se podrá encontrar. Revise el archivo.")
    elif norm.collection == LAW and not kinds[BlockKind.ARTICLE]:
        said.append("No se ha reconocido ningún artículo: se dividirá por longitud y se citará sin artículo.")
    if norm.published is None and norm.valid_from is None:
        said.append("No tiene fecha de publicación ni de vigencia: indíquela antes de cargarla.")
    if norm.collection == LAW and not _is_rank(norm.rank):
        said.append(
            f"No se conoce el rango «{norm.rank}»: revíselo." if norm.rank else "No tiene rango: indíquelo."
        )
    return said


def _is_rank(rank: str) -> bool:
    """True for a rank as the BOE writes it; «Orden Foral» and the like begin with one of these."""
    return any(f"{rank} ".startswith(f"{known} ") for known in (*RANKS, "Constitución", "Convenio colectivo"))


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
