"""Documents of expedientes: taken in, read and indexed in the background, and removed without a trace.

What the database says is the truth: a file or an entry of the index whose document is gone is removed, and
what the index lacks is put there again. So whatever deletes rows (a person, retention, an erasure) has only
to call `tidy` afterwards, and a process that dies in between loses nothing and leaves nothing for long.
"""

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from casework.matters.paper_fragments import Fragment, fragment_id
from casework.matters.paper_index import MatterIndex
from casework.matters.paper_reading import read_paper
from casework.matters.paper_search import OpenPapers
from core.errors import ArticuladoError, EmbedderUnavailable, IndexHeld, InputError
from core.periodic import Periodic
from core.whole_files import written_whole
from domain.matters import DocumentState, MatterDocument
from index.vector_index import VectorIndex
from loading.formats.pictured_page import PicturedPassage
from loading.ingestion.originals import holding
from loading.ingestion.uploads import FULL_DISK, GONE
from loading.parsing.file_reader import FileReader
from models.embedder import Embedder
from rag.shared.case_papers import Papers
from rag.shared.notices import Kind, Notice
from storage.casework.matter_documents import WORDS, SqlMatterDocumentStore
from text.textnorm import visible

FOLDER = "matters"
MAX_BYTES = 50 * 1024 * 1024
LONGEST_NAME = 120
LOOK_SECONDS = 60.0
"""How often what other processes have deleted or left unread is looked for."""
AT_ONCE = 32
"""Fragments whose vectors are made before what was uploaded meanwhile is read."""
TOO_BIG = "«{name}» ocupa más de {most} MB: divídalo y súbalo en partes."
EMPTY = "«{name}» está vacío: compruebe el archivo y súbalo otra vez."
UNREAD = "{title} («{name}») no se ha tenido en cuenta: {why}"
UNFORESEEN = (
    "«{name}» no se ha podido leer por un error del programa: guárdelo en otro formato y súbalo otra vez."
)
STILL = "todavía se está leyendo."

logger = logging.getLogger(__name__)


