"""Enrichment: summaries, keywords and questions by the reader model, and attributes that rules find.

Three sources of aids, in this order: the document itself, the files shipped with the program
(`enrichment.py`), the model. Aids only help to find a text: they are data, never shown as law.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rag.aids import keywords
from rag.answers.contract import DraftError, extract_object
from rag.chunking.chunk import with_aids
from rag.enrichment.conflicts import retried
from rag.enrichment.rules import searched, text_of, with_terms, with_values
from rag.enrichment.written import KEYWORDS, ORIGIN, QUESTIONS, SUMMARY, Aid, AidFiles
from rag.errors import InputError, ModelError, ModelRejected
from rag.law import labels
from rag.ports import ChatMessage, ChatModel, CorpusStore
from rag.prompts import Prompts
from rag.types import Block, BlockKind, Document, Norm, Value

EXCERPT = 2000
SHORT = 60
MAX_SUMMARY, MAX_QUESTION, MAX_QUESTIONS = 400, 200, 4
SAVE_EVERY = 50
NO_MODEL = "Para enriquecer documentos configure un modelo (OPENAI_API_KEY) y reintente."
SPENT = "Se ha agotado el presupuesto de esta tanda ({what}); lo hecho queda guardado: reintente para seguir."
GONE = {BlockKind.ARTICLE: "Artículo derogado.", BlockKind.ANNEX: "Anexo derogado."}
GONE_OTHER = "Disposición derogada."
SCHEMA = {
    "title": "ayudas",
    "type": "object",
    "properties": {
        "resumen": {"type": "string"},
        "palabras_clave": {"type": "array", "items": {"type": "string"}},
        "preguntas": {"type": "array", "items": {"type": "string"}},
    },
}

OnProgress = Callable[[int, int], None]


class Limits(Value):
    """Budget of one pass (calls, tokens), and calls at once, attempts a block and seconds a call."""

    calls: int = 2000
    tokens: int = 4_000_000
    at_once: int = 5
    attempts: int = 3
    seconds: float = 60.0


@dataclass(frozen=True)
class Enricher:
    """Adds search aids to documents.

    Attributes:
        reader: None without a model: then only rules and earlier aids of a model are used.
    """

    store: CorpusStore
    folder: Path
    reader: ChatModel | None = None
    prompts: Prompts = field(default_factory=Prompts)
    limits: Limits = field(default_factory=Limits)

    def refine(self, document: Document) -> Document:
        """The document with its kept aids and the attributes that rules find; asks no model.

        Rules find the terms of documents without articles, and every block's amounts and dates.
        """
        kept = self._files.of(document.norm.id)
        blocks = list(document.blocks)
        if kept:
            found = [kept.get(self.key(document.norm, block)) for block in blocks]
            blocks = [aid.on(block) if aid else block for block, aid in zip(blocks, found, strict=True)]
        if not any(block.label for block in blocks):
            blocks = with_terms(blocks, document.norm)
        return document.model_copy(update={"blocks": tuple(map(with_values, blocks))})

    def session(self) -> Session:
        """A pass with its own budget. Raises InputError when no model is configured."""
        if self.reader is None:
            raise InputError(NO_MODEL)
        return Session(self, self.reader)

    def forget(self, norm_id: str) -> None:
        """Delete the kept aids of a document."""
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

    def __init__(self, enricher: Enricher, reader: ChatModel) -> None:
        self._enricher = enricher
        self._reader = reader
        self._calls = self._tokens = 0

    def enrich(self, norm_id: str, on_progress: OnProgress = lambda done, total: None) -> str:
        """Write and save the aids that the blocks of a stored norm lack; returns a Spanish summary.

        Each aid is kept at once, and the norm is saved every fifty aids: a killed pass loses nothing and
        resumes where it stopped.

        Raises:
            InputError: no such norm, or the budget is spent.
            ModelError: the model failed for every block that it was asked about.
            StorageError: the database or the disk fails.
        """
        document = self._enricher.store.document(norm_id)
        if document is None:
            raise InputError(f"No hay ninguna norma con el identificador «{norm_id}».")
        return asyncio.run(self._document(document, on_progress))

    async def _document(self, document: Document, on_progress: OnProgress) -> str:
        norm, files = document.norm, AidFiles(self._enricher.folder)
        kept = files.of(norm.id)
        keys = {block.id: self._enricher.key(norm, block) for block in document.blocks if _wanted(block)}
        aids = {block_id: kept[key] for block_id, key in keys.items() if key in kept}
        asked = [block for block in document.blocks if block.id in keys and block.id not in aids]
        system = self._enricher.prompt(norm)
        gate = asyncio.Semaphore(self._enricher.limits.at_once)

        async def one(block: Block) -> tuple[str, Aid]:
            async with gate:
                made = await self._block(norm, block, system)
                files.add(norm.id, keys[block.id], made)
                return block.id, made

        failed: list[ModelError] = []
        tasks = [asyncio.create_task(one(block)) for block in asked]
        saved = 0
        try:
            for number, task in enumerate(asyncio.as_completed(tasks), 1):
                try:
                    block_id, aid = await task
                    aids[block_id] = aid
                except ModelRejected:
                    raise
                except ModelError as error:
                    failed.append(error)
                if len(aids) - saved >= SAVE_EVERY:
                    self._save(norm.id, keys, aids)
                    saved = len(aids)
                on_progress(number, len(tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if len(aids) > saved:
                self._save(norm.id, keys, aids)
        return _told(len(asked), failed, len(keys))

    async def _block(self, norm: Norm, block: Block, system: str) -> Aid:
        """The aid of a block. Raises ModelError, and InputError when the budget is spent."""
        text = text_of(block)
        if len(text) < SHORT:
            return Aid(summary=_short(block, text))
        user = f"{norm.law} — {block.title}\n\n{text[:EXCERPT]}"
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
            self._tokens += call.prompt_tokens + call.completion_tokens
            aid = parsed(call.output, keywords.limit(norm.collection))
            if aid is not None:
                return _lacking(aid, block)
            failure = ModelError("el modelo no devolvió el JSON pedido")
        raise failure

    def _check_budget(self) -> None:
        limits = self._enricher.limits
        if self._calls >= limits.calls:
            raise InputError(SPENT.format(what=f"{limits.calls} llamadas"))
        if self._tokens >= limits.tokens:
            raise InputError(SPENT.format(what=f"{limits.tokens} tokens"))

    @retried
    def _save(self, norm_id: str, keys: Mapping[str, str], aids: Mapping[str, Aid]) -> None:
        """Put the aids on the blocks as they are stored now, and on their chunks, which stay cut as they are.

        The model may have taken minutes: other changes made meanwhile stay, and a block whose wording is no
        longer the one that the model read gets no aid.
        """
        store = self._enricher.store
        expected = store.norm_hash(norm_id)
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
        chunks = [
            with_aids(chunk, blocks[chunk.block_id], norm)
            for chunk in store.norm_chunks(norm_id)
            if chunk.block_id in blocks
        ]
        changed = document.model_copy(update={"blocks": tuple(blocks.values())})
        store.update(changed, chunks, expected=expected)


def parsed(output: str, most: int) -> Aid | None:
    """The aid in a model's reply, as clean data; None when it is not the JSON that was asked for."""
    try:
        found = extract_object(output)
    except DraftError:
        return None
    summary, words, questions = (found.get(key) for key in ("resumen", "palabras_clave", "preguntas"))
    if not isinstance(summary, str) or not summary.strip():
        return None
    asked = (keywords.one_line(one, MAX_QUESTION) for one in _strings(questions))
    return Aid(
        summary=keywords.one_line(summary, MAX_SUMMARY),
        keywords=keywords.cleaned(_strings(words), most),
        questions=tuple(dict.fromkeys(filter(None, asked)))[:MAX_QUESTIONS],
    )


