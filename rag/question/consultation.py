"""The questions of a long text (an e-mail, notes of an interview), found by rules. Pure functions."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from law.labels import fold
from lexicon.data_files import read_toml
from models.chat import Turn
from rag.question.matter import matches
from rag.question.question_form import is_follow_up
from text.segmentation import sentences
from text.textnorm import stems

LONG = 1000
"""Characters of a text that is split whatever it asks."""
MOST = 50
MOST_WORDS = 90
SAME = 0.75
FEW = 4
"""Terms of a question that is understood only with the sentence before it, if it has fewer."""

_QUOTED = re.compile(r"^\s*>+ ?")
_HEADER = re.compile(
    r"^\s*(?:de|para|cc|cco|asunto|enviado(?: el)?|fecha|from|to|subject|sent|date)\s*:.*$"
    r"|^.{0,120}\b(?:escribio|wrote)\s*:\s*$"
)
_ITEM = re.compile(
    r"^\s*(?:\([ivx]{1,4}\)|\(?\d{1,2}\s*(?:[.)ªº]|\.?-)+|\(?[a-z]\s*[).]-?|[-–—•*·]"
    r"|(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim)[oa]\s*[.:)-]+)\s*"
)
_WRAPPED = 55
"""Length of a line that the next may continue."""

_MARK = re.compile(r"\?+")
_INTERROGATIVE = (
    r"(?:(?:a|en|con|de|desde|hasta|para|por|sobre) )?"
    r"(?:qué|cuál(?:es)?|cuánt[oa]s?|cuándo|cómo|dónde|quién(?:es)?)"
)
_CLAUSE = re.compile(rf"(?<!\w)(?:{_INTERROGATIVE}|si)\b(?! no\b[,.;])", re.IGNORECASE)
_OPENS = re.compile(
    rf"^\W*(?:[^.;?]{{0,60}}[,:] )?(?:(?:también|además|asimismo|y|que),? )*(?:{_INTERROGATIVE})\b",
    re.IGNORECASE,
)
_OPENS_IF = re.compile(
    r"^\W*(?:[^.;?]{0,60}[,:] )?(?:(?:también|además|asimismo|y|que),? )*si\b", re.IGNORECASE
)
_ENDS = re.compile(
    r"[.;:]|,? (?:porque|ya que|pues|puesto que|dado que|pero)\b|,? y (?:también|además|asimismo)\b"
)
_THEN = re.compile(r"(?:ó|é|aron|ieron)$")
"""End of a verb in the past: what somebody asked then is told, not asked."""
_FAR = 70
"""Characters between a verb of asking, or a question, and the next question that depends on it."""
_JOINED = re.compile(r"(?:,|\b[yeo])\s+(?:que )?$")
_JOINT = re.compile(r"[\s,;]+(?:y|e|o|u|así como)$")
_TAG = re.compile(
    r"[,;]?\s*¿?\s*(?:no|verdad|vale|sabe|sabes|me explico|eh|si o no|no es asi|cierto)\s*\?+$", re.I
)


class Asked(NamedTuple):
    """A question as it stands in the text.

    Attributes:
        before: the sentence before it in its paragraph.
        around: the text that tells its case: all of it, but the other members of a list.
    """

    text: str
    before: str
    around: str

    @property
    def whole(self) -> str:
        """The question, preceded by the sentence before it if it says little by itself."""
        little = len(set(stems(self.text))) < FEW
        return f"{self.before} {self.text}" if self.before and little else self.text


def questions(text: str) -> list[Asked]:
    """The questions of law that a text asks, in reading order and each once.

    What an answered e-mail quotes counts only if the rest asks nothing; courtesies and rhetorical questions,
    which have no word of law and follow no question, do not.
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    own = "\n".join(line for line in lines if not _QUOTED.match(line))
    quoted = "\n".join(_QUOTED.sub("", line) for line in lines)
    return _distinct(_asked(own)) or _distinct(_asked(quoted))


def told(text: str) -> list[str]:
    """The sentences of a text that asks something which tell its case: they neither ask nor greet."""
    found: list[str] = []
    asks = False
    for _, paragraph in _paragraphs(text):
        for span in sentences(paragraph):
            said = paragraph[span.start : span.end]
            folded = fold(said)
            if "?" in said or any(_clauses(said, folded, announced=False)):
                asks = True
            elif re.search(rf"\d|(?:\S+\s+){{{FEW - 1}}}", said) and not _said("courtesy").search(folded):
                found.append(said)
    return found if asks else []


def is_of_law(question: str) -> bool:
    """True if a question has words of law itself, of this branch or another."""
    return bool(matches(question))


class ReadTurn(Turn):
    """A turn with its last question and all of them (`gist`); of a short text, both are the text."""

    last: str
    gist: str


def read_turn(turn: Turn) -> ReadTurn:
    """The turn with its questions, which are looked for once."""
    if isinstance(turn, ReadTurn):
        return turn
    asked = questions(turn.text) if len(turn.text) > LONG else []
    last, gist = asked[-1].whole if asked else turn.text, " ".join(one.text for one in asked) or turn.text
    return ReadTurn(role=turn.role, text=turn.text, last=last, gist=gist)


