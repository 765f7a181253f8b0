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

_MONTH = "|".join((*labels.MONTHS, "setiembre"))
_ABBREVIATED = [month[:3] for month in labels.MONTHS]
_YEAR_WORDS = r"(dos mil(?: [a-z]+(?: y [a-z]+)?)?|mil novecientos [a-z]+(?: y [a-z]+)?)"
_DAY = re.compile(
    rf"\b(\d{{1,2}})[ºª]?\.? (?:de )?({_MONTH}|(?:{'|'.join(_ABBREVIATED)})\b\.?),? "
    r"(?:del? )?(?:ano )?(\d{4})\b"
    rf"|\b([a-z]+(?: y [a-z]+)?|\d{{1,2}}) (?:dias? )?de ({_MONTH}),? del? (?:ano )?{_YEAR_WORDS}"
    r"|\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b(?![/.-]\d)"
    r"|\b(?P<iso>\d{4}-\d{2}-\d{2})\b"
)
_SHORT = re.compile(rf"(\d{{1,2}})[ºª]? (?:de )?({_MONTH})\b")
_PLACE = r"[A-ZÁÉÍÓÚÑ](?:[^\W\d]|['’ /()·-]){1,40}?"
_AT = r"(?=\d|[^\W\d]+ (?:[yY] [^\W\d]+ )?(?:[Dd][IÍií][Aa][Ss]? )?[Dd][Ee] )"
_GIVEN = (
    r"(?:Dad[ao] en|E[nN](?: (?:la|LA) (?:[Cc]iudad|CIUDAD|[Vv]illa|VILLA) (?:de|DE))?) "
    rf"(?P<place>{_PLACE})(?: ?,? [aA](?: fecha)?(?: d[ií]a)?| ?,) {_AT}"
)
_SEATS = (
    (re.compile(f"^{_GIVEN}"), False),
    (re.compile(f"(?<= ){_GIVEN}"), True),
    (re.compile(rf"^(?P<place>{_PLACE})(?: ?,(?: [aA])?| [aA]) {_AT}"), True),
)
"""Lines that say where and when, up to the day; True where it must end the line."""
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
    read = next(filter(None, map(_read, _DAY.finditer(folded))), None)
    short = _SHORT.search(folded) if year and not read else None
    return _date(short[1], short[2], str(year)) if short else read


def _read(found: re.Match[str]) -> date | None:
    told = found["iso"].split("-")[::-1] if found["iso"] else filter(None, found.groups())
    return _date(*told)


def _date(number: str, month: str, year: str) -> date | None:
    """The day of these figures or folded words; None if there is no such day."""
    words = labels.number(number) or labels.number(number.rpartition(" ")[2]) or (0, 0)
    try:
        return date(
            full_year(year) if year.isdigit() else _year(year),
            int(month) if month.isdigit() else labels.month(month) or 1 + _ABBREVIATED.index(month[:3]),
            int(number) if number.isdigit() else words[0],
        )
    except ValueError:
        return None


def _year(words: str) -> int:
    """2023 of 'dos mil veintitres', 1998 of 'mil novecientos noventa y ocho'."""
    base, rest = (2000, words[8:]) if words.startswith("dos") else (1900, words[16:])
    units = labels.number(rest)
    return base + (units[0] if units else 0)


def full_year(digits: str) -> int:
    """2023 of '23', 1998 of '98'; four digits as they are."""
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year > 50 else 2000)


def seat(text: str) -> Dated | None:
    """Place and day of the line that says where and when a ruling is given, from its start or at its end."""
    for pattern, ends in _SEATS:
        for found in pattern.finditer(text):
            rest = text[found.end() :]
            told = _DAY.match(fold(rest))
            if told and not (ends and rest[told.end() :].strip(" .")) and (read := _read(told)):
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
