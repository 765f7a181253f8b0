"""Words that an answer presents as a quotation, held against the fragments that it cites beside them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from law.provision import Provision
from law.provision_reading import read_provision
from rag.answers.quotation_check import ELLIPSIS
from rag.answers.quotation_widening import lead, left_out_turns, says, turns
from rag.answers.verbatim import locate, typeset
from text.markers import MARKER
from text.quotation_marks import Marked, marked

MIN_WORDS = 5
_SEALS = (
    re.compile(r"\s*(?:[✔✓☑✅🗸🗹]\ufe0f?\s*)+"),
    re.compile(
        r"\s*\b(?:citas?[\s*_]+(?:comprobad|verificad|cotejad|contrastad)\w+(?:[\s*_]+letra[\s*_]+por[\s*_]+letra)?"
        r"|(?:comprobad|verificad|cotejad|contrastad)\w+[\s*_]+letra[\s*_]+por[\s*_]+letra)\b",
        re.IGNORECASE,
    ),
    # What only the program writes: the number of a source, and the doubt beside a sentence.
    re.compile(r" ?\(\s*⚠\ufe0f?\s*Compruébelo\b[^)\n]*\)|⚠\ufe0f?\s*| ?\[\d{1,3}\](?!\()"),
)
_PAIRS = re.compile(
    r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"|‘([^‘’]+)’|‹([^‹›]+)›|„([^„“”]+)[“”]|(?<!\w)'([^'\n]+)'(?!\w)"
)
_MARKERS = re.compile(rf"(?:\s?{MARKER})+")
_SENTENCE_END = re.compile(r"[.!?…](?=(?P<next>\s+[A-ZÁÉÍÓÚÑ¿¡«“\"]))|\n")
_EMPHASIS = re.compile(r"[*_`]+")
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|$))+", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_TO_THE_LETTER = re.compile(
    r"\b(?:literalmente|textualmente|a la letra|dice as[ií]|tenor literal|texto (?:oficial|literal))\b"
    r"[^:\n]{0,40}:\s*(?P<said>[^\n]+)",
    re.IGNORECASE,
)
# A short quotation may be a name or a term, but not if it is what an answer turns on.
_WEIGHTY = re.compile(
    r"\d|\b(?:no|ni|nunca|tampoco|sin|salvo|siempre|m[áa]xim\w+|m[íi]nim\w+|pod?r[áa]n?|deber[áa]n?|obligat\w+"
    r"|prohib\w+|d[íi]as?|mes(?:es)?|a[ñn]os?|euros)\b",
    re.IGNORECASE,
)


def _unemphasised(text: str) -> str:
    return _EMPHASIS.sub("", text)


class _Quotations:
    """The texts that an answer may quote: those of the markers beside the words, and some anywhere."""

    def __init__(self, answer: str, cited: Mapping[str, Sequence[str]], also: Iterable[str]) -> None:
        self._answer = answer
        # An answer is compared without the marks of emphasis, which are those of lists in some documents.
        self._cited = {marker: list(map(_unemphasised, texts)) for marker, texts in cited.items()}
        self._everything = [text for texts in self._cited.values() for text in texts]
        self._also = list(map(_unemphasised, also))
        self._said = typeset(_unemphasised(answer))
        ends = list(_SENTENCE_END.finditer(answer))
        self._ends = [one.end() for one in ends]
        self._seen = [max(one.end(), one.end("next")) for one in ends]

    def stands(self, words: str, start: int, end: int, alone: bool = True) -> bool:
        """True if words at a place of the answer stand so in a text that it cites there.

        Nothing that turns or limits them may be left out, nor a list that denies («No tendrán…:»).

        Args:
            alone: False for one of several stretches in a row, which are no terms.
        """
        words = _MARKERS.sub("", _unemphasised(words)).strip()
        if any(_place(words, text) for text in self._also):
            return True
        if alone and len(re.findall(r"\w+", words)) < MIN_WORDS:
            return not _WEIGHTY.search(words) or any(_place(words, text) for text in self._everything)
        return any(self._is_fair(words, text) for text in self._beside(start, end))

    def _is_fair(self, words: str, text: str) -> bool:
        found = places(filter(None, ELLIPSIS.split(words)), text)
        if not found:
            return False
        start, end = found[0][0], found[-1][1]
        cut = [text[one[1] : other[0]] for one, other in pairwise(found)]
        provision = read_provision(text)
        if left_out_turns(provision, start, end, cut) or _cuts_a_row(provision, start, end):
            return False
        announced = lead(provision, start, end)
        said = text[slice(*announced)] if announced else ""
        return not turns(said) or typeset(said) in self._said

    def _beside(self, start: int, end: int) -> list[str]:
        """The texts of the markers of the sentence, else of its paragraph, else all."""
        before = bisect_right(self._seen, start)
        begin = self._ends[before - 1] if before else 0
        after = _SENTENCE_END.search(self._answer, end)
        markers_after = _MARKERS.match(
            self._answer, _punctuation(self._answer, after.end() if after else end)
        )
        stop = markers_after.end() if markers_after else after.start() if after else len(self._answer)
        line = self._answer.rfind("\n", 0, start) + 1
        line_end = self._answer.find("\n", end)
        for first, last in ((begin, stop), (line, line_end if line_end >= 0 else len(self._answer))):
            named = re.findall(MARKER, self._answer[first:last])
            texts = [text for marker in named for text in self._cited.get(marker, ())]
            if texts:
                return texts
        return self._everything


def without_false_marks(
    answer: str, cited: Mapping[str, Sequence[str]], also: Iterable[str] = ()
) -> tuple[str, list[str]]:
    """The answer without the marks around words that no text cited beside them has so, and those words.

    Marks of any kind, paragraphs that begin with «> » and what follows «dice literalmente:» present words as
    a quotation. Fewer than MIN_WORDS may be a name or a term, and stay; a first letter may change its case.

    Args:
        cited: texts by the marker that names them.
        also: texts that may be quoted anywhere, such as the question.
    """
    held = _Quotations(answer, cited, also)
    every = marked(answer)
    lost: list[str] = []
    gone: list[tuple[int, int]] = []
    reached = 0
    for number, one in enumerate(every):
        if one.start < reached:
            continue
        if held.stands(
            answer[one.first : one.last], one.first, one.end, not _in_a_row(answer, every, number)
        ):
            reached = one.end
            continue
        gone += [(one.start, one.first), (one.last, one.end)]
        lost.append(answer[one.first : one.last].strip())
    for block in _BLOCK.finditer(answer):
        words = _unmarked(_BLOCK_MARK.sub("", block[0]))
        if _is_long(words) and not held.stands(words, block.start(), block.end()):
            gone += [mark.span() for mark in _BLOCK_MARK.finditer(answer, block.start(), block.end())]
            lost.append(" ".join(words.split()))
    for match in _TO_THE_LETTER.finditer(answer):
        words = match["said"]
        inside = any(one.start < match.end("said") and match.start("said") < one.end for one in every)
        if not inside and _is_long(words) and not held.stands(words, *match.span("said")):
            lost.append(words.strip())
    for start, end in sorted(set(gone), reverse=True):
        answer = answer[:start] + answer[end:]
    return answer, list(dict.fromkeys(filter(None, lost)))


def in_marks(answer: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the words between each pair of quotation marks of one kind, the innermost of a kind.

    What people write is read so: a mark that is missing spoils no other pair.
    """
    for match in _PAIRS.finditer(answer):
        yield match.span(match.lastindex or 0)


