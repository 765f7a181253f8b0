"""One cell of a review table without a model: the sentence of a document that answers a question, or none.

A question about something that papers usually tell (`lexicon.paper_fields`) is answered by the sentences that
say it; any other by the sentence that holds most of its words. A sentence that lacks what is asked for (a
date, an amount, a length of time) answers nothing: an honest gap is worth more than a guess.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple

from casework.matters.paper_fragments import Fragment
from core.values import Value
from law.provision_reading import read_provision
from lexicon.paper_fields import Kind, PaperField, field_of
from text.rows import cells, is_rule
from text.rows import kin as is_kin
from text.segmentation import is_row
from text.textnorm import fold_for_search, stems

SHARE = 0.6
"""Least share of a free question's words, by rarity, that a sentence holds: measured in
tests/unit/test_review_cells.py.
"""
HEADING = 60
LONGEST = 1500
"""Characters of a heading, at most, and of a quotation."""

_NUMERAL = (
    r"(?:\d[\d.]*(?:,\d+)?|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|dieciocho"
    r"|veinte|treinta|cuarenta|sesenta|noventa)"
)
VALUES: dict[Kind, re.Pattern[str]] = {
    "date": re.compile(
        r"\d{1,2}[ºª]? de [a-zé]+ (?:de|del) \d{4}|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b|\b\d{4}-\d{2}-\d{2}\b"
        r"|\b\d{1,2} (?:al|y) \d{1,2} de [a-z]+(?: de \d{4})?",
        re.I,
    ),
    "money": re.compile(
        r"\d[\d.]*(?:,\d{1,2})?\s*(?:€|euros?\b|EUR\b)(?: (?:brutos|netos)\b)?"
        r"(?: (?:anuales|mensuales|diarios)\b)?",
        re.I,
    ),
    "length": re.compile(
        rf"\b{_NUMERAL} (?:d[ií]as?|semanas?|mes(?:es)?|años?|horas?)\b"
        r"(?: (?:h[aá]biles|naturales|laborables)\b)?",
        re.I,
    ),
}
_IN_CELL = re.compile(r"\d{1,3}(?:\.\d{3})*,\d{2}(?:\s*(?:€|euros?))?|\d+(?:\.\d{3})*\s*(?:€|euros?)")
_ASKED: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\bfecha\b|\bcuando\b|\ba partir de que\b|\bque dia\b")),
    (
        "length",
        re.compile(
            r"\bplazo\b|\bduracion\b|\bcuanto (?:tiempo|dura)|\bpreaviso\b"
            r"|\bcuant[oa]s (?:dias|meses|anos|semanas|horas)\b"
        ),
    ),
    (
        "money",
        re.compile(
            r"\bimporte\b|\bcuantia\b|\bcantidad\b|\ba cuanto\b|\bcuantos euros\b"
            r"|\bcuanto (?:es|vale|cuesta|se paga|debe)\b"
        ),
    ),
)
# Words that ask, and those that only name the kind of what is asked for.
_ASKING = frozenset(
    stems(
        "qué cuál cuáles quién cuándo cuánto cómo dónde hay dice fecha día días importe cuantía cantidad"
        " plazo duración asciende indica consta documento prevé establece fija tiene puede debe hace"
    )
)
# Words that narrow nothing down: there is one dismissal, one worker and one contract in a paper.
_USUAL = frozenset(
    stems(
        "despido extinción cese sanción trabajador trabajadora persona empresa empleador contrato carta bruto"
        " bruta neto anual mensual profesional grupo categoría aplicable aplicación colectivo pactado pactada"
        " reconocida documento laboral comunicación efectos trabajo"
    )
)
# A sentence that denies, supposes, reports or tells of others says the contrary of its value alone.
_TURNS = re.compile(
    r"[;?]|\b(?:no|nunca|tampoco|sin|salvo|excepto|ni|si|según|anterior\w*|inicial\w*|otr[oa]s?|compañer\w+"
    r"|renunci\w+|rechaz\w+|neg\w+|nieg\w+|denieg\w+|deneg\w+|care[cz]\w+|aleg\w+|pretend\w+|reclam[aeó]\w*"
    r"|solicit[aeó]\w*|pid\w+|\w+(?:r[íi]an?|(?:ie|u)[sr](?:e|a)n?))\b",
    re.I,
)
_LABEL = re.compile(r"\w+(?: \w+){0,2}:\s+(?=\S)")


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


class Line(NamedTuple):
    """A sentence or row: its fragment, its words without accents, and its stems with those of its heading."""

    fragment: Fragment
    text: str
    said: str
    stems: frozenset[str]


def answering_sentence(question: str, lines: Sequence[Line]) -> Told | None:
    """The sentence of a document that answers best; None when none is likely to: it «no consta»."""
    field = _field(question)
    found = _by_field(field, lines) if field else _by_words(question, lines)
    if not found:
        return None
    kind = field.kind if field else _kind(question)
    (best, cue), *others = found
    answer = _answer(best, cue, kind)
    rival = next((one.text for one, at in others if _differs(_answer(one, at, kind), answer, kind)), "")
    if rival:
        # Neither value alone: which of the two counts is for a reader of both.
        answer = best.text.strip("| ")
    return Told(
        answer=answer, quote=best.text, fragment=best.fragment.number, page=best.fragment.page, rival=rival
    )


def nearest(question: str, lines: Sequence[Line], most: int) -> list[Fragment]:
    """The fragments that hold most of the question's words, at most `most`, in reading order."""
    field = field_of(question)
    wanted = _wanted(question)
    weigh = _weights(wanted, lines)
    score: defaultdict[int, float] = defaultdict(float)
    for one in lines:
        cues = sum(bool(cue.search(one.said)) for cue in field.says) if field else 0
        score[one.fragment.number] += cues + sum(weigh[stem] for stem in _held(wanted, one))
    known = {one.fragment.number: one.fragment for one in lines}
    best = sorted(score, key=lambda number: (-score[number], number))[:most]
    return [known[number] for number in sorted(best)]


