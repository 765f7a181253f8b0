"""Turns documents into chunks: every wording of every block with substance, whole or in parts.

The index reads `lexical_text`, `aid_text` and `Chunk.headed`; `content_hash` covers them all.
"""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from law import labels
from law.chunks import Chunk
from law.norms import Block, BlockKind, BlockVersion, Document, Norm
from law.provision import Part as Numbered
from law.provision_reading import read_provision
from lexicon.usual_names import known_norm
from loading.aids.flags import flags
from loading.aids.packed_attributes import KEYWORDS, PAGES, QUESTIONS, SUMMARY, unpacked
from loading.aids.topics import section_type
from loading.chunking.cut import Part, cut, cut_by_tokens

# An attribute of a block that a loader sets when it knows its subject better.
SECTION_TYPE = "section_type"
# Version of the cuts and of the indexed fields of a chunk: a change of either needs a new index.
CHUNKER = "articles-3"
LIMIT = 3000
OVERLAP = 250
# Tokens, for documents without articles (S3.10).
SECTION_LIMIT = 1000
SECTION_OVERLAP = 100
MIN_PREAMBLE = 200
MIN_ONE_LINE = 150

_WITHOUT_CHUNKS = frozenset({BlockKind.HEADING, BlockKind.SIGNATURE, BlockKind.NOTE})
_NUMBERED = frozenset({BlockKind.ARTICLE, *labels.PREFIXES})


def chunk_document(document: Document, limit: int = LIMIT, overlap: int = OVERLAP) -> list[Chunk]:
    """Chunks of a document in reading order, each text an exact slice of its wording.

    A document without articles is cut by tokens instead, at most 1000 a chunk, 100 of them repeated (S3.10).

    Args:
        limit: most characters in a chunk.
        overlap: most characters that a part repeats of the part before it, in whole sentences.

    Headings, signatures, short preambles and wordings that only say '(Derogado)' give none.
    """
    numbered = any(block.kind in _NUMBERED for block in document.blocks)
    return [
        chunk
        for block in document.blocks
        for version in block.versions
        if has_substance(block, version)
        for chunk in _chunks(
            document.norm,
            block,
            version,
            cut(version.text, limit, overlap)
            if numbered
            else cut_by_tokens(version.text, SECTION_LIMIT, SECTION_OVERLAP),
        )
    ]


def has_substance(block: Block, version: BlockVersion) -> bool:
    """True if a wording is searched: no heading, signature or note, nor a heading with only '(Derogado)'."""
    if block.kind in _WITHOUT_CHUNKS:
        return False
    lines = [line for line in version.text.split("\n") if line.strip()]
    if block.kind is BlockKind.PREAMBLE:
        return len(version.text) >= MIN_PREAMBLE
    if len(lines) == 1:
        return len(lines[0]) >= MIN_ONE_LINE or not labels.of_heading(lines[0])
    return any(not labels.is_gone(line) for line in lines[1:])


def _chunks(norm: Norm, block: Block, version: BlockVersion, parts: list[Part]) -> Iterator[Chunk]:
    text = version.text
    units = (
        [unit for unit in read_provision(text, glued=False).parts if unit.path]
        if block.kind in _NUMBERED
        else []
    )
    section = _section(block, version)
    chapter = " > ".join(block.path)
    attributes = block.attributes
    # The pages are those of the file that gave the last wording.
    marks = page_marks(block) if version is block.versions[-1] else []
    for number, part in enumerate(parts, 1):
        chunk = Chunk(
            id=f"{norm.id}/{block.id}@{version.valid_from.isoformat()}#{number}",
            collection=norm.collection,
            norm_id=norm.id,
            block_id=block.id,
            kind=block.kind,
            label=block.label,
            law=norm.law,
            alias=norm.alias,
            rank=norm.rank,
            chapter=chapter,
            section=section,
            text=text[part.start : part.end],
            position=block.position,
            part=number,
            parts=len(parts),
            apartados=_range(units, part),
            start=part.start,
            end=part.end,
            valid_from=version.valid_from,
            valid_to=version.valid_to,
            territory=norm.territory,
            section_type=attributes.get(SECTION_TYPE) or section_type(section, chapter, norm.title),
            official=norm.official,
            url=attributes.get("url") or block_url(norm, block.id),
            page=_page(marks, part.fresh),
            flags=flags(text[part.start : part.end]),
            content_hash="",
        )
        yield with_aids(chunk, block, norm)


def with_aids(chunk: Chunk, block: Block, norm: Norm) -> Chunk:
    """The chunk with the summary, keywords and questions of its block, and its hash."""
    helped = chunk.model_copy(
        update={
            "summary": block.attributes.get(SUMMARY, ""),
            "keywords": unpacked(block, KEYWORDS),
            "questions": unpacked(block, QUESTIONS),
        }
    )
    return helped.model_copy(update={"content_hash": content_hash(helped, norm)})


def page_marks(block: Block) -> list[tuple[int, int]]:
    """(offset, page) wherever a page begins in the text of a block, from '0:12 540:13'."""
    pairs = (pair.split(":") for pair in unpacked(block, PAGES))
    return [(int(at), int(page)) for at, page in pairs]


def _page(marks: list[tuple[int, int]], at: int) -> int | None:
    place = bisect_right(marks, at, key=lambda mark: mark[0])
    return marks[place - 1][1] if place else None


def _section(block: Block, version: BlockVersion) -> str:
    """The heading of this very wording; rubrics change with amendments."""
    first = version.text.split("\n", 1)[0].strip()
    if block.label and labels.of_heading(first) is not None and len(first) < 2 * MIN_ONE_LINE:
        return first
    return labels.title_of(block)


def _range(units: list[Numbered], part: Part) -> str:
    first = bisect_right(units, part.fresh, key=lambda unit: unit.end)
    last = bisect_left(units, part.end, key=lambda unit: unit.start) - 1
    if first > last:
        return ""
    top, end = units[first].path[0], units[last].path[0]
    return top if top == end else f"{top}-{end}"


def block_url(norm: Norm, block_id: str) -> str:
    """Address of a block in the BOE's consolidated text; of the whole norm where blocks have none.

    In the id of a block that a loader split off, the part after '~' is not in the BOE's anchor.
    """
    if "boe.es/buscar/act.php" not in norm.url:
        return norm.url
    return f"{norm.url}#{block_id.partition('~')[0]}"


def lexical_text(chunk: Chunk, norm: Norm | None = None) -> str:
    """The law's own words for the lexical index: names of the norm, headings, text and summary.

    Without `norm`, its title and number come from `lexicon` when it is a well-known one.
    """
    named = norm or known_norm(chunk.norm_id)
    names = (named.title, named.number) if named else ()
    lines = (chunk.law, chunk.alias, *names, chunk.chapter, chunk.section, chunk.text, chunk.summary)
    return "\n".join(dict.fromkeys(filter(None, lines)))


def aid_text(chunk: Chunk) -> str:
    """Its search aids for the lexical index, apart from the law's words: not every chunk has any."""
    return "\n".join((*chunk.keywords, *chunk.questions))


def content_hash(chunk: Chunk, norm: Norm | None = None) -> str:
    """SHA-256 (hex) of the indexed texts of a chunk."""
    indexed = "\0".join((chunk.headed, lexical_text(chunk, norm), aid_text(chunk)))
    return hashlib.sha256(indexed.encode()).hexdigest()
