"""The passages chosen as an answer: a paragraph a source, with marks, markers and citations."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from law.provision_reading import read_provision
from rag.answers.aside import with_aside
from rag.answers.passage_selection import Passage
from rag.answers.quotation_widening import before, lead, turns, widened
from rag.shared.answer_contract import ANSWER_MAX, QUOTE_MAX, QUOTE_MIN, Draft, DraftCitation
from rag.shared.hits import Hit
from rag.shared.state import State
from text import rows
from text.segmentation import is_row

CUT = "(…)"
# Characters of the names of the sources, and of the marks around a passage.
HEADING, MARKS = 200, 20
GOES_ON = "El texto es más largo que una respuesta: véalo entero en la fuente."
OUTLINE = "El texto es más largo que una respuesta: se da el comienzo de cada apartado; véalo en la fuente."
_APARTADO = re.compile(r"\d+(?: (?:bis|ter|qu\w+))?\. ?[^\W_º]")


def whole_text(passages: list[Passage], state: State, limit: int) -> Draft:
    """The text of a provision, up to `limit` characters; of a longer one the beginning of each apartado.

    A note tells that it goes on.
    """
    kept = _that_fit(passages, state, limit)
    note = None if len(kept) == len(passages) else GOES_ON
    begins = {one.quotes[0]: one for one in reversed(passages) if _APARTADO.match(one.quotes[0])}
    apartados = [one for one in passages if begins.get(one.quotes[0]) is one]
    if note and len(apartados) > 1:
        kept, note = _that_fit(apartados, state, limit), OUTLINE
    written = draft(kept or passages[:1], state, state.rule_confidence, limit, whole=True)
    return written.model_copy(update={"notes": note}) if note else written


def _that_fit(passages: Sequence[Passage], state: State, limit: int) -> list[Passage]:
    """The first passages whose text is not too long for an answer."""
    hits = state.context.hits
    sizes = (_size(completed(one, hits[one.hit].chunk.text, whole=True)) for one in passages)
    ends = zip(passages, accumulate(sizes), strict=True)
    return [one for one, end in ends if end <= limit - HEADING]


def _size(passage: Passage, told: Collection[str] = ()) -> int:
    return sum(len(one) for one in (*passage.outer, *passage.quotes) if one not in told) + MARKS


def draft(
    passages: list[Passage], state: State, confidence: float, limit: int = ANSWER_MAX, *, whole: bool = False
) -> Draft:
    """The passages as an answer, a paragraph a provision, with their citations; a refusal without any.

    The provision of the best passage comes first, and that passage first of it; the others stand as they do
    in the law. Passages `aside` follow under a heading of their own.

    Args:
        whole: see `completed`.
    """
    citations: dict[tuple[int, str], DraftCitation] = {}
    provisions: dict[tuple[bool, str], list[Passage]] = {}
    told: set[tuple[int, str]] = set()
    used = HEADING
    for one in passages:
        chunk = state.context.hits[one.hit].chunk
        # A text that is given whole has all its sentences, also one that it says twice.
        said = [] if whole else [quote for hit, quote in told if hit == one.hit]
        passage = completed(one, chunk.text, whole=whole)
        if repeated := max((quote for quote in said if _begins(passage, quote)), key=len, default=""):
            rest = passage.text[len(repeated) :].lstrip()
            start = passage.start + len(passage.text) - len(rest)
            passage = replace(passage, start=start, text=rest)
        elif not is_row(one.text) and any(passage.text in quote for quote in said):
            continue
        # What stands over several rows is said once.
        size = _size(passage, {quote for hit, quote in told if hit == one.hit})
        if provisions and used + size > limit:
            continue
        used += size
        told.update((passage.hit, quote) for quote in passage.quotes)
        provisions.setdefault((passage.aside, _heading(state.context.hits[one.hit])), []).append(passage)
        for quote in one.quotes:
            if whole and not QUOTE_MIN <= len(quote) <= QUOTE_MAX:
                continue
            holder = _holder(quote, passage.hit, state)
            found = DraftCitation(quote=quote, source=chunk.law, marker=state.context.marker(holder))
            citations.setdefault((holder, quote), found)
    # A text that is given whole is read as the law has it, a stretch a paragraph.
    between = "\n\n" if whole else "\n"
    if not provisions:
        return Draft(answer="No hay frases que citar.", confidence=0.0, refusal=True)
    return Draft(
        answer=with_aside(
            [_told(name, found, state, between) for (aside, name), found in provisions.items() if not aside],
            [_told(name, found, state, between) for (aside, name), found in provisions.items() if aside],
        ),
        citations=list(citations.values()),
        confidence=confidence,
        refusal=False,
    )


def _begins(passage: Passage, said: str) -> bool:
    """True for a passage that goes on with sentences after what is said already."""
    return len(said) < len(passage.text) and passage.text.startswith(said) and not is_row(passage.text)


def _told(heading: str, passages: list[Passage], state: State, between: str) -> str:
    """The passages of one provision after its name; what announces a list or stands over a table, once.

    The list that the first one is of goes on after it.
    """
    context = state.context
    first, *others = passages
    listed = list(takewhile(lambda one: first.lead and one.lead == first.lead, others))
    runs = (listed, others[len(listed) :])
    in_order = [sorted(run, key=lambda one: context.hits[one.hit].chunk.start + one.start) for run in runs]
    parts: list[str] = []
    told: set[str] = set()
    over: list[str] = []
    for passage in [first, *in_order[0], *in_order[1]]:
        captions = rows.captions(passage.headers)
        shown = passage
        if captions == over:
            shown = replace(passage, headers=passage.headers[len(captions) :])
        over = captions or over
        quoted = quoted_passage(shown, context.hits[passage.hit].chunk.text, told)
        parts.append(f"{quoted} [{context.marker(passage.hit)}]")
        told |= {*passage.outer, passage.lead}
    return f"{heading} {between.join(parts)}"


def _heading(hit: Hit) -> str:
    """The name of a provision in bold, with the days of a wording of another day."""
    chunk = hit.chunk
    validity = f" (vigente {chunk.in_force})" if hit.day else ""
    return f"**{chunk.alias or chunk.law}, {chunk.section.rstrip('. ')}{validity}.**"


def _holder(quote: str, hit: int, state: State) -> int:
    """The hit, or the part of its article that has the header of the table it goes on with."""
    hits = state.context.hits
    if quote in hits[hit].chunk.text:
        return hit
    own = hits[hit].chunk.wording_key
    return next((i for i, h in enumerate(hits) if h.chunk.wording_key == own and quote in h.chunk.text), hit)


def completed(passage: Passage, text: str, *, whole: bool = False) -> Passage:
    """The passage with what turns it: the rest of its sentence, and the announcements of the lists around.

    The rest is what its citation takes in too, and so is each announcement.

    Args:
        whole: True for all of its sentence and every announcement, also those that turn nothing.
    """
    if is_row(passage.text):
        return passage
    start, end = passage.start, passage.start + len(passage.text)
    outer: list[str] = []
    inside = (start, end)
    provision = read_provision(text)
    while announcing := lead(provision, *inside):
        inside = announcing
        said = text[slice(*announcing)]
        if (whole or turns(said)) and said != passage.lead:
            outer.insert(0, said)
    if passage.cut:
        _, end = widened(provision, start, end, len(text))
    cut = passage.cut and end == start + len(passage.text)
    opens = start if whole or passage.lead else before(provision, start)
    return replace(passage, start=opens, text=text[opens:end], cut=cut, outer=tuple(outer))


def quoted_passage(passage: Passage, text: str = "", told: Collection[str] = ()) -> str:
    """A passage between quotation marks, with «(…)» where words of `text` are left out.

    A row is said in words, after the captions of its table.

    Args:
        told: announcements that need not be said again.
    """
    if is_row(passage.text):
        over = [f"«{caption}»" for caption in rows.captions(passage.headers)]
        return "\n".join([*over, rows.row_in_words(passage.text, passage.headers, passage.columns)])
    quoted = f"{_in_marks(passage.text)}{f' {CUT}' if passage.cut else ''}"
    after = passage.text
    for one in filter(None, (passage.lead, *reversed(passage.outer))):
        if one not in told:
            together = f"{one}\n{after}" in text
            quoted = f"{_in_marks(one)} {'' if together else f'{CUT} '}{quoted}"
            after = one
    return quoted


def _in_marks(text: str) -> str:
    """A text on one line in its marks, and those of its own that a neighbouring sentence opens or closes."""
    text = " ".join(text.split())
    opened = closed = 0
    for mark in re.findall("[«»]", text):
        if mark == "«":
            opened += 1
        elif opened:
            opened -= 1
        else:
            closed += 1
    straight = '"' * (text.count('"') % 2)
    return f"«{'«' * closed}{text}{straight}{'»' * opened}»"
