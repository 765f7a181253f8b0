"""The text of a provision that a question asks for, whole: «dame el texto del artículo 49.1.c) ET»."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from law.chunks import Chunk
from law.mentions import find
from rag.answers.passage_selection import Found, Passage
from text.lists import members
from text.numerals import ORDINALS
from text.segmentation import Span, Unit, apartados, is_row, sentences

_ASKS_TEXT = re.compile(
    r"\b(?:texto|tenor|literal\w*|[ií]ntegr\w+|transcr[ií]\w+|reprod[uú]\w+|c[oó]pia\w*|d[aeé]me"
    r"|mu[eé]str[ae]\w*|ens[eé][ñn][ae]\w*)\b",
    re.I,
)
_LETTER = re.compile(
    r"\bletras? (?P<named>[a-zñ])\b|\d(?: (?:bis|ter|quater))?(?:\.|\.? (?=[a-zñ]\)))(?P<joined>[a-zñ])\b",
    re.I,
)
_NUMBER = re.compile(r"\b[a-zñ]\)?[.,]? ?(?:n[úu]mero )?(?P<number>\d{1,2})\.?[ºª°]", re.I)
# «1.La duración…»: the number of an apartado without the space after it.
_CLOSE = re.compile(r"^(\d{1,2}\.)[A-ZÁÉÍÓÚÑ]", re.M)
_PLACE = rf"(?P<place>{'|'.join(ORDINALS)}|[úu]ltim)"
_PARAGRAPHS = (
    re.compile(rf"\bp[áa]rrafo {_PLACE}o\b", re.I),
    re.compile(rf"\b{_PLACE}o? p[áa]rrafo\b", re.I),
)


def asked_text(question: str, named: Sequence[Found]) -> list[Passage]:
    """The passages of the named provision, in their order, if its text is asked for; else none.

    All of an article is given for a part that it does not have.

    Args:
        named: the stretches of the provisions that the question cites.
    """
    if not named or not _ASKS_TEXT.search(question):
        return []
    asked = {item.label: item.apartado for mention in reversed(find(question)) for item in mention.items}
    passages: list[Passage] = []
    for article in dict.fromkeys(one.hit.chunk.article for one in named):
        found = [one for one in named if one.hit.chunk.article == article]
        part = _part(question, asked.get(found[0].hit.chunk.label))
        passages += _of_article(sorted(found, key=_start), part, question)
    return passages


def _start(one: Found) -> int:
    """Where a stretch begins in its wording."""
    return one.hit.chunk.start + one.piece.start


def _of_article(found: Sequence[Found], part: Sequence[str], question: str) -> list[Passage]:
    """The stretches of one part of an article; its parts may repeat sentences, which are given once.

    Numbers and announcements are read in the joined text: a later chunk begins in the middle of a list.
    """
    text = _joined({one.index: one.hit.chunk for one in found}.values())
    leads = {member.start: member.lead for member in members(text)}
    units = apartados(_CLOSE.sub(r"\1 ", text))

    asked = [range(unit.start, unit.end) for unit in _of_part(units, part)]
    of_part = [one for one in found if any(_start(one) in one_unit for one_unit in asked)]
    inside = _of_paragraph(of_part or found, text, question)
    used = {leads[start] for one in inside if (start := _start(one)) in leads}
    said = {lead for one in inside if (lead := leads.get(_start(one))) and _holds(one, lead)}
    passages = [(_start(one), one.passage(1.0)) for one in inside]
    apart = [*used - said]
    if len(inside) > 1:
        apart += _unquoted(text, inside, [span for span in sentences(text) if span not in used])
    for span in apart:
        for holder in [one for one in found if _holds(one, span)][:1]:
            start = span.start - holder.hit.chunk.start
            passages.append((span.start, Passage(holder.index, start, text[slice(*span)], 1.0)))
    return _each_once(sorted(passages, key=lambda pair: pair[0]))


def _unquoted(text: str, inside: Sequence[Found], spans: Iterable[Span]) -> list[Span]:
    """The sentences between the first and the last stretch that none of them has: «La fórmula es:»."""
    covered = [range(start := _start(one), start + len(one.piece.text)) for one in inside]
    first, last = min(covered, key=lambda one: one.start), max(covered, key=lambda one: one.stop)
    return [
        span
        for span in spans
        if first.start < span.start < last.start
        and not is_row(text[slice(*span)])
        and not any(span.start in one for one in covered)
    ]


def _each_once(passages: Iterable[tuple[int, Passage]]) -> list[Passage]:
    """The passages without what the one before them has said."""
    kept: list[Passage] = []
    reached = 0
    for start, passage in passages:
        new = passage.text[max(0, reached - start) :].lstrip()
        if new:
            moved = passage.start + len(passage.text) - len(new)
            kept.append(replace(passage, start=moved, text=new))
        reached = max(reached, start + len(passage.text))
    return kept


def _holds(one: Found, span: Span) -> bool:
    return one.hit.chunk.start <= span.start and span.end <= one.hit.chunk.end


def _joined(chunks: Iterable[Chunk]) -> str:
    """The wording as far as these parts of it have it."""
    text = ""
    for chunk in sorted(chunks, key=lambda chunk: chunk.start):
        text = text[: chunk.start].ljust(chunk.start, "\n") + chunk.text
    return text


def _of_part(units: Sequence[Unit], part: Sequence[str]) -> list[Unit]:
    """The units of a part; none where a list inside it counts from 1 again, as the apartados do."""
    places = [place for place, unit in enumerate(units) if _is_of(unit.label, part)]
    if not places or not part or not part[0]:
        return [units[place] for place in places]
    after = places[-1] + 1
    tops = [int(found[0]) if (found := re.match(r"\d+", unit.top)) else 0 for unit in units]
    again = after < len(units) and tops[after] < tops[places[-1]]
    apart = after - places[0] > len(places)
    return [] if again or apart else [units[place] for place in places]


def _is_of(label: str, part: Sequence[str]) -> bool:
    """True for a stretch of that part; a letter alone is one of any apartado."""
    own = label.split(".")
    if part and part[0] == "":
        return any(own[place : place + len(part) - 1] == list(part[1:]) for place in range(len(own)))
    return own[: len(part)] == list(part)


def _of_paragraph(inside: Sequence[Found], text: str, question: str) -> Sequence[Found]:
    """The stretches of the paragraph that is asked for: «párrafo segundo»; all without one."""
    asked = next(filter(None, (pattern.search(question) for pattern in _PARAGRAPHS)), None)
    if asked is None:
        return inside
    lines = [text.count("\n", 0, _start(one)) for one in inside]
    order = list(dict.fromkeys(lines))
    stem = asked["place"].lower()
    place = ORDINALS.index(stem) if stem in ORDINALS else len(order) - 1
    if place >= len(order):
        return inside
    return [one for one, line in zip(inside, lines, strict=True) if line == order[place]]


def _part(question: str, apartado: str | None) -> list[str]:
    """The path of the part asked for, ['1', 'c'], with '' for an apartado that is left open; [] for none."""
    letter = _LETTER.search(question)
    if letter is None:
        return [apartado] if apartado else []
    number = _NUMBER.search(question, letter.start())
    path = [apartado or "", (letter["named"] or letter["joined"]).lower()]
    return [*path, number["number"]] if number else path
