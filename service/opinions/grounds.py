"""The grounds of an opinion: what each answer shows first, each passage once, with a note and its link."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import Protocol

from core.values import Value
from law.norms import DOCUMENT, Block, Norm
from rag.answers.aside import without_aside
from rag.answers.paper_passages import HEAD, LAW_HEAD
from rag.answers.quotation_check import quoted
from rag.answers.quoted_words import in_marks
from rag.answers.verbatim import locate, typeset
from rag.shared.cited_answer import Answer, Citation, Source
from service.opinions.content import NO_NOTE, Cite, Element, Note, Paragraph, Style, Words, line, marked
from service.opinions.references import address, named, reference
from text.markers import keep_markers, markers
from text.rows import row_in_words, ruled
from text.segmentation import is_row, sentences

TOLD = "Vale también aquí lo citado en el fundamento {number}: {place}."
TRANSCRIBED = "Lo que dispone el texto transcrito en el fundamento {number}."
REMARK = "Observación: {said}"
MODEL = "model"
_NAME = re.compile(r"\*\*[^*\n]+\*\* ")
_APARTADO = re.compile(r"^«\d{1,2}\. ")


class Consulted(Value):
    """A question with its stored answer.

    Attributes:
        as_of: the day whose law the answer states.
        asked_on: the day in Spain on which it was asked.
        accepted: a person takes it for the conclusions.
        reviewed: who found it right and when, in Spanish; empty if nobody did.
    """

    question: str
    answer: Answer
    as_of: date
    asked_on: date
    accepted: bool = False
    reviewed: str = ""


class Law(Protocol):
    """The stored texts that an opinion names."""

    def norm(self, norm_id: str) -> Norm | None: ...

    def block(self, norm_id: str, block_id: str) -> Block | None: ...


class Grounds:
    """The passages of the answers of one opinion, which knows those that it has told."""

    def __init__(self, law: Law) -> None:
        self._norm: Callable[[str], Norm | None] = cache(law.norm)
        self._block: Callable[[str, str], Block | None] = cache(law.block)
        self.note: Callable[[tuple[Source, ...]], Note] = cache(self._note)
        self._told: dict[str, int] = {}

    def of(self, number: int, answer: Answer) -> Iterator[Element]:
        """Those of an answer; of passages that an earlier ground has, the provision is named."""
        earlier: dict[str, int] = {}
        lines = [one for each in _paragraphs(answer) for one in self._new(each, number, answer, earlier)]
        yield from marked("\n".join(_tables(lines, answer)), self._cite(answer))
        for one in _loose(answer):
            if ground := self._earlier([one.quote], number):
                earlier[named([one], *self._stored(one))] = ground
            else:
                yield line(quoted(one), Style.QUOTE, self.note((one,)))
        yield from (line(TOLD.format(number=ground, place=place)) for place, ground in earlier.items())
        new = (one for one in _remarks(answer) if not self._earlier([one], number))
        yield from (line(REMARK.format(said=one), Style.REMARK) for one in new)

    def conclusion(self, number: int, answer: Answer, drafted: str = "") -> Paragraph:
        """The drafted text, or what an answer says first: of an extract a passage, of a model a sentence."""
        first, *more = next(iter(_paragraphs(answer)), [""])
        said, place = _NAME.sub("", first), ""
        if answer.mode == MODEL:
            said = next((said[span.start : span.end] for span in sentences(said)), "").replace("**", "")
        elif sources := _near(answer, next(iter(markers(" ".join([first, *more]))), ""), said):
            place = f" ({named(sources, *self._stored(sources[0]))})"
            said = TRANSCRIBED.format(number=number) if more and ":»" in said else said
        found = marked(drafted or said, self._cite(answer))
        words = found[0].words if found and isinstance(found[0], Paragraph) else ()
        plain = (one.model_copy(update={"text": _APARTADO.sub("«", one.text)}) for one in words)
        return Paragraph(style=Style.BULLET, words=(Words(text=f"Cuestión {number}{place}. "), *plain))

    def _stored(self, source: Source) -> tuple[Norm | None, Block | None]:
        return self._norm(source.norm_id), self._block(source.norm_id, source.block_id)

    def _note(self, sources: tuple[Source, ...]) -> Note:
        norm, block = self._stored(sources[0])
        return Note(reference(sources, norm, block), address(sources[0], norm))

    def _cite(self, answer: Answer) -> Cite:
        def note(marker: str, before: str) -> Note:
            sources = _near(answer, marker, before)
            return self.note(sources) if sources else NO_NOTE

        return note

    def _new(self, lines: list[str], number: int, answer: Answer, earlier: dict[str, int]) -> list[str]:
        """The lines of a paragraph that no earlier ground has, after its name; a table stays whole."""
        name, new = _NAME.match(lines[0]), list[str]()
        for unit in [lines] if any("«" not in one for one in lines) else [[one] for one in lines]:
            ground = 0 if answer.mode == MODEL else self._earlier(_passages(unit), number)
            if not ground:
                new += unit
            elif sources := _near(answer, "".join(markers(unit[-1])[:1]), unit[-1]):
                earlier[named(sources, *self._stored(sources[0]))] = ground
        return [f"{name[0]}{new[0]}", *new[1:]] if name and new and new[0] != lines[0] else new

    def _earlier(self, passages: Iterable[str], number: int) -> int:
        """The ground before this one that has these passages; 0 if one of them is new."""
        tellers = {self._told.setdefault(typeset(one).strip(), number) for one in passages}
        return 0 if number in tellers else min(tellers, default=0)


def of_papers(answer: Answer) -> list[Citation]:
    """Quotations of the papers that stand in an extract beside the law: what they tell are facts."""
    papers = [one for one in answer.citations if one.collection == DOCUMENT]
    return papers if answer.mode != MODEL and len(papers) < len(answer.citations) else []


def _paragraphs(answer: Answer) -> list[list[str]]:
    """The lines of each paragraph that is shown first, without `of_papers`."""
    papers = {one.marker for one in of_papers(answer)}
    found = [one.splitlines() for one in without_aside(answer.answer)[0].split("\n\n")]
    lines = [[one for one in paragraph if one.strip() not in ("", HEAD, LAW_HEAD)] for paragraph in found]
    return [one for one in lines if one and not papers & {*markers(" ".join(one))}]


def _remarks(answer: Answer) -> Iterator[str]:
    """Those of the answer, of an extract without those on a norm that it does not show."""
    shown, _ = without_aside(answer.answer)
    for one in filter(None, (note.strip(" -•") for note in (answer.notes or "").splitlines())):
        norm, mark, rest = one.partition(" · ")
        if not mark or answer.mode == MODEL or f"{norm}, " in shown:
            yield f"{norm}, {rest}" if mark else one


def _near(answer: Answer, marker: str, before: str) -> tuple[Source, ...]:
    """Sources of a marker: of several quotations of an article, those right before it."""
    sources = [one for one in (*answer.citations, *answer.sources) if one.marker == marker]
    near = [one for one in sources if isinstance(one, Citation) and locate(one.quote, before)]
    return tuple(near or sources)


def _passages(lines: Iterable[str]) -> Iterator[str]:
    """Quotations of the lines of an extract, and the rows that they say in words."""
    for one in lines:
        quotes = [one[start:end] for start, end in in_marks(one)]
        yield from quotes or ([keep_markers(_NAME.sub("", one), ())] if markers(one) else [])


def _loose(answer: Answer) -> list[Citation]:
    """Quotations that a model's text does not repeat."""
    cited = answer.citations if answer.mode == MODEL else ()
    return list({one.quote: one for one in cited if locate(one.quote, answer.answer) is None}.values())


def _tables(lines: Sequence[str], answer: Answer) -> Iterator[str]:
    """The lines, with rows that are said in words as rows of their table; its last one has the markers."""
    said = [keep_markers(_NAME.sub("", one), ()).strip() for one in lines]
    tables: dict[str, tuple[str, list[str]]] = {}
    header: list[str] = []
    for row in (one.quote.strip() for one in answer.citations if is_row(one.quote)):
        words = row_in_words(row, header, ())
        if words in said:
            tables[words] = row, header
        else:
            header = [row]
    over: list[str] | None = None
    for one, words, after in zip(lines, said, [*said, ""][1:], strict=True):
        row, own = tables.get(words, (one, None))
        if own is not None and own is not over:
            yield from (name.rstrip() for name in _NAME.findall(one))
            yield from ruled(own)
        last = own is not None and tables.get(after, ("", None))[1] is not own
        yield f"{row[:-1]}{''.join(f'[{marker}]' for marker in markers(one))}|" if last else row
        over = own
