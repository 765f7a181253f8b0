"""A document on one day: its header, its chunks with their contract numbers, its whole text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from law.chunks import Chunk
from law.norms import Block, BlockKind, Document, Norm, dated
from rag.tools.tool_calls import Metadata, ResultItem
from text.segmentation import has_row, is_row

HEADER, TABLE, CONTENT = "section_header", "table", "content"

# Accented letters to plain ones, one for one, so that offsets stay; «ª», «€» and the like are unchanged.
_PLAIN = tuple(zip("áéíóúüñÁÉÍÓÚÜÑàèòçïÀÈÒÇÏ", "aeiouunAEIOUUNaeociAEOCI", strict=True))


class Passage(NamedTuple):
    """A block in force: its text, and its first line in the document, counted from 1."""

    block_id: str
    line: int
    text: str


@dataclass(frozen=True)
class Outline:
    """Numbering of the chunks of a document in force on a day.

    Attributes:
        numbers: chunk id to number; 0 for the preamble's chunks, which are part of the header.
        mark: end of its chunk ids, '@2019-07-01' where they must tell the day.
    """

    norm: Norm
    file_name: str
    stem: str
    numbers: Mapping[str, int]
    mark: str = ""

    def chunk_id(self, number: int) -> str:
        """The contract's id of a number: '<stem>_chunk_NNNN', and the mark."""
        return f"{self.stem}_chunk_{number:04d}{self.mark}"

    def item(
        self,
        chunk: Chunk | None,
        content: str,
        *,
        score: float | None = None,
        highlights: tuple[str, ...] = (),
        line: int | None = None,
        kind: str = "",
    ) -> ResultItem:
        """A result about one of its chunks, or about its header if `chunk` is None."""
        number = self.numbers[chunk.id] if chunk else 0
        text = chunk.text if chunk else content
        return ResultItem(
            chunk_id=self.chunk_id(number),
            score=score,
            source_file=self.file_name,
            content=content,
            highlights=highlights,
            metadata=Metadata(
                chunk_type=kind or (kind_of(chunk) if chunk and number else HEADER),
                section_title=chunk.section if chunk else self.norm.title,
                keywords=_keywords(chunk) if chunk else (),
                has_tables=has_row(text),
                chunk=chunk.id if chunk else "",
                norm_id=self.norm.id,
                law=self.norm.law,
                label=chunk.label if chunk else "",
                summary=_described(chunk) if chunk else self.norm.title,
                valid_from=dated(chunk.valid_from) if chunk else self.norm.valid_from,
                valid_to=chunk.valid_to if chunk else self.norm.repealed_on,
                url=chunk.url if chunk else self.norm.url,
                line=line,
                in_force=f"Vigente: {chunk.in_force}" if chunk and chunk.in_force else "",
            ),
        )


@dataclass(frozen=True)
class DocumentView:
    """A document as in force on a day.

    Attributes:
        header: title, metadata and preamble; number 0 of the contract.
        chunks: those in force, in reading order, without the preamble's; `chunks[0]` has number 1.
        passages: the header and each block in force, in reading order: together the whole text.
    """

    outline: Outline
    header: str
    chunks: tuple[Chunk, ...]
    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, outline: Outline, document: Document, chunks: Sequence[Chunk], day: date) -> DocumentView:
        """The view from a document with all its wordings and the chunks that `outline` numbers."""
        wordings = [
            (block, version.text)
            for block in document.blocks
            if (version := block.wording_on(day)) is not None and version.text.strip()
        ]
        opening = [text for block, text in wordings if block.kind is BlockKind.PREAMBLE]
        header = "\n\n".join([_heading(document.norm), *opening])
        passages = [Passage("", 1, header)]
        for block_id, text in _body(wordings):
            last = passages[-1]
            passages.append(Passage(block_id, last.line + last.text.count("\n") + 2, text))
        return cls(
            outline=outline,
            header=header,
            chunks=tuple(chunk for chunk in chunks if outline.numbers[chunk.id]),
            passages=tuple(passages),
        )

    @property
    def file_name(self) -> str:
        return self.outline.file_name

    @cached_property
    def text(self) -> str:
        """The whole document, with an empty line between blocks."""
        return "\n\n".join(passage.text for passage in self.passages)

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The text of each passage without accents, letter for letter."""
        return tuple(unaccented(passage.text) for passage in self.passages)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of `text`."""
        return tuple(self.text.split("\n"))

    @cached_property
    def _parts(self) -> dict[str, list[Chunk]]:
        parts: dict[str, list[Chunk]] = {}
        for chunk in self.chunks:
            parts.setdefault(chunk.block_id, []).append(chunk)
        return parts

    def at(self, passage: int, offset: int) -> Chunk | None:
        """The chunk at an offset of a passage; for a heading, the first chunk below it; else None."""
        parts = self._parts.get(self.passages[passage].block_id)
        if parts:
            return next((part for part in parts if part.start <= offset < part.end), parts[-1])
        below = (self._parts.get(one.block_id) for one in self.passages[passage + 1 :] if passage)
        return next((parts[0] for parts in below if parts), None)

    def item(self, number: int) -> ResultItem:
        """The whole chunk of a number as a result; 0 is the header."""
        if number == 0:
            return self.outline.item(None, self.header)
        chunk = self.chunks[number - 1]
        return self.outline.item(chunk, chunk.headed)


