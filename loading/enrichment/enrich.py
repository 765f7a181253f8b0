"""Enrichment: summaries, keywords and questions by the reader model, and attributes that rules find.

Three sources of aids, in this order: the document itself, the files shipped with the program
(`loading.aids.shipped_aids`), the model. Aids only help to find a text: they are data, never shown as law.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError, ModelError, ModelRejected
from core.values import Value
from law.corpus_store import CorpusStore, CorpusWriter
from law.norms import Block, Document, Norm
from loading.aids import keywords
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS, SUMMARY
from loading.chunking.chunk import with_aids
from loading.enrichment.attribute_rules import searched, text_of, with_terms, with_values
from loading.enrichment.conflicts import retried
from loading.enrichment.estimate import REPLY_TOKENS, Estimate
from loading.enrichment.reply import SCHEMA, lacking, parsed, short
from loading.enrichment.written_aids import MODEL, ORIGIN, Aid, AidFiles, without_written_aids
from models.chat import ChatMessage, ChatModel
from rag.prompts import Prompts
from text.token_count import count_tokens

EXCERPT = 2000
SHORT = 60
LISTEN_SECONDS = 1.0
GIVE_UP = 10
"""Blocks without a useful answer, and none with one, after which a norm is left for another time."""
NO_MODEL = "Para enriquecer documentos configure un modelo (OPENAI_API_KEY) y reintente."
SPENT = "Se ha agotado el presupuesto de esta tanda ({what}); lo hecho queda guardado: reintente para seguir."
SPENT_MONTH = (
    "Se ha agotado el presupuesto mensual de las ayudas de búsqueda ({tokens} tokens); lo hecho queda "
    "guardado: reintente el mes que viene o aumente ENRICH_MAX_TOKENS_PER_MONTH."
)
UNKNOWN = "No hay ninguna norma con el identificador «{norm_id}»."
OnProgress = Callable[[int, int], None]


class Limits(Value):
    """Budget of one pass (calls, tokens), and calls at once, attempts a block and seconds a call.

    Attributes:
        month: tokens that all passes of a month may spend; 0 = no limit.
    """

    calls: int = 2000
    tokens: int = 4_000_000
    month: int = 0
    at_once: int = 5
    attempts: int = 3
    seconds: float = 60.0


@dataclass(frozen=True)
class Enricher:
    """Adds search aids to documents.

    Attributes:
        reader: None without a model: then only rules and earlier aids of a model are used.
        spent: tokens that passes have spent this month.
    """

    store: CorpusStore
    writer: CorpusWriter
    folder: Path
    reader: ChatModel | None = None
    prompts: Prompts = field(default_factory=Prompts)
    limits: Limits = field(default_factory=Limits)
    spent: Callable[[], int] = lambda: 0

    def refine(self, document: Document) -> Document:
        """The document with its kept aids and the attributes that rules find; asks no model.

        Rules find the terms of documents without articles, and every block's amounts and dates. An article
        that joins a stored norm brings a wording for which the aids that the model wrote are not.
        """
        kept = self._files.of(document.norm.id)
        blocks = [without_written_aids(block) for block in document.blocks]
        if kept:
            found = [kept.get(self.key(document.norm, block)) for block in blocks]
            blocks = [aid.on(block) if aid else block for block, aid in zip(blocks, found, strict=True)]
        if not any(block.label for block in blocks):
            blocks = with_terms(blocks, document.norm)
        return document.model_copy(update={"blocks": tuple(map(with_values, blocks))})

    def session(self, *, bare: bool = False) -> Session:
        """A pass with its own budget.

        Args:
            bare: leave out blocks that lack no more than a summary.

        Raises:
            InputError: no model is configured.
        """
        if self.reader is None:
            raise InputError(NO_MODEL)
        return Session(self, self.reader, bare)

    def wanting(self, document: Document) -> list[Block]:
        """The blocks that a bare pass would write aids for: those without keywords and questions."""
        kept, norm = self._files.of(document.norm.id), document.norm
        wanted = (block for block in document.blocks if _wanted(block, bare=True))
        return [block for block in wanted if self.key(norm, block) not in kept]

    def estimate(self, document: Document) -> Estimate:
        """Estimate of the model calls of a pass over the bare blocks of a document."""
        norm = document.norm
        asked = [block for block in self.wanting(document) if len(text_of(block)) >= SHORT]
        system = count_tokens(self.prompt(norm))
        return Estimate(
            calls=len(asked),
            prompt_tokens=sum(system + count_tokens(_user(norm, block)) for block in asked),
            completion_tokens=REPLY_TOKENS * len(asked),
        )

    def allowance(self) -> int:
        """Tokens that a pass may spend now."""
        limits = self.limits
        left = max(0, limits.month - self.spent()) if limits.month else limits.tokens
        return min(limits.tokens, left)

    @retried
    def remove(self, norm_id: str) -> int:
        """Take the aids that the model wrote off a stored norm; returns the number of blocks that had some.

        Raises:
            InputError: no such norm, or other writers saved first five times.
            StorageError: the database fails.
        """
        expected = self.writer.norm_hash(norm_id)
        document = self.store.document(norm_id)
        if document is None:
            raise InputError(UNKNOWN.format(norm_id=norm_id))
        self.put(document, {block.id: without_written_aids(block) for block in document.blocks}, expected)
        self.forget(norm_id)
        return sum(block.attributes.get(ORIGIN) == MODEL for block in document.blocks)

    def put(self, document: Document, blocks: Mapping[str, Block], expected: str) -> None:
        """Store blocks of a norm with other aids, and their chunks, which stay cut as they are.

        A load of the norm can be undone afterwards as before.

        Raises:
            ChangedMeanwhile: its `norm_hash` is not the `expected` one.
        """
        chunks = [
            with_aids(chunk, blocks[chunk.block_id], document.norm)
            for chunk in self.store.norm_chunks(document.norm.id)
            if chunk.block_id in blocks
        ]
        changed = document.model_copy(update={"blocks": tuple(blocks.values())})
        self.writer.update(changed, chunks, expected=expected, undoable=True)

    def forget(self, norm_id: str) -> None:
        self._files.forget(norm_id)

    @property
    def _files(self) -> AidFiles:
        return AidFiles(self.folder)

    def prompt(self, norm: Norm) -> str:
        """The system prompt for the blocks of a norm."""
        subject = SUBJECTS.get(norm.collection, "legislación laboral y de Seguridad Social de España")
        return self.prompts.render("enrich", subject=subject, keywords=str(keywords.limit(norm.collection)))

    def key(self, norm: Norm, block: Block) -> str:
        """Storage key of a block's aid (32 hex digits); it changes with the wording and with the prompt."""
        text = f"{self.prompt(norm)}\0{block.title}\0{text_of(block)}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


