"""Clauses of a paper: sentences and cells, each with the label that it stands under."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from casework.matters.paper_fragments import Fragment
from law import labels
from lexicon.paper_fields import is_label, is_label_word

_BROKEN = re.compile(r"(?<=[a-záéíóúüñ])-\s+(?=[a-záéíóúüñ])")
# Columns stand apart; so does a word that an even line was stretched by, but no column begins in lower case.
_GAP = re.compile(
    r" {0,9}(?:\.{3,}|…|_{3,})[ \t._]*\n?[ \t]*|\t[ \t]*| {3,}(?=[^\sa-záéíóúüñ,;)€])| {1,9}\|[ |]*"
)
# Two spaces part columns only beside a label: lines are stretched by them too.
_TWO = re.compile(r"(?P<before>[\w.:/]{0,20}[\w.:,)]) {2}(?=(?P<after>[^\sa-záéíóúüñ,;)€][\w.º/]{0,20}))")
_DASH = re.compile(r" [-–—/·,;] (?=(?P<after>[^\W\d][\w.]*))")
MOST_OF_PROSE = 3
_SPACES = re.compile(r"[ \t\xa0]+")
_RULER = re.compile(r"(?m)^[ |:-]*-{3,}[ |:-]*$")
_EDGE = re.compile(r"(?m)^[ |]+|[ |]+$")
# A line that goes on: it ends with a word that cannot end anything.
_GOES_ON = re.compile(r"(?i)(,|\b(?:de|la|el|en|con|y|a|del|los|las|por|don|al))\n(?=\w)")
_STOP = re.compile(r"(?P<colon>(?<!\d):(?=\s|$))|\||[;•·]|\.-|(?P<point>\.)(?=\s+[^\sa-z])")
_ABBREVIATED = re.compile(
    r"(?i)(?:\b\w|\b\d+\.ª|\b(?:d[ªnº]|d[nñ]a|s[rto]as?|s[rt]|dra?|na|no|n[ºo]|arts?|num|av|avda?|pza|ctra|cra|pol|ind|pg|fdo|coop|prof|cta|lda|ldo|vd|ud|ilm[ao]|excm[ao]|tel|km|exp|expte|col|rec|dpto|p[aá]g|apdo|urb|edif|esc|izq|dcha|prov))\Z"
)
# Letters that a scanner takes for digits, and digits for letters.
_SCANNED = (
    (
        re.compile(
            r"(?<=[A-Za-z]{2})0(?![\d.,])|(?<=[A-Z])0(?=[A-Z])|(?<=[a-z])0(?=[a-z])|(?<![\w.,-])0(?=[A-Za-z]{2})"
        ),
        "O",
    ),
    (re.compile(r"(?<=[\d/])O(?=\d)|(?<=\d)O(?=\d)"), "0"),
    (re.compile(r"(?<=\d)l(?=[\d/])"), "1"),
    (re.compile(r"(?<=[A-Z])l(?=[A-Z])"), "I"),
)
_LONGEST_LABEL = 9


_SECTION = re.compile(
    r"\W*(?:datos\b|(?:la )?(?:empresa|empleador\w*|(?:persona )?(?:trabajador|emplead)\w*|titular)\W*$)"
)
_PART = re.compile(r" (?=(?:Datos|DATOS) (?:del?|DEL?)\b)")
_COUNT = re.compile(
    r"^\W{0,9}(?:clausula )?(?:(?:\d{1,2}|[a-z]|[ivx]{1,4}"
    r"|(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim)[ao]"
    r"|uno|dos|tres|cuatro|cinco|seis|siete)"
    r"(?:\.?[ªº])?[.:)-]{0,3})?\W{1,9}(?=[a-z]{2})"
)


class Clause(NamedTuple):
    """A stretch of the form of a fragment's text, with the folded label before or above it."""

    fragment: Fragment
    text: str
    start: int
    end: int
    lead: str = ""
    line: int = 0
    alone: bool = False
    """It is all of its line."""
    section: str = ""
    """The heading of the part of a form that it stands in: «datos de la empresa»."""

    @property
    def said(self) -> str:
        return self.text[self.start : self.end]


