"""Whole norms that a derogatory provision repeals by their number. Pure functions.

A part of a norm, a norm with an exception and one that is only repealed «en lo que se oponga» stay out.
"""

import re
from collections.abc import Iterator

from law.labels import fold
from law.norm_names import NUMBERED, full_year, rank_of
from law.norms import Norm

NumberedNorm = tuple[str, str]
"""Rank, as `norm_names.rank_of`, and number: ('ley', '30/1992')."""

_BEGINS = re.compile(
    r"(?:^\W*(?:[\dºª]{1,3}\.?[ºª]?[.)]?\W*|[a-zñ]\)\W*)?"
    r"|\bderogad[oa]s?,?\s(?:\w+mente,?\s)?|\b(?:expresa|especial|particular|especifica|concreta)mente[:,]?\s)(?:el\s|la\s)?"
    r"(?:(?:texto refundido|reglamento|estatuto)\s[^;:]{0,140}?\baprobad[oa] por (?:el |la )?)?$"
)
"""Text before a norm of which all is repealed: the beginning of an item, «queda derogado el»."""
_NOT_ALL = re.compile(
    r",?\s(?:excepto|salvo|a excepcion|con excepcion|en (?:todo )?(?:cuanto|lo que|lo referente|lo relativo)"
    r"|en (?:los|sus) aspectos|por lo que)\b"
)
_ENDS = re.compile(r";|\n|\.\s|,? asi como |,? y (?:cuantas|todas)\s")


def repealed_in(text: str) -> Iterator[NumberedNorm]:
    """The norms that the text of a derogatory provision repeals whole."""
    for line in fold(text).split("\n"):
        for match in NUMBERED.finditer(line):
            stop = _ENDS.search(line, match.end())
            rest = line[match.end() : stop.start() if stop else len(line)]
            if _BEGINS.search(line[: match.start()]) and not _NOT_ALL.search(rest):
                yield rank_of(match["rank"]), full_year(match["number"])


def numbered(name: str) -> NumberedNorm | None:
    """The norm that a text names by its number first of all: 'Ley 42/1997, de 14 de noviembre'."""
    match = NUMBERED.match(fold(name))
    return (rank_of(match["rank"]), full_year(match["number"])) if match else None


def number_of(norm: Norm) -> NumberedNorm:
    """The rank and the number of a norm."""
    return rank_of(fold(norm.rank)), fold(norm.number)