def _distinct(found: Iterable[tuple[Asked, str]]) -> list[Asked]:
    kept: list[Asked] = []
    terms: list[frozenset[str]] = []
    of_law = lru_cache(maxsize=2)(is_of_law)
    for one, paragraph in found:
        if len(kept) == MOST:
            break
        own = frozenset(stems(one.text))
        enough = len(own) >= (FEW - 1 if "?" in one.text else FEW - 2)
        legal = is_of_law(one.text) or (enough and of_law(paragraph))
        if not legal and not (kept and is_follow_up(one.text)):
            continue
        if legal and any(len(own & other) >= SAME * len(own | other) for other in terms):
            continue
        kept.append(one)
        terms.append(own)
    return kept


def _asked(text: str) -> Iterator[tuple[Asked, str]]:
    """Questions of a sentence, or of a member of a list that one announces, each with its paragraph."""
    announced = False
    before = ""
    paragraphs = list(_paragraphs(text))
    story = "\n".join(paragraph for item, paragraph in paragraphs if not item)
    for item, paragraph in paragraphs:
        if not item:
            before = ""
        begins, around = True, f"{story}\n{paragraph}" if item else story
        for span in sentences(paragraph):
            said = paragraph[span.start : span.end]
            folded = fold(said)
            if _said("courtesy").search(folded):
                continue
            asks = list(_pieces(said, folded, announced=announced and (begins or not item)))
            for piece in asks:
                if len(piece.split()) <= MOST_WORDS:
                    yield Asked(_tidy(piece), before, around), paragraph
            before = said if not asks else before
            begins = False
            if said.endswith((":", "siguiente.")) or (asks and not item):
                announced = bool(_said("announces").search(folded) or _said("asks").search(folded))
            elif not item:
                announced = False


@lru_cache(maxsize=8)
def _said(kind: str) -> re.Pattern[str]:
    """The words of a kind of `consultation.toml`."""
    return re.compile(rf"\b(?:{'|'.join(read_toml('consultation.toml')[kind])})(?!\w)")


def _tidy(piece: str) -> str:
    """A question without the words that join it to the next, and with a capital."""
    text = _JOINT.sub("", piece.strip()).strip(" ,;:")
    begins = 2 if text.startswith("¿") else 1
    return text[:begins].upper() + text[begins:]


def _pieces(said: str, folded: str, *, announced: bool) -> Iterator[str]:
    """The questions of a sentence: those with a mark, else its clauses that depend on a verb of asking."""
    if "?" not in said:
        yield from _clauses(said, folded, announced=announced)
        return
    opened = 0
    for piece in _MARK.split(said)[:-1]:
        inside = opened > 0
        opened += sum((mark in "«(") - (mark in "»)") for mark in piece)
        if inside or opened > 0 or not piece.strip(" ¿"):
            continue
        bare = _TAG.sub("", piece)
        if bare == piece or len(set(stems(bare))) >= FEW:
            yield f"{_own(piece).strip(' ,;')}?"


def _own(piece: str) -> str:
    """A question without what only announces it («Mis dudas: ¿…»), which has no word of law."""
    announced, mark, asks = piece.rpartition("¿")
    return f"¿{asks}" if mark and announced.rstrip().endswith(":") and not is_of_law(announced) else piece


def _clauses(said: str, folded: str, *, announced: bool) -> Iterator[str]:
    """The interrogative clauses near a verb of asking, near one that has just ended, or that open a list."""
    free = _OPENS.match(said) or (announced and _OPENS_IF.match(said))
    said_now = (m for m in _said("asks").finditer(folded) if not _THEN.search(said[slice(*m.span())]))
    asks = [match.end() for match in said_now]
    found = list(_CLAUSE.finditer(said))
    ends = [match.start() for match in _ENDS.finditer(said)]
    ends += [
        match.start() for match in found if _JOINED.search(said, max(0, match.start() - 9), match.start())
    ]
    ends.sort()
    done = 0 if free else -_FAR - 1
    for match in found:
        start = match.start()
        near = asks[bisect_right(asks, start) - 1] if asks and asks[0] <= start else -_FAR - 1
        if start < done or start - max(near, done) > _FAR:
            continue
        after = bisect_right(ends, match.end())
        end = ends[after] if after < len(ends) else len(said)
        if len(set(stems(said[start:end]))) > 1:
            yield said[0 if free and done == 0 and start < _FAR else start : end]
            done = end


def _paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """(True for a member of a list, the text on one line) of each paragraph, without headers of e-mails."""
    item, lines = False, list[str]()
    for line in [*text.splitlines(), ""]:
        marker = _ITEM.match(fold(line))
        header = _HEADER.match(fold(line))
        continues = (
            bool(lines)
            and not marker
            and not header
            and bool(line.strip())
            and len(lines[-1]) >= _WRAPPED
            and not re.search(r"[.:;?!]\s*$", lines[-1])
        )
        if continues:
            lines.append(line.strip())
            continue
        if lines:
            yield item, " ".join(lines)
            lines = []
        if not line.strip():
            continue
        if not header:
            item, lines = bool(marker), [line[marker.end() if marker else 0 :].strip()]