def form(text: str) -> str:
    """The text with words joined, lines that go on joined and columns marked by a bar; its letters stay."""
    text = _GAP.sub(" | ", _RULER.sub("", _BROKEN.sub("", text)))
    text = _PART.sub("\n", text)
    text = "\n".join(map(_columned, text.split("\n")))
    text = _GOES_ON.sub(r"\1 ", _EDGE.sub("", _SPACES.sub(" ", text)))
    for pattern, right in _SCANNED:
        text = pattern.sub(right, text)
    return text


def _columned(line: str) -> str:
    """The line with a bar for two spaces that part columns: beside a label, or in a row of many."""
    row = line.count("|") >= MOST_OF_PROSE
    line = _DASH.sub(lambda match: " | " if is_label_word(labels.fold(match["after"])) else match[0], line)
    return _TWO.sub(lambda match: f"{match['before']} | " if row else _column(match), line)


def _column(match: re.Match[str]) -> str:
    beside = (labels.fold(one).strip(":,)") for one in (match["before"], match["after"]))
    return f"{match['before']}{' | ' if any(len(one) > 2 and is_label_word(one) for one in beside) else ' '}"


def clauses(fragments: Sequence[Fragment]) -> Iterator[Clause]:
    """The clauses of a paper, in reading order."""
    number, lead, section = 0, "", ""
    heads: list[str] = []
    for fragment in fragments:
        text, at = form(fragment.text), 0
        for line in text.split("\n"):
            if line.strip():
                number += 1
                parts = list(_parts(fragment, text, at, at + len(line), number))
                titles = [labels.fold(part.said) for part in parts]
                if parts and not parts[0].lead:
                    parts[0] = parts[0]._replace(lead=lead)
                if len(heads) == len(parts) > 1 and (
                    sum(map(is_label, heads)) * 2 > len(heads) or all(map(_counted, titles))
                ):
                    row = "" if _counted(titles[0]) else titles[0]
                    parts = [
                        one._replace(
                            lead=" ".join(f"{head} {row if place and _counted(said) else ''}".split())
                        )
                        for place, (one, head, said) in enumerate(zip(parts, heads, titles, strict=True))
                    ]
                elif ":" in line:
                    heads = []
                elif len(parts) > 1 and not any(map(_counted, titles)):
                    heads = titles
                if len(parts) == 1 and _SECTION.match(titles[0]) and is_label(titles[0]):
                    section = titles[0]
                yield from (one._replace(section=section) for one in parts)
                last = titles[-1].strip(" .:|") if titles else ""
                lead = last if is_label(last) else ""
            else:
                heads = []
            at += len(line) + 1


def _parts(fragment: Fragment, text: str, start: int, end: int, number: int) -> Iterator[Clause]:
    """The clauses of a line; what stands after a label has it as its lead."""
    lead, kept, begin, columns = "", False, start, "|" in text[start:end]
    for stop in [*_STOP.finditer(labels.unaccented(text), start, end), None]:
        until = stop.start() if stop else end
        said = text[begin:until]
        # Cells are full of abbreviations.
        if stop and stop["point"] and (columns or _ABBREVIATED.search(said)):
            continue
        if stop and stop["colon"] and len(said.split()) > _LONGEST_LABEL:
            continue
        # Of «Salario: | 1.105,40» the empty cell is none.
        if said.strip(" .,-|") or (columns and not kept):
            # Of «1.842,50 Deducciones» the words after the number.
            folded = _COUNT.sub("", re.split(r"\d(?=\s)", labels.fold(said).strip(" .,-|"))[-1])
            yield Clause(fragment, text, begin, until, lead, number, begin == start and until == end)
            # Words that are no label still tell what an amount beside them is: «~ plus de nocturnidad».
            beside = stop and stop[0] in ("|", ";") and not _counted(folded)
            near = f"~ {folded}" if beside else ""
            sure = stop and (stop["colon"] or is_label(folded))
            lead = f"{folded}{'.' if stop and stop['point'] else ''}" if sure else near
        begin, kept = (stop.end() if stop else end), bool(stop and stop["colon"])


def _counted(folded: str) -> bool:
    return any(map(str.isdigit, folded))