class MatterPapers:
    """See the module. Every method may be called from any thread."""

    def __init__(
        self,
        home: Path,
        documents: SqlMatterDocumentStore,
        index: Callable[[], VectorIndex],
        *,
        embedder: Callable[[], Embedder | None],
        reader: Callable[[], FileReader],
    ) -> None:
        """Wire it; `index` is called when the first document needs it: most installations have none."""
        self._home = home
        self._folder = home / FOLDER
        self._documents = documents
        self._make_index = index
        self._embedder = embedder
        self._reader = reader
        self._index: MatterIndex | None = None
        # Around the index, so that nothing is put there after its document has been tidied away.
        self._lock = threading.RLock()
        self._passing = threading.Lock()
        self.passes = Periodic("matters", self.work, lambda: LOOK_SECONDS)

    def upload(
        self,
        person: str,
        name: str,
        content: bytes,
        *,
        matter_id: str | None = None,
        conversation_id: str | None = None,
    ) -> MatterDocument:
        """Take a document in; it is read in the background where there is one, else at once.

        Raises:
            InputError: it is empty, too big, there already, or cannot be stored: nothing was.
            NotFound: the place is not open to the person.
        """
        shown = " ".join(visible(name).split())[-LONGEST_NAME:] or "documento"
        if not content:
            raise InputError(EMPTY.format(name=shown))
        if len(content) > MAX_BYTES:
            raise InputError(TOO_BIG.format(name=shown, most=MAX_BYTES // 2**20))
        document = MatterDocument(
            id=uuid4().hex,
            matter_id=matter_id,
            conversation_id=conversation_id,
            number=0,
            name=shown,
            content_hash=hashlib.sha256(content).hexdigest(),
            bytes=len(content),
            added_by=person,
            added_at=datetime.now(UTC),
        )
        # No tidying comes between the file and its row.
        with holding(self._home):
            place = self._folder / document.id
            try:
                _write(place, content)
                stored = self._documents.add(person, document)
            except OSError as error:
                place.unlink(missing_ok=True)
                raise InputError(FULL_DISK) from error
            except BaseException:
                place.unlink(missing_ok=True)
                raise
        if not self.passes.soon():
            self.work()
        return stored

    def original(self, person: str, document_id: str) -> tuple[MatterDocument, bytes]:
        """A document with the file as it was uploaded. Raises NotFound; InputError: the file is gone."""
        document = self._documents.document(person, document_id)
        try:
            return document, (self._folder / document.id).read_bytes()
        except OSError as error:
            raise InputError(GONE) from error

    def pictured(self, person: str, document_id: str, number: int, quotes: Sequence[str]) -> PicturedPassage:
        """The page of a fragment as a picture with quotations of it marked; nothing of it is kept anywhere.

        Raises:
            NotFound: the document is not open to the person, also when they lose it while it is drawn.
            InputError: the page cannot be drawn; the sentence says why.
        """
        fragment = self._documents.fragment(person, document_id, number)
        if fragment.page is None:
            return PicturedPassage()
        name = self._documents.document(person, document_id).name
        place = self._folder / document_id
        found = self._reader().picture(place, name, fragment.page, quotes, fragment.text)
        self._documents.document(person, document_id)
        return found

    def papers(self, person: str, conversation_id: str) -> Papers | None:
        """The documents that a question of a conversation may use; None when there are none.

        Raises:
            NotFound: the conversation is not open to the person.
        """
        scope = self._documents.scope(person, conversation_id) if conversation_id else None
        if scope is None:
            return None
        found = self._documents.usable(person, conversation_id)
        notices = tuple(
            Notice(Kind.SEARCH, UNREAD.format(title=one.title, name=one.name, why=one.problem or STILL))
            for one in found
            if one.state is not DocumentState.READ
        )
        return OpenPapers(
            scope, self._opened, partial(self._documents.found, person, conversation_id), notices
        )

    def tidy(self) -> None:
        """Remove the files and index entries of documents that are gone; what fails, the next pass does."""
        try:
            self._tidy()
        except ArticuladoError:
            logger.exception("documents of expedientes could not be tidied away; trying again")
            self.passes.soon()

    def _tidy(self) -> None:
        if not self._folder.exists():
            return
        with holding(self._home):
            known = self._documents.fragment_counts()
            for place in self._folder.iterdir():
                if place.name not in known:
                    place.unlink(missing_ok=True)
            if not known:
                self._folder.rmdir()
        with self._lock, suppress(IndexHeld):
            index, known = self._opened(), self._documents.fragment_counts()
            gone = {one: numbers for one, numbers in index.held().items() if one not in known}
            index.delete([fragment_id(one, number) for one in gone for number in sorted(gone[one])])

    def work(self) -> None:
        """Read and index what is to be, and tidy up; failures of the database or the index are raised.

        Without vectors, when their model fails, documents are found by their words until the next pass.
        """
        with self._passing:
            self._take_in()
            self._tidy()
            try:
                self._index_pending(dense=True)
            except _Stopped:
                return
            except EmbedderUnavailable as error:
                logger.warning("documents of expedientes have no vectors yet: %s", error)

    def stop(self) -> None:
        """End the passes and close the index; what was under way goes on the next time."""
        self.passes.stop()
        with self._lock:
            index, self._index = self._index, None
            if index is not None:
                index.close()

    def _take_in(self) -> None:
        """Read what waits; each is found by its words before the next is read."""
        for document in self._documents.waiting():
            self._read(document)
            self._index_pending(dense=False)
        self._index_pending(dense=False)

    def _read(self, document: MatterDocument) -> None:
        try:
            found = read_paper(self._folder / document.id, document.name, self._reader(), self._check)
        except _Stopped:
            return
        except InputError as error:
            self._documents.fail(document.id, str(error))
            return
        except ArticuladoError:
            raise
        except Exception:
            # Left waiting it would be read again for ever, before all others.
            logger.exception("a document of an expediente could not be read")
            self._documents.fail(document.id, UNFORESEEN.format(name=document.name))
            return
        self._documents.keep(document.id, found.fragments, found.pages, found.problem)

    def _check(self) -> None:
        if self.passes.ending:
            raise _Stopped

    def _index_pending(self, *, dense: bool) -> None:
        embedder = self._embedder()
        if dense and embedder is None:
            return
        model = embedder.name if embedder is not None and dense else ""
        for document_id, place in self._documents.unindexed(model):
            if self.passes.ending:
                return
            fragments = self._documents.fragments(document_id)
            vectors = self._vectors(embedder, fragments) if embedder and dense else ()
            with self._lock:
                index = self._opened()
                index.put(place, document_id, fragments, vectors)
                if not self._documents.mark_indexed(document_id, model or WORDS):
                    index.delete([fragment_id(document_id, one.number) for one in fragments])

    def _vectors(self, embedder: Embedder, fragments: Sequence[Fragment]) -> list[tuple[float, ...]]:
        """Their vectors; what is uploaded meanwhile does not wait for them. Raises _Stopped."""
        found: list[tuple[float, ...]] = []
        for start in range(0, len(fragments), AT_ONCE):
            if start:
                self._take_in()
            self._check()
            found += embedder.embed_passages([one.text for one in fragments[start : start + AT_ONCE]])
        return found

    def _opened(self) -> MatterIndex:
        """The index; what it lacks, a new one everything, is put there by the next pass."""
        with self._lock:
            if self._index is None:
                index = MatterIndex(self._make_index())
                embedder = self._embedder()
                index.open(embedder.name if embedder else "none", embedder.dimensions if embedder else 0)
                held = index.held()
                for one, count in self._documents.fragment_counts().items():
                    if len(held.get(one, ())) != count:
                        self._documents.mark_indexed(one, "")
                self._index = index
            return self._index


class _Stopped(Exception):
    """The program ends while a file is read."""


def _write(place: Path, content: bytes) -> None:
    """Write a file, whole or not at all, that nobody else of this machine can read."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with written_whole(place) as stream:
        stream.write(content)