def _body(wordings: Sequence[tuple[Block, str]]) -> Iterator[tuple[str, str]]:
    """(block id, text) of each block after the preamble; headings that are not blocks have the id ''."""
    own = any(block.kind is BlockKind.HEADING for block, _ in wordings)
    above: tuple[str, ...] = ()
    for block, text in wordings:
        if block.kind is BlockKind.PREAMBLE:
            continue
        opened = opened_headings(above, block.path)
        if opened and not own:
            yield "", "\n".join(opened)
        yield block.id, text
        above = block.path


def opened_headings(above: Sequence[str], path: Sequence[str]) -> list[str]:
    """The headings of `path` that are not shared with the path of the previous block (`above`)."""
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(above, path, strict=False))))
    return list(path[same:])


def kind_of(chunk: Chunk) -> str:
    """'table' if the chunk's text has a table row, else 'content'."""
    return TABLE if has_row(chunk.text) else CONTENT


def table_of(chunk: Chunk) -> str:
    """The text of a chunk from its first table on, with the line above it, the caption."""
    lines = chunk.text.split("\n")
    first = next((n for n, line in enumerate(lines) if is_row(line)), 0)
    return "\n".join(lines[max(0, first - 1) :])


def unaccented(text: str) -> str:
    """A text or a pattern without accents, letter for letter."""
    if not text.isascii():
        for accented, letter in _PLAIN:
            text = text.replace(accented, letter)
    return text


def _heading(norm: Norm) -> str:
    """The title, and a line for each known datum of the norm."""
    known = (
        ("Identificador", norm.id),
        ("Nombre", f"{norm.law} ({norm.alias})" if norm.alias else norm.law),
        ("Rango", norm.rank),
        ("Órgano", norm.department),
        ("Ámbito", norm.territory),
        ("Publicación", norm.published.isoformat() if norm.published else ""),
        ("En vigor desde", norm.valid_from.isoformat() if norm.valid_from else ""),
        ("Derogación", norm.repealed_on.isoformat() if norm.repealed_on else ""),
        ("Estado", norm.status),
        ("Carácter", "" if norm.official else "resumen no oficial"),
        ("Fuente", norm.url),
    )
    return "\n".join([norm.title, "", *(f"{name}: {value}" for name, value in known if value)])


def _described(chunk: Chunk) -> str:
    """The chunk's summary or, without one, its section and part."""
    if chunk.summary:
        return chunk.summary
    part = f" Parte {chunk.part} de {chunk.parts}." if chunk.parts > 1 else ""
    return f"{chunk.section}{part}"


def _keywords(chunk: Chunk) -> tuple[str, ...]:
    """The chunk's keywords or, without any, its section type and flags."""
    return chunk.keywords or tuple(dict.fromkeys((chunk.section_type, *chunk.flags)))
