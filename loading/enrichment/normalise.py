"""An optional pass of the reader model: sections for documents without articles (S3.1-S3.3, X.26, X.27).

The text goes to the model in windows and comes back as Markdown whose sections start at `─── NOMBRE ───`.
The result is used only if it is a faithful copy: every number of the source the same number of times, no
other number, and almost no other words. Otherwise the text stays as it was read, with a warning.
"""

import asyncio
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from core.errors import ModelError, ModelRejected
from law.norms import Block, BlockVersion, Document
from loading.chunking.chunk import page_marks
from loading.enrichment.faithful import described, divided, unfaithful
from loading.enrichment.kept_outputs import kept, prefix, put
from loading.formats import contract_facts
from loading.formats.broken_lines import Paragraph
from loading.formats.sections import section_blocks
from models.chat import ChatMessage, ChatModel
from rag.prompts import Prompts
from text.textnorm import words

WINDOW = 12_000
MAX_WINDOWS = 100
AT_ONCE = 5
ATTEMPTS = 2
SECONDS = 180.0
REVIEW = "El texto se ha guardado como se leyó, sin ordenarlo con el modelo: {reason}"
_FENCE = re.compile(r"\A```\w*\n(?P<body>.*)\n```\Z", re.DOTALL)
_FIRST = (
    "Empieza por una sección ─── METADATA GLOBAL ─── con una línea «clave: valor» por cada dato que el "
    "documento diga de sí mismo, copiado tal cual: num_contrato, contratista, importe, fecha_inicio, "
    "fecha_fin, organo, tribunal, sala, numero, fecha, ponente. Omite los que no aparezcan. Es una copia: "
    "esos datos siguen también en su sitio, dentro del texto."
)
_LATER = (
    "Es la continuación de un documento: no pongas METADATA GLOBAL, y si empieza a mitad de una sección, "
    "no la abras otra vez."
)


class Unordered(Exception):
    """The sections of a text cannot be found: the reason, in Spanish."""


class Normaliser:
    """Gives documents without articles their sections. Windows that are done are kept in `folder`."""

    def __init__(self, reader: ChatModel, prompts: Prompts, folder: Path) -> None:
        self._reader = reader
        self._prompts = {
            True: prompts.render("normalise", opening=_FIRST),
            False: prompts.render("normalise", opening=_LATER),
        }
        self._version = hashlib.sha256("\0".join(self._prompts.values()).encode()).hexdigest()[:8]
        self._folder = folder

    def refine(self, document: Document) -> Document:
        """The document with the sections that the model found; one with articles stays as it is.

        On any failure the document also stays as it is, with a warning that marks it for review.
        """
        if any(block.label or len(block.versions) != 1 for block in document.blocks):
            return document
        source = source_text(document)
        try:
            return rebuilt(document, self.normalise(source, document.norm.id), source)
        except Unordered as reason:
            warning = REVIEW.format(reason=reason)
            return document.model_copy(update={"warnings": (*document.warnings, warning)})

    def normalise(self, text: str, name: str = "documento") -> str:
        """The Markdown of a text.

        Args:
            name: base of the names of the kept files.

        Raises:
            Unordered: it is too long, or the model gives no faithful copy of a part.
        """
        parts = windows(text, WINDOW)
        if len(parts) > MAX_WINDOWS:
            raise Unordered("es demasiado largo; divídalo en documentos.")
        return asyncio.run(self._all(parts, name))

    async def _all(self, parts: Sequence[str], name: str) -> str:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> str:
            async with gate:
                return await self._one(parts, number, name)

        tasks = [asyncio.create_task(one(number)) for number in range(len(parts))]
        try:
            return "\n\n".join([await task for task in tasks])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, parts: Sequence[str], number: int, name: str) -> str:
        part = parts[number]
        key = hashlib.sha256(f"{number == 0}\0{part}".encode("utf-8", "replace")).hexdigest()[:24]
        before = kept(self._folder, f"{key}.{self._version}.md")
        if before is not None and not unfaithful(part, before):
            return before
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                markdown = await self._ask(parts, number, reason)
            except ModelError as error:
                reason = f"el modelo no respondió ({str(error).rstrip('.')})"
                if isinstance(error, ModelRejected):
                    break
                continue
            reason = unfaithful(part, markdown)
            if not reason:
                put(self._folder, f"{prefix(name)}.{key}.{self._version}.md", markdown)
                return markdown
        where = f" (parte {number + 1} de {len(parts)})" if len(parts) > 1 else ""
        raise Unordered(f"{reason}{where}.")

    async def _ask(self, parts: Sequence[str], number: int, wrong: str) -> str:
        again = f"La versión anterior no servía: {wrong}. Cópialo con exactitud.\n\n" if wrong else ""
        user = f"{again}TEXTO (parte {number + 1} de {len(parts)}):\n\n{parts[number]}"
        messages = [
            ChatMessage(role="system", content=self._prompts[number == 0]),
            ChatMessage(role="user", content=user),
        ]
        call = await self._reader.complete(messages, timeout=SECONDS)
        output = call.output.replace("\r\n", "\n").strip()
        fenced = _FENCE.match(output)
        return fenced.group("body").strip() if fenced else output


