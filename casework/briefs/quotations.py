"""Quotations of a brief: their words, and the provision that the brief gives for each. Pure functions."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from casework.briefs import forms
from casework.briefs.brief_lines import PARAGRAPH
from casework.briefs.findings import Provision, Quotation
from law.cited_span import Span
from law.labels import fold
from law.rulings import Ruling
from rag.answers.quoted_words import MIN_WORDS, in_marks

BLOCK = "> "
FAR = 320
CLOSE = 70
INTRODUCTION = 60
_IN_BRACKETS = re.compile(r"[»”\"’'\s.,;]*[(\[]\s*(?:[a-záéíóúA-Z.]{1,12}\s+){0,3}")
_BRACKET = re.compile(r"[»”\"’'\s.,;]*[(\[]")
_LETTERED = re.compile(r"(?<![^\W\d_])[a-zñ]\)")
_RIGHT_AFTER = re.compile(r"[»”\"’'\s]*,\s*")
"""«…», art. 8 LOI."""
_SOON_AFTER = re.compile(
    r"[»”\"’'\s]*[,–—-]?\s*(?:seg[úu]n|conforme|como|tal|en palabras|a tenor|dice|dec[íi]a|dispon[eí]a?"
    r"|establec[eí]a?|reza(?:ba)?|proclama|se[ñn]ala(?:ba)?|ordena|ex|de acuerdo|de conformidad|por mandato"
    r"|en expresi[óo]n|exig[eí]a?|prev[ée](?:[íi]a)?|recog[eí]a?|afirma|a[ñn]ade|declara|concluye|advierte"
    r"|precisa|sostiene)\b[^.;«»¶]{0,60}"
)
_AFTER = re.compile(
    r"[»”\"’'\s]*[,:](?!\s*(?:y|e|ni|o|pero|mientras|lo que|sino|aunque|as[íi] como|adem[áa]s|tambi[ée]n)\b)"
    r"\s*[^.,;«»¶]{0,45}\b(?:el|del|los|la|al|de)\s+"
)
_NOTE_MARK = re.compile(r"[»”\"’'\s]*[.,;]?\s?(?:\[\^?(\d{1,3})\]|\((\d{1,2})\)|([¹²³⁰⁴-⁹]{1,3}))")
_RAISED = str.maketrans("¹²³⁰⁴⁵⁶⁷⁸⁹", "1230456789")
_NOTE = re.compile(
    rf"{PARAGRAPH}\s*(?:\[\^?(?P<square>\d{{1,3}})\]:?|\((?P<round>\d{{1,2}})\)|(?P<plain>\d{{1,3}})[.)]?(?=\s)"
    r"|(?P<raised>[¹²³⁰⁴-⁹]{1,3}))\s*"
)
"""The beginning of a note."""
_NEGATED = re.compile(
    r"\b(?:no|ni|nunca|tampoco|jam[áa]s|nadie|sin que|en ning[úu]n caso|ning[úu]n[oa]?(?:\s\w+)?"
    r"|(?:proh[íi]b|impid|exclu|nieg)\w+(?:\sque)?)(?:\s+(?:se|le|les|lo|la|los|las))?\s*[«“\"'‘(\s]*$",
    re.IGNORECASE,
)
"""Words outside the marks of a quotation that may replace its «no»."""
_INTRODUCED = re.compile(
    r"(?::|\b(?:que|dice|dispone|establece|señala|reza|ordena|proclama|prev[ée]|exige|declara|prescribe"
    r"|literal(?:mente)?|tenor|como|seg[úu]n el cual|cuando|al decir|expresa|recoge|impone"
    r"|que\s+[a-záéíóú]+\s+(?:a|de|en)))"
    r"\s*[,:]?\s*[(\[…. ]*$"
)
_BY_LAW = re.compile(
    r"\b(?:dispon\w+|establec\w+|rez\w+|prescrib\w+|preceptúa\w*|ordena\w*|estatuy\w+"
    r"|prev[éeí]\w*|previen\w+|proclam\w+)[^.;:«»]{0,30}\W*$"
)
_PARTIES = (
    r"carta|empres\w+|trabajador\w*|testi\w+|perit\w+|pericial|informe\w*|dictamen\w*"
    r"|acta|correo\w*|mensaje\w*|encargad\w+|gerente|director\w*|letrad\w+|contrari\w+|contraparte|demanda\w*|actor\w*"
    r"|inspector\w*|contrato|cláusula|burofax|folio\w*"
)
_OF_PAPER = re.compile(r"\bDoc \d+, [^«»:;]{1,200}:[ «“\"]*$")
_BY_PAPER = re.compile(r"[.»”\"]*\s*\(Doc \d+, [^()«»]{1,60}\(documento del caso: ")
"""The paper of an expediente that a quotation is of, before and after it, as our opinions name it."""
_SPOKEN = re.compile(
    rf"\b(?:{_PARTIES}|sentencia|juzgador\w*|magistrad\w+|manif\w+|declar[óo]\w*|dij\w+"
    r"|dic(?:e|iendo) (?:la|el|su|don|doña|usted)|contest\w+"
    r"|escrib\w+|alega\w*|sost(?:ien|uv)\w+|reconoc\w+|parte)\b",
    re.IGNORECASE,
)
"""Other speakers that may be named between a citation and a quotation."""
_OTHERS = re.compile(rf"\b(?:{_PARTIES})\b", re.IGNORECASE)
"""Those of a ruling, which itself declares and holds."""
_INVOKED = re.compile(
    r"\b(?:con (?:cita|apoyo|base|fundamento|invocación|amparo) (?:en|del?)|invocando|citando|amparándose en"
    r"|apoyándose en)\s*(?:el|la|los|las)?\s*$|\b(?:exposición de motivos|preámbulo) (?:de la|del|de)\s*$",
    re.IGNORECASE,
)
"""Words that make a citation the support of a statement: «dicen, con cita del art. 54 ET, que «…»»."""
_ACCORDING = re.compile(
    r"\b(?:seg[úu]n|conforme a|a tenor de|de acuerdo con|con arreglo a)\s*(?:lo dispuesto en\s)?"
    r"(?:el|la|los|l)?\s*$",
    re.IGNORECASE,
)
_OTHER_DAY = re.compile(
    r"\b(?:dec|dispon|establec|preve|exig|permit|atribu|conced|reconoc|prohib|defin|prescrib)ian?\b"
    r"|\b(?:rez|orden|senal|regul|contempl|limit|fij|configur|otorg|consider|proclam)aban?\b"
    r"|\b(?:redaccion|version|texto|tenor|regimen)\s+(?:\w+\s+)?(?:anterior|originari[oa]|original|inicial|previ[oa]"
    r"|derogad[oa]|entonces|antigu[oa]|primitiv[oa]|preterit[oa]|posterior|futur[oa]|nuev[oa]|actual|dad[oa]"
    r"|introducid[oa]|resultante|aplicable|hasta|de (?:19|20)\d\d)\b"
    r"|\b(?:anterior|originaria|antigua|derogada|nueva|actual|futura|posterior|inicial|primitiva)\s+"
    r"(?:redaccion|version)\b"
    r"|\b(?:derogad|suprimid|desaparecid)[oa]s?\b|\bentonces vigente"
    r"|\bvigente (?:entonces|hasta|cuando|al tiempo"
    r"|a la fecha|en aquel)|\bantes de (?:la|el|su) (?:reforma|modificacion|entrada)|\b(?:aun|todavia) no\b"
    r"|\bno regia\b|\bentra(?:ra|ba|n|ran)? en vigor|\ba la sazon\b|\bpor aquel entonces\b|\ben su dia\b"
)
"""The text itself says that it quotes the law of another day."""
MOST_CITING = 9
MOST_NEAR, MOST_NOTES = 60, 400
"""Citations that a quotation may be of; notes behind it among which its own is looked for."""
_CITATION = re.compile(
    r"(?:el |los |al |del )?(?:arts?\.|art[íi]culos?)\s?\d|S?S(?:TS|TSJ|TC|AN)\s", re.IGNORECASE
)
"""The beginning of words between marks that cite a norm and quote nothing."""
_OPENING = " «“\"'‘>"
_OPENED = re.compile(rf"[{_OPENING}]*\Z")
_SENTENCE_START = re.compile(rf"[.;]\s+(?=[«“\"]?[A-ZÁÉÍÓÚÑ])|{PARAGRAPH}")
_SENTENCE_END = re.compile(rf"[.;](?=\s+[«“\"]?[A-ZÁÉÍÓÚÑ])|[.;]\s*{PARAGRAPH}|{PARAGRAPH}")
_SAME_BLOCK = re.compile(rf"[\s{PARAGRAPH}>]*")
_LISTED = re.compile(r"\s*(?:,|y|e|,\s*y|en relaci[óo]n con(?: el| los)?)\s*")


def quotations(text: str, blocks: Sequence[Span] = ()) -> list[Span]:
    """The quotations of a text as `lines.flat` has it; less than MIN_WORDS words may be a name or a term.

    Args:
        blocks: those that are paragraphs, whose own marks do not count.
    """
    found = [span for span in blocks if _is_long(span.text)]
    for start, end in in_marks(text.replace(PARAGRAPH, "\n")):
        words = text[start:end].strip(f" {PARAGRAPH}")
        begin = text.index(words, start)
        cites = len(words.split()) <= MOST_CITING and _CITATION.match(words)
        if _is_long(words) and not cites and not is_inside(begin, blocks):
            found.append(Span(start=begin, end=begin + len(words), text=words))
    return sorted(found, key=lambda span: span.start)


def is_inside(place: int, spans: Sequence[Span]) -> bool:
    """True if one of the spans, which are in order and apart, holds a place."""
    index = bisect_right(spans, place, key=lambda one: one.start)
    return index > 0 and place < spans[index - 1].end


def inner_quotations(text: str, outer: Span) -> list[Span]:
    """The quotations between other marks inside one: «dice usted que "…"»."""
    inside = quotations(text[outer.start : outer.end])
    moved = ((one.start + outer.start, one.end + outer.start, one.text) for one in inside)
    return [Span(start=start, end=end, text=words) for start, end, words in moved]


def block_quotations(text: str) -> list[Span]:
    """The paragraphs of a text that begin with «> », as Markdown and our reader of Word files mark them.

    A paragraph of one line alone: the lines of an earlier message in a mail are marked so too.
    """
    found, at = [], 0
    lines = text.split("\n")
    for place, line in enumerate(lines):
        words = line.strip()
        beside = (*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 2])
        if words.startswith(BLOCK) and not any(map(str.strip, beside)):
            words = words.removeprefix(BLOCK).strip()
            start = at + line.index(words, line.index(BLOCK) + 1)
            found.append(Span(start=start, end=start + len(words), text=words))
        at += len(line) + 1
    return found


def _is_long(words: str) -> bool:
    return len(re.findall(r"\w+", words)) >= MIN_WORDS


def attributed(
    text: str,
    spans: Sequence[Span],
    provisions: Sequence[Provision],
    rulings: Sequence[Ruling],
    blocks: Sequence[Span] = (),
) -> list[Quotation]:
    """Each quotation with the provisions that the text gives for it.

    Args:
        spans, provisions: in the order of the text.
        blocks: quotations that are paragraphs; those that follow each other are of the same provisions.
    """
    reader, heads = _Attribution(text, provisions, rulings), _heads(text, blocks)
    of: dict[int, Quotation] = {}
    found, last = [], -1
    for span in spans:
        head = heads.get(span.start, span)
        if head.start not in of:
            of[head.start] = reader.quotation(head, last)
        found.append(of[head.start].model_copy(update=span.model_dump()))
        last = span.end
    return found


def _heads(text: str, blocks: Sequence[Span]) -> dict[int, Span]:
    """Offset of each quotation in paragraphs to the first of those that it follows."""
    heads: dict[int, Span] = {}
    for place, block in enumerate(blocks):
        before = blocks[place - 1] if place else None
        follows = before is not None and _SAME_BLOCK.fullmatch(text, before.end, block.start)
        heads[block.start] = heads[before.start] if before is not None and follows else block
    return heads


class _Attribution:
    """The citations of one text, found by their place."""

    def __init__(self, text: str, provisions: Sequence[Provision], rulings: Sequence[Ruling]) -> None:
        self._text = text
        self._provisions = provisions
        self._breaks = [one.start() for one in re.finditer(PARAGRAPH, text)]
        self._notes = list(_NOTE.finditer(text))
        self._noted = [one.start() for one in self._notes]
        # Rulings are counted from the end, -1 being the first: one number tells which and of which list.
        numbered: list[tuple[int, Provision | Ruling]] = [*enumerate(provisions)]
        numbered += [(~place, one) for place, one in enumerate(rulings)]
        self._cited = sorted(numbered, key=lambda one: one[1].start)
        self._starts = [one.start for _, one in self._cited]

    def quotation(self, span: Span, last: int) -> Quotation:
        """The quotation with what it is of; `last`: end of the one before it, or -1."""
        text, introduction = self._text, self._text[max(0, span.start - INTRODUCTION) : span.start]
        if _OF_PAPER.search(text, max(0, span.start - FAR), span.start) or _BY_PAPER.match(text, span.end):
            return self._of_nothing(span).model_copy(update={"of_paper": True})
        after = self._between(span.end, span.end + CLOSE)
        before = self._before(span, last)
        # A note that names a ruling may be about words that the text says are of the law.
        if (note := self._note(span)) is not None and (note >= 0 or before is None):
            return self._of(span, note).model_copy(update={"loose": note >= 0})
        introduced = before and _INTRODUCED.search(introduction.rstrip(_OPENING + PARAGRAPH))
        for wanted in (_IN_BRACKETS, _SOON_AFTER, _RIGHT_AFTER, _AFTER):
            for place, one in after:
                if wanted.fullmatch(text, span.end, one.start):
                    # What others say may stand before the law that it breaks.
                    return self._of(span, place).model_copy(update={"loose": wanted is _AFTER})
            here = before and not forms.SENTENCE.search(text[before[1].end : span.start])
            if (introduced and here) or (before and self._announces(text[before[1].end : span.start])):
                break
        if before is None:
            return self._of_nothing(span)
        said = text[before[1].end : span.start]
        ruled = before[0] < 0
        spoken = (_OTHERS if ruled else _SPOKEN).search(said) or forms.SENTENCE.search(said)
        invoked = _INVOKED.search(text, max(0, before[1].start - INTRODUCTION), before[1].start)
        according = _ACCORDING.search(text, max(0, before[1].start - INTRODUCTION), before[1].start)
        sure = (
            (introduced or (according and not forms.SENTENCE.search(said)))
            and not invoked
            and (_BY_LAW.search(said) or not spoken)
        )
        near = () if sure and not ruled else self._in_paragraph(span)
        return self._of(span, before[0]).model_copy(update={"loose": not sure, "near": near})

    @staticmethod
    def _announces(between: str) -> bool:
        """True if these words join a citation to the quotation behind it: «DT 4.ª «…»», «dispone «…»»."""
        return not between.strip(f"{_OPENING}(,:") or _BY_LAW.search(between) is not None

    def _in_paragraph(self, span: Span) -> tuple[int, ...]:
        """The provisions of the paragraph of a quotation before it."""
        cited = self._between(self._break(span.start) + 1, span.start)[-MOST_NEAR:]
        return tuple(place for place, one in cited if place >= 0 and one.end <= span.start)

    def _break(self, place: int) -> int:
        """The last end of a paragraph before a place, or -1."""
        index = bisect_left(self._breaks, place)
        return self._breaks[index - 1] if index else -1

    def _note(self, span: Span) -> int | None:
        """The first citation of the note whose mark stands right behind the quotation."""
        mark = _NOTE_MARK.match(self._text, span.end)
        if mark is None:
            return None
        number = next(filter(None, mark.groups())).translate(_RAISED)
        behind = self._notes[bisect_left(self._noted, mark.end()) :][:MOST_NOTES]
        note = next((one for one in behind if (one[one.lastgroup or 0]).translate(_RAISED) == number), None)
        if note is None:
            return None
        index = bisect_left(self._breaks, note.end())
        cited = self._between(note.end(), [*self._breaks[index : index + 1], len(self._text)][0])
        return next((place for place, _ in cited[:1]), None)

    def _between(self, first: int, last: int) -> list[tuple[int, Provision | Ruling]]:
        """The citations that begin from `first` to `last`."""
        return self._cited[bisect_left(self._starts, first) : bisect_right(self._starts, last)]

    def _before(self, span: Span, last: int) -> tuple[int, Provision | Ruling] | None:
        """The last citation before the quotation, in its paragraph or in the one that announces it."""
        text, floor = self._text, self._break(span.start)
        opening = _OPENED.match(text, floor + 1, span.start)
        above = text[max(0, floor - FAR) : max(floor, 0)].rstrip(f" {PARAGRAPH}")
        if opening and above.endswith((":", ",")):
            floor = self._break(max(0, floor - FAR) + len(above))
        near = self._between(max(floor + 1, span.start - 2 * FAR), span.start)
        for place, one in reversed(near):
            # An article that stands in a parenthesis after an earlier quotation is that one's.
            taken = one.start > last >= 0 and self._in_brackets(last, one.start)
            if one.end <= span.start <= one.end + FAR and not taken:
                return place, one
        return None

    def _in_brackets(self, last: int, start: int) -> bool:
        """True if a parenthesis that opens right behind the quotation that ends at `last` holds `start`."""
        opened = _BRACKET.match(self._text, last)
        if opened is None or opened.end() > start:
            return False
        # «26.1.c)» closes none.
        inside = _LETTERED.sub("  ", self._text[opened.end() : start])
        first, last_one = ("(", ")") if opened[0].endswith("(") else ("[", "]")
        return inside.count(first) >= inside.count(last_one) and PARAGRAPH not in inside

    def _of(self, span: Span, place: int) -> Quotation:
        """The quotation of the provision with that number and of those listed with it, or of a ruling."""
        if place < 0:
            return self._of_nothing(span).model_copy(update={"ruling": ~place})
        first = last = place
        while first > max(0, place - MOST_NEAR) and self._listed(first - 1):
            first -= 1
        while last + 1 < min(len(self._provisions), place + MOST_NEAR) and self._listed(last):
            last += 1
        return self._of_nothing(span).model_copy(update={"cited": tuple(range(first, last + 1))})

    def _of_nothing(self, span: Span) -> Quotation:
        return Quotation(
            **span.model_dump(), of_another_day=self._is_of_another_day(span), negated=self._is_negated(span)
        )

    def _is_negated(self, span: Span) -> bool:
        return _NEGATED.search(self._text, max(0, span.start - INTRODUCTION), span.start) is not None

    def _is_of_another_day(self, span: Span) -> bool:
        """True if the sentence around the quotation says so."""
        text, before = self._text, self._text[max(0, span.start - FAR) : span.start]
        starts = [one.end() for one in _SENTENCE_START.finditer(before)]
        ends = _SENTENCE_END.search(text, span.end, span.end + FAR)
        after = text[span.end : ends.start() if ends else span.end + FAR]
        around = f"{before[starts[-1] if starts else 0 :]} {after}"
        return _OTHER_DAY.search(fold(around)) is not None

    def _listed(self, place: int) -> bool:
        one, other = self._provisions[place : place + 2]
        return _LISTED.fullmatch(self._text, one.end, other.start) is not None