def without_seals(answer: str) -> str:
    """The answer without the words and signs by which the page says that a quotation has been checked."""
    while (once := _unsealed(answer)) != answer:
        answer = once
    return answer


def _unsealed(answer: str) -> str:
    for seal in _SEALS:
        answer = seal.sub("", answer)
    return answer


def _place(words: str, text: str) -> tuple[int, int] | None:
    return locate(words, text) or locate(words[:1].swapcase() + words[1:], text)


def places(pieces: Iterable[str], text: str) -> list[tuple[int, int]]:
    """Where the pieces of a quotation stand, each after the one before it; empty if one does not."""
    found: list[tuple[int, int]] = []
    reached = 0
    for piece in pieces:
        place = _place(piece, text[reached:])
        if place is None:
            return []
        found.append((reached + place[0], reached + place[1]))
        reached = found[-1][1]
    return found


def _cuts_a_row(provision: Provision, start: int, end: int) -> bool:
    """True for a part of a row of a table: its other cells say what it is about."""
    text = provision.text
    rows = (one for one in provision.sentences if one.tabular and one.start < end and start < one.end)
    return any(says(text[row.start : start]) or says(text[end : row.end]) for row in rows)


def _in_a_row(answer: str, every: Sequence[Marked], number: int) -> bool:
    """True for a stretch with another right before or after it, as a sentence cut in pieces has them."""
    one = every[number]
    near = [other for other in every[max(0, number - 1) : number + 2] if other is not one]
    gaps = (answer[min(one.end, other.end) : max(one.start, other.start)] for other in near)
    return any(not gap.strip() for gap in gaps)


def _is_long(words: str) -> bool:
    return len(re.findall(r"\w+", _MARKERS.sub("", words))) >= MIN_WORDS


def _unmarked(text: str) -> str:
    """A stretch without the marks around all of it."""
    return text.strip().strip('«»“”"').strip()


def _punctuation(answer: str, place: int) -> int:
    while place < len(answer) and answer[place] in ' .,;:)»”"':
        place += 1
    return place
