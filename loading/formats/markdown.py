"""Reads Markdown with YAML front matter into a document.

The front matter fills `Norm` (fields it does not have go to `Norm.extra`). Headings give the structure:
TÍTULO, CAPÍTULO, Sección… are the path, and one that begins with Artículo, Art., Disposición or Anexo starts
a block; what stands in sentences never does. Without such a heading articles are read
as in a plain text. An HTML comment right under a heading may carry attributes of its block: `<!-- block: a38;
url: https://…; summary: …; keywords: a, b; questions: ¿…? | ¿…?; valid_from: 2015-10-24; valid_to: 2018-07-04
-->`. Headings with the same `block` are wordings of one block.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from core.errors import InputError
from law import labels
from law.decisions import LAW
from law.norms import BRIEF, UNDATED, Block, BlockKind, BlockVersion, Document, Norm
from loading.formats import agreement_facts, papers, plain_text
from loading.formats.articles import article_blocks
from loading.formats.assemble import MIN_PROVISIONS, provisions
from loading.formats.broken_lines import Line, Paragraph, paragraphs
from loading.formats.front_matter import DATES, TEXTS, date_of, doubts, norm_of, renamed, split_front_matter
from loading.formats.generated_ids import BLOCK_LENGTH, block_id, free, slug
from loading.formats.headings import LEVELS
from loading.formats.source_file import Source

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|-])")
_OWN_LINE = re.compile(r"(?:[-*+•|>]|\d{1,3}(?:\.\d+)*[.)ºª-]|\w{1,2}\)|[A-ZÁÉÍÓÚ][a-záéíóú]+\.\s)")
ATTRIBUTES = ("block", "url", "summary", "keywords", "questions", "valid_from", "valid_to")
_KEPT = frozenset({"url", "summary", "keywords", "questions"})
_NEXT_ATTRIBUTE = re.compile(rf";\s*(?=(?:{'|'.join(ATTRIBUTES)})\s*:)")


def load(source: Source, collection: str) -> list[Document]:
    """The document of one Markdown file; its own `collection` field wins over the argument.

    Raises:
        InputError: the file is not text, its front matter is not valid YAML, or it holds no text.
    """
    written, body = split_front_matter(source)
    if not written and not any(map(_HEADING.match, body.splitlines())):
        return plain_text.load(source, collection)
    try:
        fields = renamed(written)
        norm = norm_of(source, fields, _first_title(body), collection)
        norm = norm if norm.rank else _as_agreement(norm, fields, body)
        assembler = _Assembler(norm.valid_from or norm.published or UNDATED, norm.repealed_on)
        for part in _parts(body):
            assembler.take(part)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None
    if not assembler.drafts:
        raise InputError(f"{source.name}: no contiene texto; compruebe el archivo y súbalo otra vez.")
    blocks = tuple(assembler.blocks())
    if collection != BRIEF and not any(one.label for one in blocks):
        unmarked, _ = article_blocks(_unmarked(body), norm)
        divided = provisions(unmarked) >= (1 if written else MIN_PROVISIONS)
        blocks = tuple(unmarked) if divided else blocks
    if norm.collection == LAW and not any(fields.get(name) for name in ("id", "rank", "collection")):
        divided = any(one.label for one in blocks)
        # The title of the front matter stands over the text.
        titled = [Paragraph(str(fields["title"]))] if fields.get("title") else []
        norm = papers.recognised(norm, [*titled, *_lines(body)], source.name, divided=divided)
    return [Document(norm=norm, blocks=blocks, warnings=doubts(norm))]


def _as_agreement(norm: Norm, fields: Mapping[str, Any], body: str) -> Norm:
    """The norm as the agreement that its text tells of, if it is one; what the front matter says wins."""
    found = agreement_facts.completed(norm, list(_lines(body)))
    given = {name: getattr(norm, name) for name in (*TEXTS, *DATES) if fields.get(name) is not None}
    return found.model_copy(update={**given, "extra": {**found.extra, **norm.extra}})


def _lines(body: str) -> Iterator[Paragraph]:
    """The lines of the body, its headings without their marks."""
    for line in body.splitlines():
        if found := _HEADING.match(line):
            yield Paragraph(found[2].rstrip(), len(found[1]))
        elif line.strip():
            yield Paragraph(line.strip())


def _unmarked(body: str) -> list[Paragraph]:
    """The paragraphs of a body whose articles have no heading of Markdown, as those of a plain text."""
    # A heading that names an article and made no block stands in a fence.
    marked = (line if labels.of_heading(line.strip("# ")) else line.lstrip("#") for line in body.splitlines())
    return paragraphs([Line(_plain_line(line)) for line in marked])


def _first_title(body: str) -> str:
    found = re.search(r"^#\s+(\S.*)$", body, re.MULTILINE)
    return found.group(1).rstrip() if found else ""


class _Part(NamedTuple):
    """A heading (empty before the first one) and the text under it."""

    heading: str
    depth: int
    text: str
    attributes: dict[str, str]


def _parts(body: str) -> Iterator[_Part]:
    heading, depth, fence = "", 0, ""
    lines: list[str] = []
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark.group(1).startswith(fence)):
            fence = "" if fence else mark.group(1)
        found = None if fence else _HEADING.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        yield _part(heading, depth, lines)
        title = found.group(2).rstrip().rstrip("#")
        heading, depth, lines = _plain_line(title), len(found.group(1)), []
    yield _part(heading, depth, lines)


def _part(heading: str, depth: int, lines: list[str]) -> _Part:
    text, comment = _without_comments("\n".join(lines))
    return _Part(heading, depth, _paragraphs(text), _attributes(comment if heading else ""))


def _without_comments(raw: str) -> tuple[str, str]:
    """The text with a line feed for each HTML comment, and the comment that it begins with, or ''."""
    pieces: list[str] = []
    first, at = "", 0
    while (start := raw.find("<!--", at)) >= 0 and (end := raw.find("-->", start + 4)) >= 0:
        pieces.append(raw[at:start])
        if len(pieces) == 1 and not pieces[0].strip():
            first = raw[start + 4 : end]
        at = end + 3
    return "\n".join([*pieces, raw[at:]]), first


def _attributes(comment: str) -> dict[str, str]:
    pairs = (piece.partition(":") for piece in _NEXT_ATTRIBUTE.split(comment))
    return {name.strip(): " ".join(value.split()) for name, _, value in pairs if name.strip() in ATTRIBUTES}


def _paragraphs(raw: str) -> str:
    """Paragraphs joined by one line feed; wrapped lines are joined, but not list items or table rows."""
    lines: list[str] = []
    joined = False
    for line in map(_plain_line, raw.splitlines()):
        if not line:
            joined = False
        elif joined and not _OWN_LINE.match(line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
            joined = not line.startswith("|")
    return "\n".join(lines)


def _plain_line(line: str) -> str:
    return _ESCAPED.sub(r"\1", line.replace("**", "")).replace("\u00a0", " ").strip()


class _Draft(NamedTuple):
    """A block without its wordings, and these with the texts of each."""

    block: Block
    wordings: list[tuple[BlockVersion, list[str]]]


class _Assembler:
    """Turns parts into blocks, remembering the headings above and the block that is open."""

    def __init__(self, start: date, end: date | None) -> None:
        self.start, self.end = start, end
        self.drafts: dict[str, _Draft] = {}
        self.above: list[tuple[tuple[int, int], str]] = []
        self.open: tuple[int, str] | None = None

    def take(self, part: _Part) -> None:
        if not part.heading:
            self._add(part, BlockKind.PREAMBLE, "", "preambulo")
            return
        found = labels.of_heading(part.heading)
        level = LEVELS.get(labels.fold(part.heading).partition(" ")[0])
        if found is None and level is None and self.open and part.depth > self.open[0]:
            self.drafts[self.open[1]].wordings[-1][1].extend((part.heading, part.text))
            return
        rank = (1, part.depth) if level is None else (0, level)
        self.above = [heading for heading in self.above if heading[0] < rank]
        self.open = None
        if found is not None:
            self.open = (part.depth, self._add(part, found.kind, found.label, block_id(found)))
            return
        self._add(part, BlockKind.SECTION, "", slug(part.heading)[:BLOCK_LENGTH])
        if level is not None or part.depth > 1:
            self.above.append((rank, part.heading.rstrip(".")))

    def _add(self, part: _Part, kind: BlockKind, label: str, derived: str) -> str:
        """Add a block, or a further wording of the block that the attribute `block` names; its id."""
        if not part.text and kind in {BlockKind.PREAMBLE, BlockKind.SECTION}:
            return ""
        named = part.attributes.get("block")
        block_id = named or free(derived, self.drafts)
        earlier = self.drafts.get(block_id)
        version = BlockVersion(
            valid_from=date_of("valid_from", part.attributes.get("valid_from")) or self.start,
            valid_to=date_of("valid_to", part.attributes.get("valid_to")) or self.end,
            text="",
        )
        block = Block(
            id=block_id,
            kind=kind,
            label=label,
            title=part.heading,
            path=tuple(text for _, text in self.above),
            position=earlier.block.position if earlier else len(self.drafts),
            attributes={name: value for name, value in part.attributes.items() if name in _KEPT},
        )
        wordings = earlier.wordings if earlier else []
        wordings.append((version, [part.heading, part.text]))
        self.drafts[block_id] = _Draft(block, wordings)
        return block_id

    def blocks(self) -> Iterator[Block]:
        for draft in self.drafts.values():
            said = [
                version.model_copy(update={"text": "\n".join(filter(None, texts))})
                for version, texts in draft.wordings
            ]
            yield draft.block.model_copy(update={"versions": _in_order(said)})


def _in_order(versions: Sequence[BlockVersion]) -> tuple[BlockVersion, ...]:
    """By first day; each ends, at the latest, the day before the next one begins."""
    ordered = sorted(
        {version.valid_from: version for version in versions}.values(), key=lambda v: v.valid_from
    )
    closed = [
        version.model_copy(
            update={"valid_to": min(version.valid_to or date.max, following.valid_from - timedelta(days=1))}
        )
        for version, following in pairwise(ordered)
    ]
    return (*closed, ordered[-1])
