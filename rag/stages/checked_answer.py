"""The answer after the checks of its length, markers and quotation marks, with the findings of all checks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from law.chunks import Chunk
from law.holdings import Holdings
from law.norms import DOCUMENT
from rag.answers.figure_check import Figures
from rag.answers.quotation_check import REPEATED, normalise_markers, read_length
from rag.answers.quoted_words import without_false_marks, without_seals
from rag.shared.cited_answer import Citation
from rag.shared.hits import Hit
from rag.shared.state import Services, State
from rag.shared.trace import CitationCheck
from rag.stages.sentences import Held
from text.legible import legible
from text.links import without_links
from text.markers import keep_markers, markers


@dataclass(frozen=True)
class Checked:
    """An answer to the state's question, and the findings of its checks.

    Attributes:
        text: without its doubts.
        cited: the fragments named by its quotations, its text and its own note, in that order.
        cut: characters that it was cut to; 0 if it was not.
        unknown: markers, taken out, of no text that was read.
        unquoted: words that it presented as a quotation and that are none.
        checks: of its quotations, each once.
    """

    state: State
    holdings: Holdings
    text: str
    cited: Sequence[Hit] = ()
    cut: int = 0
    unknown: Sequence[str] = ()
    unquoted: Sequence[str] = ()
    checks: Sequence[CitationCheck] = ()
    figures: Figures = field(default_factory=Figures)
    by_model: bool = False
    held: Held = field(default_factory=lambda: Held(""))

    @property
    def chunks(self) -> list[Chunk]:
        return [hit.chunk for hit in self.cited]


def settled(
    citations: Sequence[Citation], checks: Sequence[CitationCheck], state: State, services: Services
) -> Checked:
    """The answer after the checks of length, markers, marks and seals, which its own note has too.

    A marker of any fragment of the context stays.
    """
    limit, known = services.profile.answer_chars, state.context.marked
    text = normalise_markers(
        without_seals(without_links(legible(state.draft.answer).text)), _documents(state)
    )
    if is_long := read_length(text) > limit:
        text = shorten(text, limit)
    unknown = [marker for marker in markers(text) if marker not in known]
    text = keep_markers(text, known)
    named = dict.fromkeys(
        [*(one.marker for one in citations), *markers(f"{text}\n{state.draft.notes or ''}")]
    )
    cited = {marker: known[marker] for marker in named if marker in known}
    quotable = {marker: [hit.chunk.text] for marker, hit in cited.items()}
    asked = (turn.text for turn in state.history if turn.role == "user")
    names = (name for hit in cited.values() for name in (hit.chunk.law, hit.chunk.section))
    also = [state.question, *asked, *names, *state.context.titles.values()]
    text, unquoted = without_false_marks(text, quotable, also)
    own, of_note = without_false_marks(state.draft.notes or "", quotable, also)
    state.draft.notes = own or None
    return Checked(
        state=state,
        holdings=services.holdings(),
        text=text,
        cited=tuple(cited.values()),
        cut=limit if is_long else 0,
        unknown=unknown,
        unquoted=[*unquoted, *of_note],
        checks=[check for check in checks if check.reason != REPEATED],
    )


def _documents(state: State) -> dict[int, str]:
    """The marker of each document of the expediente, by its number."""
    own = {marker: hit.chunk for marker, hit in state.context.marked.items() if hit.origin == DOCUMENT}
    found = ((chunk.law.removeprefix("Doc "), marker) for marker, chunk in own.items())
    return {int(number): marker for number, marker in found if number.isdigit()}


def shorten(text: str, limit: int) -> str:
    """The text up to its last paragraph end within the limit; else its last sentence end; else cut."""
    head = text[:limit]
    for pattern in (r"\n\s*\n", r"(?<=[.!?\]])\s"):
        ends = [match.start() for match in re.finditer(pattern, head)]
        if ends and ends[-1] > limit // 3:
            return head[: ends[-1]].rstrip()
    return head.rstrip()
