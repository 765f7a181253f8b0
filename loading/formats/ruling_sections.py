"""Sections of judgments and criteria: each has its type, and only what names a section begins one.

The head is one section. «PRIMERO.-» under a heading is one of its own, unless it belongs to a list inside
another, such as the proven facts that an appeal copies. A dissenting vote is one section with all its parts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from law import labels
from law.labels import fold
from law.norms import BlockKind, Norm
from loading.formats import headings, ruling_head
from loading.formats.articles import Draft
from loading.formats.broken_lines import Paragraph
from loading.formats.criterion_facts import CONSULTATION, CRITERION
from loading.formats.ruling_facts import HONOURS, JUDGMENT, ORDER, PERSON, compact
from loading.formats.ruling_head import MAX_VALUE, despaced

HEAD_TITLE = "Encabezamiento"
HEAD_TYPE, FACTS, GROUNDS, DECISION, DISSENT = "cabecera", "hechos", "fundamentos", "fallo", "voto"
BACKGROUND, MATTER, CRITERION_TYPE, GROUND = "antecedentes", "asunto", "criterio", "fundamento"
RANKS = frozenset({JUDGMENT, ORDER, CRITERION, CONSULTATION})

_Types = Sequence[tuple[str, re.Pattern[str]]]
_NUMBERED = r"(?:[ivx]{1,4}[.)-]*)?"
_RULING: _Types = tuple(
    (kind, re.compile(_NUMBERED + words))
    for kind, words in {
        BACKGROUND: r"(?:antecedentes(?:dehecho|procesales|delcaso)?|marcojuridico|litigioprincipal.{0,60})",
        FACTS: r"(?:hechos(?:declarados)?(?:probados)?|relatofactico|resultandos?)",
        GROUNDS: r"(?:fundamentos?(?:dederecho|juridicos?|legales)?|fundamentacionjuridica|considerandos?"
        r"|razonamientosjuridicos|sobre(?:elfondo|la(?:s?|primera|segunda|tercera|cuarta)cuesti.{0,50}"
        r"|laadmisibilidad.{0,50}|lacompetencia.{0,50}|lascostas)|costas)",
        DECISION: r"(?:fallo|fallamos|partedispositiva|dispongo|lasala(?:acuerda|dispone)|acuerd[oa]|decido)",
        DISSENT: r"voto(?:particular|concurrente).*",
    }.items()
)
_CRITERION: _Types = tuple(
    (kind, re.compile(_NUMBERED + words))
    for kind, words in {
        MATTER: r"(?:asunto|supuesto|consulta|cuesti(?:on|ones)(?:planteadas?)?|antecedentes|hechos)",
        CRITERION_TYPE: r"(?:criterio(?:degestion|interpretativo|tecnico)?|respuesta|contestacion|doctrina"
        r"|conclusi(?:on|ones)|advertencia)",
        GROUND: r"(?:fundament(?:os?|acion)(?:juridic[oa]s?|dederecho)?|motivacion|normativa(?:aplicable)?)",
    }.items()
)
_CANONICAL = {
    name.replace(" ", "").lower(): name
    for name in (
        "ANTECEDENTES DE HECHO", "HECHOS PROBADOS", "FUNDAMENTOS DE DERECHO", "FUNDAMENTOS JURIDICOS",
        "RAZONAMIENTOS JURIDICOS", "PARTE DISPOSITIVA", "VOTO PARTICULAR", "LA SALA ACUERDA",
    )
}  # fmt: skip
"""Headings whose spaced capitals have lost the blanks between words."""
_LISTED = frozenset({BACKGROUND, FACTS, GROUNDS})
_LABEL = re.compile(r"(?:asunto|materia|consulta|n\S* de consulta)\s*:")
_NUMBER = re.compile(r"\d{1,4}\s?/\s?\d{2,4}\b|[A-Z]{2,}-\S+\d")
_PETITION = re.compile(r"1\.?\s+La petición de decisión prejudicial\b")
_DECLARES = re.compile(
    r"(?:en virtud de|por) todo lo expuesto,.{0,200}\b(?:declara|decide|resuelve|ha decidido)\W*", re.DOTALL
)
_FORMULATES = re.compile(
    rf"\b(?i:formulad?[oan]*|emit[ei]d?[oan]*|suscribe|que presenta|de|por) {HONOURS}{PERSON}"
)
_ALONE = re.compile(r"(?:[A-ZÁÉÍÓÚ]{5,}(?: [A-ZÁÉÍÓÚ]{5,})?)")
_PAGE = re.compile(r"[-–—] ?\d{1,4} ?[-–—](?:\s+|$)|[Pp]ágina \d{1,4}(?: de \d{1,4})?$")
_RUNNING = re.compile(r"(?P<line>\D{12,160}?) (?P<page>\d{1,4})(?=\s|$)")
_QUOTES = {"«": "»", '"': '"', "“": "”"}
_ENDED = (".", ":", ";", "»")
_UNNAMED = {BACKGROUND: "Petición de decisión prejudicial", DECISION: "FALLO"}
"""Titles of sections that begin without a heading."""


@dataclass
class Section(Draft):
    """A block under construction with its `Chunk.section_type`."""

    type: str = ""


def sections(paragraphs: Sequence[Paragraph], norm: Norm) -> list[Section]:
    """The sections of a judgment or criterion in reading order.

    Without headings a judgment is one section, and a criterion has none.
    """
    reader = _Reader(_types(norm.rank))
    cleaned = list(without_running_lines(paragraphs))
    last_ground = reader.last(cleaned, GROUNDS)
    for place, paragraph in enumerate(cleaned):
        after = cleaned[place + 1].text if place + 1 < len(cleaned) else ""
        reader.read(paragraph, after, decided=place > last_ground)
    if len(reader.sections) > 1:
        return reader.sections
    whole = Section(BlockKind.SECTION, title=norm.title, paragraphs=cleaned)
    return [whole] if reader.types is _RULING else []


def _types(rank: str) -> _Types:
    return _RULING if rank in (JUDGMENT, ORDER) else _CRITERION


def type_of(title: str, rank: str) -> str:
    """Type of a section by its title alone; empty when it names none."""
    name = compact(title.partition(" · ")[0])
    return next((kind for kind, words in _types(rank) if words.fullmatch(name)), "")


class _Reader:
    """Reads paragraphs one by one into `sections`."""

    def __init__(self, types: _Types) -> None:
        self.types = types
        self.sections = [Section(BlockKind.SECTION, title=HEAD_TITLE, type=HEAD_TYPE)]
        self._parent = ""
        self._items = _Items()

    def last(self, paragraphs: Sequence[Paragraph], kind: str) -> int:
        """The place of the last heading of this type before a vote; -1 without any."""
        kinds = [self._named(paragraph.text) for paragraph in paragraphs]
        end = kinds.index(DISSENT) if DISSENT in kinds else len(kinds)
        return max((place for place, found in enumerate(kinds[:end]) if found == kind), default=-1)

    def _named(self, text: str) -> str:
        """Type of the section whose heading a text is; empty for other text."""
        text = despaced(text)
        longest = headings.MAX_HEADING if text[:4].lower() == "voto" else headings.MAX_SECTION
        if len(text) > longest or not text[:1].isupper():
            return ""
        return next((kind for kind, words in self.types if words.fullmatch(compact(text))), "")

    def read(self, paragraph: Paragraph, after: str, *, decided: bool) -> None:
        """Add a paragraph.

        Args:
            after: the text of the next one.
            decided: True behind the heading of the last grounds; a decision before it is one that is quoted.
        """
        last = self.sections[-1]
        if kind := self._begins(paragraph, after, decided=decided):
            self._open(paragraph, after, kind)
            return
        if last.type in _LISTED and (name := self._items.begins(paragraph.text)):
            last = Section(
                BlockKind.SECTION, title=f"{self._parent} · {name}", path=(self._parent,), type=last.type
            )
            self.sections.append(last)
        last.paragraphs.append(paragraph)

    def _begins(self, paragraph: Paragraph, after: str, *, decided: bool) -> str:
        """Type of the section that a paragraph begins; empty when it goes on with the open one."""
        now, text = self.sections[-1].type, paragraph.text
        kind = self._named(text)
        if now == DISSENT:
            return kind if kind == DISSENT else ""
        if self.types is _RULING:
            if now == HEAD_TYPE and _PETITION.match(text):
                return BACKGROUND
            if decided and now == GROUNDS and _DECLARES.fullmatch(fold(text)):
                return DECISION
            return kind if kind != DECISION or decided else ""
        if not kind and paragraph.heading and now != HEAD_TYPE:
            return now
        valued = _LABEL.fullmatch(fold(text)) or _NUMBER.match(after)
        return "" if now == HEAD_TYPE and valued and len(after) <= MAX_VALUE else kind

    def _open(self, paragraph: Paragraph, after: str, kind: str) -> None:
        text = despaced(paragraph.text)
        if not self._named(text) and not paragraph.heading:
            name = _UNNAMED[kind]
        else:
            name = text.strip(" .:-–")
            name = name if " " in name else _CANONICAL.get(compact(name), name)
            paragraph = paragraph._replace(text=name)
        section = Section(BlockKind.SECTION, title=name, paragraphs=self._waiting(kind), type=kind)
        if kind == DISSENT:
            section.title = _vote(text, after)
        section.paragraphs.append(paragraph)
        self._parent, self._items = section.title, _Items()
        self.sections.append(section)

    def _waiting(self, kind: str) -> list[Paragraph]:
        """The heading of the same type that has no text of its own: the new one is under it."""
        last = self.sections[-1]
        if last.type != kind or [paragraph.text for paragraph in last.paragraphs] != [last.title]:
            return []
        return self.sections.pop().paragraphs


def _vote(text: str, after: str) -> str:
    """«VOTO PARTICULAR · Marina del Faro», when its heading, of one or two lines, says whose it is."""
    more = after[:MAX_VALUE] if fold(after).startswith(("que ", "formul", "emit", "del ", "de la ")) else ""
    voter = _FORMULATES.search(f"{text} {more}")
    opening = " ".join(text.split()[:2])
    return f"{opening} · {ruling_head.titled(voter['name'])}" if voter else opening


class _Items:
    """Tells the items «PRIMERO.-», «SEGUNDO.-»… of a section from those of a list inside one of them."""

    def __init__(self) -> None:
        self._last = self._inner = 0
        self._capitals = self._alike = False
        self._closing = ""

    def begins(self, text: str) -> str:
        """«Primero» when the text begins an item of the section; empty for other text."""
        if self._in_quotes(text):
            return ""
        value, name = _ordinal(text) or (0, "")
        alike = not self._last or name.isupper() == self._capitals
        goes_on = self._inner and value == self._inner + 1
        if alike and value > self._last and not (goes_on and self._alike):
            self._last, self._inner, self._capitals = value, 0, name.isupper()
            return name.capitalize()
        if value == 1:
            self._inner, self._alike = 1, alike
        elif goes_on:
            self._inner = value
        return ""

    def _in_quotes(self, text: str) -> bool:
        """True for each paragraph of a quotation that begins with an item."""
        if not self._closing and text[:1] in _QUOTES and _ordinal(text[1:]):
            self._closing = _QUOTES[text[0]]
        inside = bool(self._closing)
        if inside and text.rstrip(" .;").endswith(self._closing):
            self._closing = ""
        return inside


def _ordinal(text: str) -> tuple[int, str] | None:
    """The value of «SEGUNDO.-» that a paragraph begins with, and its name; also alone on its line."""
    marked = headings.ordinal(text)
    name = text[: marked.length].strip(" .-:–") if marked else text.rstrip(" .:-–")
    if marked is None and not _ALONE.fullmatch(name):
        return None
    value = labels.number(fold(name))
    if value is None:
        return (1, name) if fold(name) in ("unico", "unica") else None
    return (value[0], name) if value[1] == len(name) else None


def without_running_lines(paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """The paragraphs without marks of pages and lines that pages repeat with their number.

    What such a line divided is one paragraph again.
    """
    running = _running(paragraphs)
    open_one: Paragraph | None = None
    broken = False
    for paragraph in paragraphs:
        rest = _cleaned(paragraph, running)
        broken = broken or not rest.text or not paragraph.text.startswith(rest.text)
        if not rest.text or rest.text == "JURISPRUDENCIA":
            continue
        if broken and open_one and rest.text[:1].islower() and not open_one.text.endswith(_ENDED):
            open_one = _joined((open_one, rest))
        else:
            if open_one:
                yield open_one
            open_one = rest
        broken = False
    if open_one:
        yield open_one


def _pieces(paragraph: Paragraph) -> Iterator[Paragraph]:
    """The part of a paragraph on each of its pages; the whole of one without pages."""
    starts = [*paragraph.pages, (len(paragraph.text), 0)]
    if not paragraph.pages:
        yield paragraph
    for (start, page), (end, _) in pairwise(starts):
        yield paragraph._replace(text=paragraph.text[start:end].strip(), pages=((0, page),))


def _running(paragraphs: Sequence[Paragraph]) -> set[str]:
    """The lines that pages begin with, followed by the number of the page, on two pages or more."""
    seen: dict[tuple[str, int], set[int]] = {}
    for piece in (piece for paragraph in paragraphs if paragraph.pages for piece in _pieces(paragraph)):
        if found := _RUNNING.match(piece.text):
            page = piece.pages[0][1]
            seen.setdefault((found["line"], int(found["page"]) - page), set()).add(page)
    return {line for (line, _), pages in seen.items() if len(pages) > 1}


def _cleaned(paragraph: Paragraph, running: set[str]) -> Paragraph:
    """The paragraph without the marks and lines that pages begin with."""
    pieces = [piece._replace(text=_unmarked(piece.text, running)) for piece in _pieces(paragraph)]
    kept = [piece for piece in pieces if piece.text]
    return _joined(kept) if kept else paragraph._replace(text="")


def _unmarked(text: str, running: set[str]) -> str:
    mark = _PAGE.match(text) or _RUNNING.match(text)
    if mark is None or (mark.re is _RUNNING and mark["line"] not in running):
        return text
    return text[mark.end() :].lstrip()


def _joined(pieces: Sequence[Paragraph]) -> Paragraph:
    """Pieces as one paragraph, with the offset of each page."""
    text = ""
    pages: dict[int, int] = {}
    for piece in pieces:
        start = len(text) + bool(text)
        text = f"{text} {piece.text}" if text else piece.text
        for at, page in piece.pages:
            pages.setdefault(page, start + at)
    return pieces[0]._replace(text=text, pages=tuple((at, page) for page, at in pages.items()))
