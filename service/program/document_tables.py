"""Review tables filled in the background, a cell at a time, each stored as soon as it is known.

What is left to do is read from the database: a process that dies, or is stopped, loses no cell, and the next
one goes on where it was.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from casework.matters.model_cell import Filled, by_model, by_rules
from casework.matters.rule_cell import Line, answering_sentence, lines_of
from core.errors import ArticuladoError
from core.periodic import Periodic
from domain.document_tables import Cell, CellState, DocumentTable
from domain.matters import DocumentState, MatterDocument
from domain.usage import QuotaExceeded
from masking.vault import one_run
from models.chat import ChatModel
from models.metering import Spend, metering
from rag.prompts import Prompts
from storage.casework.document_tables import SqlDocumentTableStore
from storage.casework.matter_documents import SqlMatterDocumentStore

LOOK_SECONDS = 20.0
SOON_SECONDS = 1.5
"""How often tables are looked for that another program left, and documents that are still being read."""
BEAT_SECONDS = 2.0
"""How often a program shows that it lives while a model thinks."""
BROKEN = "No se pudo contestar por un error del programa: pulse «Continuar» para repetirlo."

logger = logging.getLogger(__name__)


class DocumentTables:
    """Fills the review tables that are set going. Every method may be called from any thread."""

    def __init__(
        self,
        store: SqlDocumentTableStore,
        documents: SqlMatterDocumentStore,
        *,
        model: Callable[[], ChatModel | None],
        prompts: Prompts,
        spend: Spend,
        require: Callable[[str], object],
        seconds: float,
    ) -> None:
        """Wire it; nothing starts.

        Args:
            require: called with a person before a model is asked for them; raises QuotaExceeded.
            seconds: time of a model for one cell.
        """
        self._store = store
        self._documents = documents
        self._model = model
        self._prompts = prompts
        self._spend = spend
        self._require = require
        self._seconds = seconds
        self._runner = uuid4().hex
        self._working = threading.Lock()
        self._waiting = False
        self.passes = Periodic("document-tables", self.work, self._pause)

    def soon(self) -> None:
        """Fill what is to be: in the background where there is one, else here and now."""
        if not self.passes.soon():
            self.work()

    def work(self) -> None:
        """Fill the tables that are set going; one that waits for a document being read comes again soon."""
        waiting: set[str] = set()
        with self._working:
            while not self.passes.ending:
                table = self._store.take(self._runner, datetime.now(UTC), waiting)
                if table is None:
                    break
                self._fill(table)
                if not self._store.settle(table.id, self._runner):
                    waiting.add(table.id)
        self._waiting = bool(waiting)

    def _pause(self) -> float:
        return SOON_SECONDS if self._waiting else LOOK_SECONDS

    def _fill(self, table: DocumentTable) -> None:
        """Fill a table that this program has taken, until it is full, stopped, or the program ends."""
        with metering(table.run_by, self._spend) as report:
            for document, questions in self._store.missing(table):
                if document.state is not DocumentState.READ:
                    continue
                for cell in self._cells(table, document, questions):
                    report()
                    if self.passes.ending or not self._store.keep(table.id, self._runner, cell):
                        return

    def _cells(
        self, table: DocumentTable, document: MatterDocument, questions: Sequence[str]
    ) -> Iterator[Cell]:
        lines = list(lines_of(self._documents.fragments(document.id)))
        for question in questions:
            try:
                filled = self._answer(table, question, lines)
            except asyncio.CancelledError:
                return
            except ArticuladoError as error:
                yield _cell(document, question, None, failed=str(error))
            except Exception:
                logger.exception("a cell could not be filled")
                yield _cell(document, question, None, failed=BROKEN)
            else:
                yield _cell(document, question, filled)

    def _answer(self, table: DocumentTable, question: str, lines: Sequence[Line]) -> Filled:
        model = self._model()
        if model is None or not lines:
            return Filled(answering_sentence(question, lines), by_model=False)
        try:
            self._require(table.run_by)
        except QuotaExceeded as error:
            return by_rules(question, lines, str(error))
        with one_run([question, *(one.text for one in lines)]):
            return asyncio.run(
                self._asked(table, by_model(model, self._prompts, question, lines, self._seconds))
            )

    async def _asked(self, table: DocumentTable, asking: Coroutine[Any, Any, Filled]) -> Filled:
        """The reply; meanwhile this program shows that it lives, and gives up once the table is stopped."""
        task = asyncio.ensure_future(asking)
        while not (await asyncio.wait({task}, timeout=BEAT_SECONDS))[0]:
            if self.passes.ending or not await asyncio.to_thread(self._store.beat, table.id, self._runner):
                task.cancel()
        return task.result()


def _cell(document: MatterDocument, question: str, filled: Filled | None, failed: str = "") -> Cell:
    what = filled.told.model_dump() if filled and filled.told else {}
    answered = CellState.ANSWERED if what else CellState.ABSENT
    return Cell(
        document_id=document.id,
        question=question,
        state=answered if filled else CellState.FAILED,
        mode="model" if filled and filled.by_model else "offline",
        remark=filled.remark if filled else failed,
        content_hash=document.content_hash,
        filled_at=datetime.now(UTC),
        **what,
    )
