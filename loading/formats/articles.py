"""Splits one norm's paragraphs into blocks: preamble, articles, disposiciones, annexes, with headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from law import labels
from law.norms import UNDATED, Block, BlockKind, BlockVersion, Norm
from loading.aids.packed_attributes import PAGES, packed
from loading.formats import generated_ids, headings
from loading.formats.broken_lines import Paragraph

MAX_TITLE = 200
SIGNATURE = re.compile(
    r"(?:Por tanto,|Mando a todos los españoles|Dado en [A-ZÁÉÍÓÚ]"
    r"|(?:Dad[ao] en |En )?[A-ZÁÉÍÓÚ][\wáéíóúñ. ]{2,40}, (?:a )?\d{1,2} de [a-z]+ de \d{4}[.–—-]{0,3}$)"
)
_FIRST_SENTENCE = re.compile(r".{3,120}?[.](?=\s|$)")


@dataclass
class Draft:
    """A block under construction."""

    kind: BlockKind
    label: str = ""
    title: str = ""
    id: str = ""
    path: tuple[str, ...] = ()
    paragraphs: list[Paragraph] = field(default_factory=list)
    _quotes: tuple[int, int] = (0, 0)

    @property
    def quoting(self) -> bool:
        """True if a quotation is still open: the articles inside it belong to other norms."""
        seen, opened = self._quotes
        opened += sum(p.text.count("«") - p.text.count("»") for p in self.paragraphs[seen:])
        self._quotes = (len(self.paragraphs), opened)
        return opened > 0


def article_blocks(paragraphs: Sequence[Paragraph], norm: Norm) -> tuple[list[Block], list[str]]:
    """The blocks in reading order, and warnings about labels that occur twice."""
    reader = _Reader()
    for place, paragraph in enumerate(paragraphs):
        following = paragraphs[place + 1] if place + 1 < len(paragraphs) else None
        reader.read(paragraph, following)
    blocks: dict[str, Block] = {}
    for draft in reader.drafts:
        if draft.paragraphs:
            block_id = generated_ids.free(draft.id, blocks)
            blocks[block_id] = finished(draft, block_id, len(blocks), norm)
    return list(blocks.values()), _warnings(list(blocks.values()))


def finished(draft: Draft, block_id: str, position: int, norm: Norm) -> Block:
    """The block with its one wording; the pages of its text go into its attributes."""
    start = 0
    pages: list[tuple[int, int]] = []
    for paragraph in draft.paragraphs:
        pages += [(start + at, page) for at, page in paragraph.pages if not pages or pages[-1][1] != page]
        start += len(paragraph.text) + 1
    version = BlockVersion(
        valid_from=norm.valid_from or norm.published or UNDATED,
        valid_to=norm.repealed_on,
        text="\n".join(paragraph.text for paragraph in draft.paragraphs),
    )
    return Block(
        id=block_id,
        kind=draft.kind,
        label=draft.label,
        title=draft.title,
        path=draft.path,
        position=position,
        versions=(version,),
        attributes=packed({PAGES: (f"{at}:{page}" for at, page in pages)}),
    )


def _warnings(blocks: Sequence[Block]) -> list[str]:
    titles: dict[str, list[str]] = {}
    for block in blocks:
        if block.label:
            titles.setdefault(block.label, []).append(block.title)
    return [
        f"«{found[0][:80]}» aparece {len(found)} veces: compruebe que no son dos normas."
        for found in titles.values()
        if len(found) > 1
    ]


class _Reader:
    """Reads paragraphs one by one and appends blocks to `drafts`."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = [Draft(BlockKind.PREAMBLE, id="preambulo")]
        self._above: list[tuple[int, str]] = []
        self._group: BlockKind | None = None
        self._untitled = False

    def read(self, paragraph: Paragraph, following: Paragraph | None) -> None:
        text = paragraph.text
        if self._untitled and self._is_title(text, following):
            rank, above = self._above[-1]
            self._above[-1] = (rank, f"{above.rstrip('.')}. {text.rstrip('.')}")
            self._untitled = False
            return
        self._untitled = False
        if not self.drafts[-1].quoting or self._follows(text):
            if found := headings.provision(text):
                self._open(found, text, paragraph)
                return
            if (level := headings.division(text)) is not None:
                self._enter(level, text)
                return
            if group := headings.group(text):
                self._group, self._above = group, []
                return
            if self._group and (marked := headings.ordinal(text)):
                self._open_ordinal(self._group, marked, paragraph)
                return
            if self._signs(text):
                self.drafts.append(Draft(BlockKind.SIGNATURE, id="firma"))
        self._add(paragraph)

    def _is_title(self, text: str, following: Paragraph | None) -> bool:
        """True if `text` is the title of the bare «CAPÍTULO IV» above it."""
        if headings.starts(text) or len(text) > MAX_TITLE:
            return False
        return not text.endswith(".") or (following is not None and headings.starts(following.text))

    def _follows(self, text: str) -> bool:
        """True if `text` is the next article after the open one: then only the closing quote is missing."""
        found = headings.provision(text)
        last = self.drafts[-1]
        if found is None or found.kind is not last.kind or not last.label:
            return False
        return _is_next(last.label, found.label)

    def _open(self, found: labels.Label, text: str, paragraph: Paragraph) -> None:
        if found.kind is not BlockKind.ARTICLE:
            self._above = []
        else:
            self._take_back_listed(found.label)
        self._group = None
        title = text if len(text) <= headings.MAX_HEADING else _opening(text)
        self._start(
            Draft(found.kind, found.label, title, paragraph.anchor or generated_ids.block_id(found)),
            paragraph,
        )

    def _take_back_listed(self, label: str) -> None:
        """Give an article the annexes after it that it only lists: the next article has this label."""
        at = next(
            (n for n in reversed(range(len(self.drafts))) if self.drafts[n].kind is BlockKind.ARTICLE), 0
        )
        article, listed = self.drafts[at], self.drafts[at + 1 :]
        if _is_next(article.label, label) and all(map(_is_listed, listed)):
            article.paragraphs += [paragraph for draft in listed for paragraph in draft.paragraphs]
            del self.drafts[at + 1 :]

    def _open_ordinal(self, kind: BlockKind, marked: headings.Ordinal, paragraph: Paragraph) -> None:
        found = labels.Label(kind, f"{labels.PREFIXES[kind]} {marked.label}")
        number = paragraph.text[: marked.length].strip(" .-:–").lower()
        name = f"Disposición {headings.KIND_NAMES[kind]} {number}."
        rest = paragraph.text[marked.length :]
        subject = rest if len(rest) <= MAX_TITLE and rest.endswith(".") and ". " not in rest else ""
        self._start(
            Draft(kind, found.label, f"{name} {subject}".strip(), generated_ids.block_id(found)), paragraph
        )

    def _start(self, draft: Draft, paragraph: Paragraph) -> None:
        draft.path = tuple(text for _, text in self._above)
        last = self.drafts[-1]
        if last.label and (last.kind, last.label, last.title) == (draft.kind, draft.label, draft.title):
            # The same heading twice in a row: the first was an item of a list in the block before.
            self.drafts.pop()
            self.drafts[-1].paragraphs += last.paragraphs
        self.drafts.append(draft)
        self._add(paragraph)

    def _enter(self, level: int, text: str) -> None:
        self._above = [(rank, above) for rank, above in self._above if rank < level]
        self._above.append((level, text.rstrip(". ")))
        self._untitled = headings.is_bare(text)
        self._group = None

    def _signs(self, text: str) -> bool:
        last = self.drafts[-1]
        return bool(last.label) and last.kind is not BlockKind.ANNEX and SIGNATURE.match(text) is not None

    def _add(self, paragraph: Paragraph) -> None:
        self.drafts[-1].paragraphs.append(paragraph)


def _is_next(label: str, other: str) -> bool:
    """True of '6' and '7', of 'dt 1' and 'dt 2'."""
    one, two = label.split()[-1:], other.split()[-1:]
    return bool(one and two and one[0].isdigit() and two[0].isdigit()) and int(two[0]) == int(one[0]) + 1


def _is_listed(draft: Draft) -> bool:
    """True for an annex whose heading is a line of running text with its name."""
    return (
        draft.kind is BlockKind.ANNEX
        and not draft.title.isupper()
        and not headings.BARE.fullmatch(draft.title)
    )


def _opening(text: str) -> str:
    """Title of an article whose text begins on the line of its heading."""
    found = re.match(r"\S+\s+\S+?\.", text)
    sentence = _FIRST_SENTENCE.match(text, found.end()) if found else None
    return text[: sentence.end()] if sentence else text[: found.end()] if found else text[:MAX_TITLE]
