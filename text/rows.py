"""Rows of tables: their cells and headers, the columns that a question asks about, and how a row is said."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, takewhile, zip_longest

from text.segmentation import is_row
from text.textnorm import stems

_RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
_CELL = re.compile(r"(?<!\\)\|")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_VALUE = re.compile(
    r"\W*\d[\d.,]*\W*(?:%|€|euros?|d[ií]as?|horas?|h|meses|semanas|naturales|laborables)?\W*", re.I
)
_ASKS_PAY = re.compile(r"\b(?:cobr\w+|gan[ao]\w*|sueldos?|salarios?|retribu\w+|n[oó]minas?)\b", re.I)
PAY = frozenset(stems("salario sueldo base"))
_QUESTIONS = re.compile(
    r"[?;]|,? [ye] (?=(?:(?:a|de|en|con|por) )?(?:qué|que|cu[aá]l\w*|cu[aá]nt\w+)\b)", re.I
)
_DIGIT = re.compile(r"\d")
PREFIX = 5


def years(text: str) -> set[str]:
    """The years that a text names: {'2026'}."""
    return set(_YEAR.findall(text))


def is_rule(text: str) -> bool:
    """True for the line between the header of a table and its rows: «| --- | --- |»."""
    return is_row(text) and _RULE.fullmatch(text.strip()) is not None


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Offsets of the text of each cell of a row."""
    bars = [bar.start() for bar in _CELL.finditer(row)]
    spans = []
    for left, right in pairwise(bars):
        inside = row[left + 1 : right]
        start = left + 1 + len(inside) - len(inside.lstrip())
        spans.append((start, start + len(inside.strip())))
    return spans


def cells(row: str) -> list[str]:
    """The cells of a row, without its bars."""
    return [row[start:end].replace("\\|", "|") for start, end in cell_spans(row)]


def is_header(row: str, header: str) -> bool:
    """True for a row right under a header that goes on with it: the first column keeps its name."""
    first, above = cells(row)[0], cells(header)[0]
    return bool(first) and first == above


def headers(lines: Sequence[str]) -> tuple[int, ...]:
    """Places, among the lines of a table, of those of its header; none if no rule follows the first.

    The row under a title over all columns is of the header too, if it has no figures.
    """
    if len(lines) < 2 or not is_rule(lines[1]):
        return ()
    first = 2 if len(lines) > 2 and title(lines[0]) and not _DIGIT.search(lines[2]) else 0
    more = takewhile(lambda place: is_header(lines[place], lines[first]), range(2, len(lines)))
    return (0, *more)


def title(row: str) -> str:
    """Text of a row of several columns that is the same in all of them: a title over the table."""
    said = cells(row)
    distinct = set(filter(None, said))
    return distinct.pop() if len(said) > 1 and len(distinct) == 1 else ""


def names(headers: Sequence[str], width: int) -> list[str]:
    """Name of each column, from all rows of the header; empty ones if these have other columns."""
    columns = list(zip_longest(*map(cells, _naming(headers)), fillvalue=""))
    if len(columns) != width:
        return [""] * width
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _naming(headers: Sequence[str]) -> list[str]:
    """The rows of a header that name columns: without a title over them."""
    named = [line for line in headers if is_row(line)]
    return named[1:] if len(named) > 1 and title(named[0]) else named


def label(row: str) -> str:
    """The cells that say what the row is about: those that are no amount, date or duration."""
    return " ".join(cell for cell in cells(row) if not _VALUE.fullmatch(cell))


def asked_columns(query: str, row: str, headers: Sequence[str]) -> tuple[int, ...]:
    """Columns of values that the question names, by year and then by words; all if it names none.

    Each of the questions that «y» joins names its own.
    """
    said = cells(row)
    named = names(headers, len(said))
    values = [place for place, cell in enumerate(said) if _VALUE.fullmatch(cell)]
    # The first column names the row, also by a number: «| 3 | 1.433 |».
    values = [place for place in values if place] or values
    asked_years = years(query)
    chosen = [place for place in values if asked_years & years(named[place])] or values
    columns = {place: {*stems(named[place])} - asked_years for place in chosen}
    found = {place for question in _QUESTIONS.split(query) for place in _named_in(question, columns)}
    return tuple(place for place in chosen if place in found or not found)


def _named_in(question: str, columns: Mapping[int, set[str]]) -> list[int]:
    """Columns whose names say most of the question, each by its stems; none if no name says a word of it.

    One that asks for the pay, and names none, asks for the base salary.
    """
    for told in ({*stems(question)}, PAY if _ASKS_PAY.search(question) else frozenset()):
        met = {place: len(told & name) for place, name in columns.items()}
        if most := max(met.values(), default=0):
            return [place for place, count in met.items() if count == most]
    return []


def captions(headers: Sequence[str]) -> list[str]:
    """Of what stands over a row, what is no name of a column: the captions of its table and its title."""
    over = headers[: len(headers) - len(_naming(headers))]
    return [title(line) if is_row(line) else line for line in over]


def ruled(headers: Sequence[str]) -> list[str]:
    """Captions and header of a table as Markdown: the rule follows the first row of the header."""
    lines = list(headers)
    first = sum(not is_row(line) for line in headers)
    if lines[first:]:
        lines.insert(first + 1, "|" + " --- |" * len(cells(lines[first])))
    return lines


def row_in_words(row: str, headers: Sequence[str], columns: Collection[int]) -> str:
    """The row in words: each cell after the name of its column; of its values only those of `columns`."""
    found = cells(row)
    named = names(headers, len(found))
    return " · ".join(
        f"{name}: {cell}" if name else cell
        for place, (name, cell) in enumerate(zip(named, found, strict=True))
        if cell and (not (columns and place) or place in columns or not _VALUE.fullmatch(cell))
    )


def kin(stem: str, others: Collection[str]) -> bool:
    """True if one of the others begins like the stem: «camarera» and «camarería» name one job."""
    return len(stem) >= PREFIX and any(other[:PREFIX] == stem[:PREFIX] for other in others)
