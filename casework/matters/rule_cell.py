"""One cell of a review table without a model: the sentence of a document that answers a question, or none."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from casework.matters.paper_fragments import Fragment
from core.values import Value
from law.provision_reading import read_provision
from lexicon.paper_fields import field_of
from rag.answers import paper_lines as facts
from text.rows import is_rule

Line = facts.Line[Fragment]
LONGEST = 1500
"""Characters of a quotation, at most."""


class Told(Value):
    """Statement of a document about a question.

    Attributes:
        answer: the part of the quotation that answers, or all of it; letter by letter.
        quote: letter by letter from the fragment of that number.
        page: None in a format without pages.
        rival: another sentence that may answer too and says something else, empty if none does.
    """

    answer: str
    quote: str
    fragment: int
    page: int | None = None
    rival: str = ""


def answering_sentence(question: str, lines: Sequence[Line]) -> Told | None:
    """The sentence of a document that answers best; None when none is likely to: it «no consta»."""
    found = facts.stated(question, lines)
    if not found:
        return None
    kind = facts.asked_kind(question)
    answers = [facts.value_told(one.line, one.at, kind) for one in found]
    answer, best = answers[0], found[0].line
    others = (at for at, says in enumerate(answers) if facts.differs(says, answer, kind))
    rival = next((found[at].line.text for at in others), "")
    if rival:
        # Neither value alone: which of the two counts is for a reader of both.
        answer = best.text.strip("| ")
    return Told(answer=answer, quote=best.text, fragment=best.place.number, page=best.place.page, rival=rival)


def nearest(question: str, lines: Sequence[Line], most: int) -> list[Fragment]:
    """The fragments that hold most of the question's words, at most `most`, in reading order."""
    field = field_of(question)
    wanted = facts.fact_words(question)
    weigh = facts.rarities(wanted, lines)
    score: defaultdict[int, float] = defaultdict(float)
    for one in lines:
        cues = sum(bool(cue.search(one.said)) for cue in field.says) if field else 0
        score[one.place.number] += cues + sum(weigh[stem] for stem in facts.held_by(wanted, one))
    known = {one.place.number: one.place for one in lines}
    best = sorted(score, key=lambda number: (-score[number], number))[:most]
    return [known[number] for number in sorted(best)]


def lines_of(fragments: Iterable[Fragment]) -> Iterator[Line]:
    """Each sentence once: fragments of a long page repeat the end of the one before them."""
    return facts.read_lines(_sentences(fragments))


def _sentences(fragments: Iterable[Fragment]) -> Iterator[tuple[Fragment, str]]:
    seen: set[str] = set()
    for fragment in fragments:
        provision = read_provision(fragment.text)
        for one in provision.sentences:
            text = provision.said(one)
            if not is_rule(text) and len(text) <= LONGEST and text not in seen:
                seen.add(text)
                yield fragment, text