def lines_of(fragments: Iterable[Fragment]) -> Iterator[Line]:
    """Each sentence once: fragments of a long page repeat the end of the one before them."""
    seen: set[str] = set()
    above = ""
    for fragment in fragments:
        provision = read_provision(fragment.text)
        for one in provision.sentences:
            text = provision.said(one)
            if is_rule(text) or len(text) > LONGEST or text in seen:
                continue
            seen.add(text)
            said = " ".join(fold_for_search(text).split())
            yield Line(fragment, text, said, frozenset(stems(f"{above} {said}")))
            headed = len(text) <= HEADING and not one.tabular and text[-1] not in ".;,"
            above = said if headed else ""


def _by_field(field: PaperField, lines: Sequence[Line]) -> list[tuple[Line, int]]:
    """Lines that tell it, with where the words that say so begin: the surest pattern first, then in order."""
    found = []
    for place, one in enumerate(lines):
        if any(never.search(one.said) for never in field.never) or not _has(one, field.kind):
            continue
        for rank, cue in enumerate(field.says):
            if match := cue.search(one.said):
                found.append((rank, place, one, match.start()))
                break
    return [(one, at) for _, _, one, at in sorted(found, key=lambda each: each[:2])]


def _by_words(question: str, lines: Sequence[Line]) -> list[tuple[Line, int]]:
    """Lines that hold enough of the question's words, those with most of them first."""
    wanted, kind = _wanted(question), _kind(question)
    if not wanted:
        return []
    weigh = _weights(wanted, lines)
    total = sum(weigh.values())
    found = []
    for place, one in enumerate(lines):
        held = _held(wanted, one)
        share = sum(weigh[stem] for stem in held) / total
        if share >= SHARE and _has(one, kind) and not one.text.endswith(("?", ":")):
            first = min((at for stem in held if (at := one.said.find(stem[:5])) >= 0), default=0)
            found.append((-share, place, one, first))
    best = min((each[0] for each in found), default=0.0)
    return [(one, at) for share, _, one, at in sorted(found, key=lambda each: each[:2]) if share == best]


def _field(question: str) -> PaperField | None:
    """Subject of the question, unless it asks for a detail of it: «forma de pago de la indemnización»."""
    field = field_of(question)
    if field is None:
        return None
    known = (
        _ASKING
        | _USUAL
        | frozenset(stems(f"{field.name} {' '.join(field.asked.findall(fold_for_search(question)))}"))
    )
    return None if frozenset(stems(field.asked.sub(" ", fold_for_search(question)))) - known else field


def _wanted(question: str) -> frozenset[str]:
    return frozenset(stems(question)) - _ASKING


def _weights(wanted: Iterable[str], lines: Sequence[Line]) -> dict[str, float]:
    """Rarity of each stem among the lines; one that none holds weighs most."""
    held = Counter(stem for one in lines for stem in _held(wanted, one))
    return {stem: log(1 + len(lines) / (1 + held[stem])) for stem in wanted}


def _held(wanted: Iterable[str], one: Line) -> set[str]:
    """The stems that the line, or the heading above it, has: the same or of the same family."""
    return {stem for stem in wanted if stem in one.stems or is_kin(stem, one.stems)}


def _kind(question: str) -> Kind:
    said = fold_for_search(question)
    for kind, pattern in _ASKED:
        if pattern.search(said):
            return kind
    return ""


def _has(one: Line, kind: Kind) -> bool:
    return not kind or any(True for _ in _values(one.text, kind))


def _values(text: str, kind: Kind) -> Iterator[tuple[int, str]]:
    """(offset, value) of each value of a kind."""
    pattern = _IN_CELL if kind == "money" and is_row(text) else VALUES[kind]
    for match in pattern.finditer(text):
        yield match.start(), match[0].strip()


def _answer(one: Line, cue: int, kind: Kind) -> str:
    """The value asked for where there is no doubt about it, else the whole sentence.

    A sentence that denies or excepts something is shown whole: its value alone could say the contrary.
    """
    if not kind:
        if is_row(one.text):
            return cells(one.text)[-1] or one.text
        label = _LABEL.match(one.text)
        return one.text[label.end() :] if label and cue < label.end() else one.text
    if _TURNS.search(one.text):
        return one.text
    values = list(_values(one.text, kind))
    after = [value for at, value in values if at >= cue]
    return after[0] if after and len(after) == 1 else values[0][1] if len(values) == 1 else one.text


def _differs(one: str, other: str, kind: Kind) -> bool:
    """True if two answers give another value; of answers without a kind nothing is told."""
    return bool(kind) and fold_for_search(one) != fold_for_search(other)