def source_text(document: Document) -> str:
    """The text of a document as it was read; a heading that its section's text lacks goes before it."""
    lines: list[str] = []
    for block in document.blocks:
        text = block.versions[0].text
        if block.title and block.title != document.norm.title and not text.startswith(block.title):
            lines.append(block.title)
        lines.append(text)
    return "\n".join(lines)


def windows(text: str, size: int) -> list[str]:
    """The text in pieces of at most `size` characters, cut between paragraphs, sentences or words."""
    pieces: list[str] = []
    rest = text.strip()
    while len(rest) > size:
        ends = (rest.rfind(mark, size // 2, size) + len(mark) for mark in ("\n", ". ", " "))
        end = next((end for end in ends if end > size // 2), size)
        pieces.append(rest[:end].strip())
        rest = rest[end:].strip()
    return [*pieces, rest]


def rebuilt(document: Document, markdown: str, source: str) -> Document:
    """The document with the sections of a faithful Markdown.

    Without delimiters it is one section, which the chunker cuts by length (S3.2).
    """
    body, facts = divided(markdown)
    norm = document.norm
    extra = {**described(facts, source), **norm.extra}
    norm = norm.model_copy(update={"extra": extra})
    places = _Pages(document.blocks)
    paragraphs = [
        Paragraph(text, pages=places.of(text)) for line in body.split("\n") if (text := _plain(line))
    ]
    held = document.blocks[0].versions[0] if document.blocks else None
    blocks = contract_facts.tagged([_since(block, held) for block in section_blocks(paragraphs, norm)], norm)
    return document.model_copy(update={"norm": norm, "blocks": blocks}) if blocks else document


def _since(block: Block, held: BlockVersion | None) -> Block:
    """The block in force on the days on which the text was that it comes from."""
    if held is None:
        return block
    dated = block.versions[0].model_copy(update={"valid_from": held.valid_from, "valid_to": held.valid_to})
    return block.model_copy(update={"versions": (dated,)})


def _plain(line: str) -> str:
    """A line without Markdown's marks of emphasis and headings, which are not the document's text."""
    return re.sub(r"^#{1,6}\s+", "", line.strip()).replace("**", "").strip()


class _Pages:
    """Finds the page of a paragraph in the document as it was read."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._at: list[tuple[str, int]] = []
        for block in blocks:
            text = block.versions[0].text
            marks = page_marks(block)
            ends = [*(start for start, _ in marks[1:]), len(text)]
            for (start, page), end in zip(marks, ends, strict=False):
                self._at.append((_squeezed(text[start:end]), page))

    def of(self, paragraph: str) -> tuple[tuple[int, int], ...]:
        """As `Paragraph.pages`; nothing when it cannot be found."""
        start = _squeezed(paragraph)[:60]
        page = next((page for text, page in self._at if start and start in text), None)
        return ((0, page),) if page is not None else ()


def _squeezed(text: str) -> str:
    return "".join(words(text))
