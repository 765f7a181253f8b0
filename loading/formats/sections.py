"""Splits documents without articles (contracts, judgments, criteria) at delimiter lines or headings.

A document without either is one section; the chunker cuts sections that are too long.
"""

import re
from collections.abc import Sequence

from law.norms import Block, BlockKind, Norm
from loading.chunking.chunk import SECTION_TYPE
from loading.formats import generated_ids, headings, ruling_sections
from loading.formats.articles import Draft, finished
from loading.formats.broken_lines import Paragraph
from loading.formats.ruling_sections import Section

_NAMED = re.compile(
    r"(?:ANTECEDENTES(?: DE HECHO)?|HECHOS(?: PROBADOS)?|FUNDAMENTOS?(?: DE DERECHO| JUR[ÍI]DICOS?)?"
    r"|F ?A ?L ?L ?(?:O|A ?M ?O ?S)|PARTE DISPOSITIVA|VOTO PARTICULAR|RAZONAMIENTOS JUR[ÍI]DICOS|ASUNTO"
    r"|CONSULTA|CUESTI[ÓO]N|RESPUESTA|CONTESTACI[ÓO]N|SUPUESTO|CRITERIO(?: DE GESTI[ÓO]N| INTERPRETATIVO)?"
    r"|NORMATIVA(?: APLICABLE)?|DOCTRINA|CONCLUSI[ÓO]N(?:ES)?)\s*[:.]?",
    re.IGNORECASE,
)
_UNDER = re.compile(r"(?:FUNDAMENTOS|ANTECEDENTES|HECHOS|RAZONAMIENTOS)")


def section_blocks(paragraphs: Sequence[Paragraph], norm: Norm) -> list[Block]:
    """The sections in reading order; a heading without text goes into the path or joins the next heading."""
    marked = any(headings.section_name(p.text) for p in paragraphs)
    ruled = norm.rank in ruling_sections.RANKS and not marked
    if ruled and (found := ruling_sections.sections(paragraphs, norm)):
        return _blocks(found, norm)
    drafts: list[Draft] = [Draft(BlockKind.SECTION, title=norm.title)]
    above: list[tuple[int, str]] = []
    for paragraph in paragraphs:
        name, rank = _heading(paragraph, marked)
        if name and name != norm.title:
            waiting = drafts.pop().paragraphs if _only_heading(drafts[-1], above, rank) else []
            above = [(r, text) for r, text in above if r < rank]
            drafts.append(Draft(BlockKind.SECTION, title=name, path=tuple(text for _, text in above)))
            drafts[-1].paragraphs += waiting
            above.append((rank, name))
            if not headings.section_name(paragraph.text):
                drafts[-1].paragraphs.append(paragraph)
        elif not headings.is_delimiter(paragraph.text):
            drafts += _subsection(drafts[-1], paragraph)
            drafts[-1].paragraphs.append(paragraph)
    if len(drafts) > 1 and all(_name(paragraph) == drafts[-1].title for paragraph in drafts[-1].paragraphs):
        # Nothing follows: a sum or a signature in capitals is text of what stands before it.
        last = drafts.pop()
        drafts[-1].paragraphs += last.paragraphs
    return _blocks(drafts, norm)


def _only_heading(last: Draft, above: Sequence[tuple[int, str]], rank: int) -> bool:
    """True if the last heading has this depth and no text: the new heading is its second line."""
    if not above or not last.paragraphs:
        return False
    same = above[-1] == (rank, last.title) and not last.paragraphs[0].heading
    return same and [_name(paragraph) for paragraph in last.paragraphs] == [last.title]


def _name(paragraph: Paragraph) -> str:
    return paragraph.text.rstrip(".: ")


def _heading(paragraph: Paragraph, marked: bool) -> tuple[str, int]:
    """Name and depth of a heading; an empty name for text. If `marked`, only delimiter lines are headings."""
    text = paragraph.text
    if marked:
        return headings.section_name(text) or "", 1
    if paragraph.heading:
        return _name(paragraph), paragraph.heading
    if _NAMED.fullmatch(text) and text[:1].isupper():
        return _name(paragraph), 2
    if headings.is_capitals(text) and not text.endswith("."):
        return _name(paragraph), 3
    return "", 0


def _subsection(last: Draft, paragraph: Paragraph) -> list[Draft]:
    """«PRIMERO.- …» under «FUNDAMENTOS DE DERECHO» is a separate section."""
    parent = last.path[-1] if last.path and " · " in last.title else last.title
    marked = headings.ordinal(paragraph.text)
    if marked is None or marked.length == len(paragraph.text) or not _UNDER.match(parent.upper()):
        return []
    name = paragraph.text[: marked.length].strip(" .-:–").capitalize()
    return [Draft(BlockKind.SECTION, title=f"{parent} · {name}", path=(parent,))]


def _blocks(drafts: Sequence[Draft], norm: Norm) -> list[Block]:
    blocks: dict[str, Block] = {}
    said = [draft for draft in drafts if any(_name(p) != draft.title for p in draft.paragraphs)]
    for draft in said or drafts:
        if draft.paragraphs:
            block_id = generated_ids.free(generated_ids.slug(draft.title, generated_ids.BLOCK_LENGTH), blocks)
            block = finished(draft, block_id, len(blocks), norm)
            blocks[block_id] = _typed(block, draft, norm.rank)
    return list(blocks.values())


def _typed(block: Block, draft: Draft, rank: str) -> Block:
    """The block of a judgment or criterion with its type as an attribute; that of another as it is."""
    if rank not in ruling_sections.RANKS:
        return block
    named = draft.type if isinstance(draft, Section) else ruling_sections.type_of(draft.title, rank)
    return (
        block.model_copy(update={"attributes": {**block.attributes, SECTION_TYPE: named}}) if named else block
    )
