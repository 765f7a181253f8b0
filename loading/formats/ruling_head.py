"""The head of a judgment or a criterion as lines «label: value», and the days that it gives.

Heads come as labelled lines, as tables, with the label on a line of its own or glued to its value
(«Fecha10 Mayo 2018»), all on one line, and with spaced capitals.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from law import labels
from law.labels import fold
from loading.formats.broken_lines import Paragraph

HEAD = 60
MAX_VALUE = 200
MAX_LINE, MAX_TEXT = 600, 4000
"""Characters that are read of a line of a head and of one of its paragraphs."""

_LABELS = (
    "Roj|ECLI|(?:Id )?Cendoj|[ÓO]rgano|Sede|Secci[óo]n|Fecha(?: de (?:la )?(?:sentencia|resoluci[óo]n))?"
    "|Fecha Sentencia|Procedimiento|Ponente|Tipo de [Rr]esoluci[óo]n|Emisor|Jurisdicci[óo]n"
    r"|(?:N[.º°ª]+|N[úu]m(?:ero|\.)) (?:de )?"
    "(?:[Rr]ecurso|[Rr]esoluci[óo]n|[Ss]entencia|[Pp]rocedimiento|[Cc]onsulta)"
)
_SUBJECTS = "FECHA|MATERIA|ASUNTO|Materia|Asunto"
_GLUED = re.compile(rf"({_LABELS})(?=[A-ZÁÉÍÓÚÑ\d])")
_NEXT = re.compile(rf"(?<=[^\s:.\-–—])\s+(?=(?:{_LABELS.replace('|ECLI', '')}|{_SUBJECTS})\s*:\s*\S)")
_BARE = re.compile(
    rf"{_LABELS}|Asunto|Materia|Fecha de emisi[óo]n|Consulta|Criterio de [Gg]esti[óo]n", re.IGNORECASE
)
_AMBIGUOUS = re.compile(r"consulta|criterio de gestion|procedimiento")
_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_SPACED = re.compile(r"\b(?:[A-ZÁÉÍÓÚÑ] +){3,}[A-ZÁÉÍÓÚÑ]\b")
_DASHES = str.maketrans("‐‑‒", "---")

_MONTHS = "|".join((*labels.MONTHS, "setiembre"))
_ABBREVIATED = "|".join(month[:3] for month in labels.MONTHS)
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})[ºª]?\.? (?:de )?(?P<month>{_MONTHS}|(?:{_ABBREVIATED})\b\.?),? "
    r"(?:del? )?(?:ano )?(?P<year>\d{4})\b"
    rf"|\b(?P<day_words>[a-z]+(?: y [a-z]+)?|\d{{1,2}}) (?:dias? )?de (?P<month_of>{_MONTHS}),? "
    r"del? (?:ano )?(?P<year_words>dos mil(?: [a-z]+(?: y [a-z]+)?)?|mil novecientos [a-z]+(?: y [a-z]+)?)"
    r"|\b(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4}|\d{2})\b(?![/.-]\d)"
    r"|\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
)
_SHORT = re.compile(rf"(\d{{1,2}})[ºª]? (?:de )?({_MONTHS})\b")
_PLACE = r"[A-ZÁÉÍÓÚÑ](?:[^\W\d]|['’ /()·-]){1,40}?"
_AT = r"(?=\d|[^\W\d]+ (?:[yY] [^\W\d]+ )?(?:[Dd][IÍií][Aa][Ss]? )?[Dd][Ee] )"
_SEAT = re.compile(
    r"(?:Dad[ao] en|E[nN](?: (?:la|LA) (?:[Cc]iudad|CIUDAD|[Vv]illa|VILLA) (?:de|DE))?) "
    rf"(?P<place>{_PLACE})(?: ?,? [aA](?: fecha)?(?: d[ií]a)?| ?,) {_AT}"
)
_TOWN = re.compile(rf"(?P<place>{_PLACE})(?: ?,(?: [aA])?| [aA]) {_AT}")
_SMALL = frozenset({"de", "del", "la", "las", "los", "lo", "y", "e", "i", "da", "do"})


class Dated(NamedTuple):
    """The place and the day of «En Madrid, a 10 de mayo de 2018»."""

    place: str
    day: date


def despaced(text: str) -> str:
    """The text with «S E N T E N C I A» as one word; two blanks or more separate words."""
    return _SPACED.sub(
        lambda found: " ".join(word.replace(" ", "") for word in re.split(r" {2,}", found.group())), text
    )


def lines(paragraphs: Sequence[Paragraph]) -> list[str]:
    """The lines of these paragraphs, each label beside its value; the bars of tables are gone."""
    cells = _joined([cell for text in _rows(paragraphs) for cell in _cells(text)])
    return [" ".join(line[:MAX_LINE].split()) for line in cells]


def _rows(paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    for paragraph in paragraphs:
        for line in paragraph.text[:MAX_TEXT].translate(_DASHES).split("\n"):
            if line.strip() and not _RULE.fullmatch(line.strip()):
                yield despaced(line.strip())


def _cells(row: str) -> list[str]:
    if not row.startswith("|"):
        return _NEXT.split(_GLUED.sub(r"\1: ", row, count=1) if _GLUED.match(row) else row)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    pairs = zip(cells[::2], cells[1::2], strict=False)
    alone = cells[-1:] if len(cells) % 2 else []
    return [f"{label.rstrip(':')}: {value}" for label, value in pairs if label or value] + alone


def _joined(cells: Sequence[str]) -> list[str]:
    """The lines with each label that stands alone before the line that holds its value."""
    told: list[str] = []
    waiting = ""
    for cell in cells:
        if waiting and (waiting.endswith(":") or not _is_label(cell)) and len(cell) <= MAX_VALUE:
            told.append(f"{waiting.rstrip(':')}: {cell}")
            waiting = ""
            continue
        told += [waiting] if waiting else []
        waiting = ""
        if _is_label(cell) and (cell.endswith(":") or not _AMBIGUOUS.fullmatch(fold(cell))):
            waiting = cell
        else:
            told.append(cell)
    return [*told, *([waiting] if waiting else [])]


def _is_label(cell: str) -> bool:
    return _BARE.fullmatch(cell.rstrip(": ")) is not None


def labelled(head: Sequence[str], label: str) -> str:
    """The value of the first line whose folded label matches; empty without one."""
    pattern = re.compile(rf"(?:{label})\s*:\s*(?=\S)")
    return next((line[found.end() :] for line in head if (found := pattern.match(fold(line)))), "")


def day(text: str, year: int | None = None) -> date | None:
    """The first day of `text` in any spelling, also in words.

    Args:
        year: that of a day written without it, «de 11 de julio».
    """
    folded = fold(text)
    for found in _DAY.finditer(folded):
        if (read := _read(found)) is not None:
            return read
    short = _SHORT.search(folded) if year else None
    return _date(int(short[1]), labels.month(short[2]), year) if short and year else None


def _read(found: re.Match[str]) -> date | None:
    told = found.groupdict()
    if told["iso"]:
        year, month, number = map(int, told["iso"].split("-"))
        return _date(number, month, year)
    if told["d"]:
        return _date(int(told["d"]), int(told["m"]), full_year(told["y"]))
    if told["day"]:
        return _date(int(told["day"]), _month(told["month"]), int(told["year"]))
    words = told["day_words"]
    if words.isdigit():
        return _date(int(words), _month(told["month_of"]), _year(told["year_words"]))
    number_of = labels.number(words) or labels.number(words.rpartition(" ")[2])
    return _date(number_of[0], _month(told["month_of"]), _year(told["year_words"])) if number_of else None


def _month(name: str) -> int:
    """Number of a month of a folded name or abbreviation."""
    return labels.month(name) or 1 + [month[:3] for month in labels.MONTHS].index(name[:3])


def _year(words: str) -> int:
    """2023 of 'dos mil veintitres', 1998 of 'mil novecientos noventa y ocho'."""
    base, rest = (2000, words[8:]) if words.startswith("dos") else (1900, words[16:])
    units = labels.number(rest)
    return base + (units[0] if units else 0)


def _date(number: int, month: int, year: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None


def full_year(digits: str) -> int:
    """2023 of '23', 1998 of '98'; four digits as they are."""
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year > 50 else 2000)


def seat(text: str) -> Dated | None:
    """Place and day of the line that says where and when a ruling is given, from its start or at its end."""
    for pattern in (_SEAT, _TOWN):
        for found in pattern.finditer(text):
            told = _DAY.match(fold(text[found.end() :]))
            last = told is not None and not text[found.end() + told.end() :].strip(" .")
            first = found.start() == 0
            placed = first or text[found.start() - 1] == " "
            if told and ((first and pattern is _SEAT) or (last and placed and (first or pattern is _SEAT))):
                read = _read(told)
                if read:
                    return Dated(titled(found["place"]), read)
    return None


def seat_of(head: Sequence[str]) -> str:
    """The place that a label of the head tells, or the line that says where and when."""
    told = titled(labelled(head, "sede"))
    return told or next((dated.place for line in head if (dated := seat(line))), "")


def titled(words: str) -> str:
    """«BASILISA NÚÑEZ DE ARCE» as a name; what is not all in capitals stays."""
    if not words.isupper():
        return words.strip()
    small = (word.lower() if word.lower() in _SMALL else word.title() for word in words.split())
    told = " ".join(small).strip()
    return told[:1].upper() + told[1:]