def _strings(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _wanted(block: Block) -> bool:
    """True if a block is searched and lacks a summary, or has neither keywords nor questions."""
    own = block.attributes
    helped = own.get(SUMMARY) and (own.get(KEYWORDS) or own.get(QUESTIONS))
    return searched(block) and not helped


def _lacking(aid: Aid, block: Block) -> Aid:
    """The aid without the fields that the block has from elsewhere, whose later versions it must not hide."""
    own = block.attributes
    given = own.get(ORIGIN) is None and bool(own.get(KEYWORDS) or own.get(QUESTIONS))
    return aid.model_copy(update={"keywords": (), "questions": ()}) if given else aid


def _short(block: Block, text: str) -> str:
    """The summary of a text too short to ask about: «Artículo derogado.», or nothing."""
    gone = any(labels.is_gone(line) for line in text.split("\n")) or "derogad" in text.lower()
    return GONE.get(block.kind, GONE_OTHER) if gone else ""


def _told(asked: int, failed: Sequence[ModelError], total: int) -> str:
    if failed and len(failed) == asked:
        raise failed[0]
    done = f"Enriquecidos {asked - len(failed)} de {total} fragmentos"
    if not failed:
        return f"{done}."
    return f"{done}; {len(failed)} sin respuesta útil del modelo se intentarán la próxima vez."