SUBJECTS = {
    "sentencias": "sentencias de la jurisdicción social de España",
    "criterios_inss": "criterios de gestión de la Seguridad Social de España",
}


class Session:
    """One pass over some norms, within one budget."""

    def __init__(self, enricher: Enricher, reader: ChatModel, bare: bool) -> None:
        self._enricher = enricher
        self._reader = reader
        self._bare = bare
        self._calls = self._tokens = 0
        self._allowed = enricher.allowance()

    def enrich(self, norm_id: str, on_progress: OnProgress = lambda done, total: None) -> str:
        """Write and save the aids that the blocks of a stored norm lack; returns a Spanish summary.

        Each aid is kept at once, so a killed pass resumes where it stopped. The norm is saved at the end,
        once: until its questions have vectors, it is ranked by its words.

        Args:
            on_progress: told the blocks done and in all, every second at least; what it raises ends the pass,
                and what is done is saved.

        Raises:
            InputError: no such norm, or the budget is spent.
            ModelError: the model failed for every block that it was asked about.
            StorageError: the database or the disk fails.
        """
        document = self._enricher.store.document(norm_id)
        if document is None:
            raise InputError(UNKNOWN.format(norm_id=norm_id))
        return asyncio.run(self._document(document, on_progress))

    async def _document(self, document: Document, on_progress: OnProgress) -> str:
        norm, files = document.norm, AidFiles(self._enricher.folder)
        kept = files.of(norm.id)
        wanted = [block for block in document.blocks if _wanted(block, self._bare)]
        keys = {block.id: self._enricher.key(norm, block) for block in wanted}
        aids = {block_id: kept[key] for block_id, key in keys.items() if key in kept}
        asked = [block for block in wanted if block.id not in aids]
        system = self._enricher.prompt(norm)
        gate = asyncio.Semaphore(self._enricher.limits.at_once)

        async def one(block: Block) -> None:
            async with gate:
                made = await self._block(norm, block, system)
                files.add(norm.id, keys[block.id], made)
                aids[block.id] = made

        failed: list[ModelError] = []
        pending = {asyncio.create_task(one(block)) for block in asked}
        done, total = 0, len(pending)
        try:
            while pending:
                ended, pending = await asyncio.wait(
                    pending, timeout=LISTEN_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                failed += _failures(ended)
                if len(failed) == done + len(ended) >= GIVE_UP:
                    raise failed[0]
                for _ in ended:
                    done += 1
                    on_progress(done, total)
                if not ended:
                    on_progress(done, total)
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            if aids:
                self._save(norm.id, keys, aids)
        return _told(len(asked), failed, len(keys))

    async def _block(self, norm: Norm, block: Block, system: str) -> Aid:
        """The aid of a block. Raises ModelError, and InputError when the budget is spent."""
        text = text_of(block)
        if len(text) < SHORT:
            return Aid(summary=short(block, text))
        user = _user(norm, block)
        messages = [ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)]
        failure: ModelError = ModelError("el modelo no respondió")
        for _ in range(self._enricher.limits.attempts):
            self._check_budget()
            self._calls += 1
            try:
                call = await self._reader.complete(
                    messages, schema=SCHEMA, timeout=self._enricher.limits.seconds
                )
            except ModelRejected:
                raise
            except ModelError as error:
                failure = error
                continue
            told = call.prompt_tokens + call.completion_tokens
            self._tokens += told or sum(map(count_tokens, (system, user, call.output)))
            aid = parsed(call.output, keywords.limit(norm.collection))
            if aid is not None:
                return lacking(aid, block)
            failure = ModelError("el modelo no devolvió el JSON pedido")
        raise failure

    def _check_budget(self) -> None:
        limits = self._enricher.limits
        if self._calls >= limits.calls:
            raise InputError(SPENT.format(what=f"{limits.calls} llamadas"))
        if self._tokens >= limits.tokens:
            raise InputError(SPENT.format(what=f"{limits.tokens} tokens"))
        if self._tokens >= self._allowed:
            raise InputError(SPENT_MONTH.format(tokens=limits.month))

    @retried
    def _save(self, norm_id: str, keys: Mapping[str, str], aids: Mapping[str, Aid]) -> None:
        """Put the aids on the blocks as they are stored now.

        The model may have taken minutes: other changes made meanwhile stay, and a block whose wording is no
        longer the one that the model read gets no aid.
        """
        store, writer = self._enricher.store, self._enricher.writer
        expected = writer.norm_hash(norm_id)
        document = store.document(norm_id)
        if document is None:
            self._enricher.forget(norm_id)
            raise InputError(f"La norma «{norm_id}» se ha eliminado mientras se enriquecía.")
        norm = document.norm
        blocks = {
            block.id: aids[block.id].on(block)
            if block.id in aids and self._enricher.key(norm, block) == keys[block.id]
            else block
            for block in document.blocks
        }
        self._enricher.put(document, blocks, expected)


def _user(norm: Norm, block: Block) -> str:
    """The text of a block in the prompt."""
    return f"{norm.law} — {block.title}\n\n{text_of(block)[:EXCERPT]}"


def _failures(ended: Iterable[asyncio.Task[None]]) -> list[ModelError]:
    """Failures of the model in tasks that have ended; another error is raised, a refusal too."""
    failed: list[ModelError] = []
    for task in ended:
        try:
            task.result()
        except ModelRejected:
            raise
        except ModelError as error:
            failed.append(error)
    return failed


def _wanted(block: Block, bare: bool) -> bool:
    """True if a block is searched and has neither keywords nor questions, or (unless `bare`) no summary."""
    own = block.attributes
    helped = (own.get(KEYWORDS) or own.get(QUESTIONS)) and (bare or own.get(SUMMARY))
    return searched(block) and not helped


def _told(asked: int, failed: Sequence[ModelError], total: int) -> str:
    if failed and len(failed) == asked:
        raise failed[0]
    done = f"Enriquecidos {asked - len(failed)} de {total} fragmentos"
    if not failed:
        return f"{done}."
    return f"{done}; {len(failed)} sin respuesta útil del modelo se intentarán la próxima vez."
