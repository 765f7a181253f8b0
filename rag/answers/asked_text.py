"""The part of an article that a question names: its text, if it is asked for, or that it is repealed."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from law.chunks import Chunk
from law.labels import is_gone
from law.parts import parts_at, whole_part
from law.provision import Part, Provision
from law.provision_reading import read_provision, without_mark
from rag.answers.passage_selection import Found, Passage
from rag.question.understanding import Understanding
from text.segmentation import Span

TOLD = "{name}: {part} dice «{text}» en el texto aplicado."


def asked_text(read: Understanding, named: Sequence[Found]) -> list[Passage]:
    """The passages of the named provision, in their order, if its text is asked for; else none.

    All of an article is given for a part that it does not have.

    Args:
        named: the stretches of the provisions that the question cites.
    """
    if not read.text_asked:
        return []
    asked = {part.label: part.path for part in reversed(read.parts)}
    passages: list[Passage] = []
    for article in dict.fromkeys(one.hit.chunk.article for one in named):
        found = [one for one in named if one.hit.chunk.article == article]
        part = asked.get(found[0].hit.chunk.label, ())
        passages += _of_article(sorted(found, key=_start), part)
    return passages


def _start(one: Found) -> int:
    """Where a stretch begins in its wording."""
    return one.hit.chunk.start + one.piece.start


def _of_article(found: Sequence[Found], part: Sequence[str]) -> list[Passage]:
    """The stretches of one part of an article; its parts may repeat sentences, which are given once.

    Numbers and announcements are read in the joined text: a later chunk begins in the middle of a list.
    """
    text = _joined({one.index: one.hit.chunk for one in found}.values())
    provision = read_provision(text)
    leads = {block.start: block.lead for block in provision.blocks if block.lead}
    asked: Sequence[Part] = whole_part(provision, part)
    if not any(_within(asked, _start(one)) for one in found):
        asked = provision.parts
    inside = [one for one in found if _within(asked, _start(one))]
    used = {leads[start] for one in inside if (start := _start(one)) in leads}
    said = {lead for one in inside if (lead := leads.get(_start(one))) and _holds(one, lead)}
    passages = [(_start(one), one.passage(1.0)) for one in inside]
    apart = [*used - said]
    if len(inside) > 1:
        apart += [span for span in _unquoted(provision, inside, used) if _within(asked, span.start)]
    for span in apart:
        for holder in [one for one in found if _holds(one, span)][:1]:
            start = span.start - holder.hit.chunk.start
            passages.append((span.start, Passage(holder.index, start, text[slice(*span)], 1.0)))
    return _each_once(sorted(passages, key=lambda pair: pair[0]))


def _within(parts: Iterable[Part], place: int) -> bool:
    return any(part.start <= place < part.end for part in parts)


def _unquoted(provision: Provision, inside: Sequence[Found], used: Set[Span]) -> list[Span]:
    """The sentences between the first and the last stretch that none of them has: «La fórmula es:»."""
    covered = [range(start := _start(one), start + len(one.piece.text)) for one in inside]
    first, last = min(covered, key=lambda one: one.start), max(covered, key=lambda one: one.stop)
    between = (one for one in provision.sentences if first.start < one.start < last.start)
    return [
        one.span
        for one in between
        if not one.tabular and one.span not in used and not any(one.start in piece for piece in covered)
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


def emptied(path: Sequence[str], text: str, name: str) -> str:
    """The Spanish note if the part of an article that a question asks about has no text any more; else ''.

    Args:
        path: of the part, as `AskedPart` has it.
        text: of the article, as it applies; `name` of it, for the note.
    """
    provision = read_provision(text)
    found = parts_at(provision, path) if path else []
    gone = [without_mark(provision.said(part)).strip() for part in found]
    if not found or not all(map(is_gone, gone)):
        return ""
    part = f"su letra {path[1]})" if path[1:] else f"su apartado {path[0]}"
    return TOLD.format(name=name, part=part, text=gone[0])
