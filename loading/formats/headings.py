"""Headings of legal text: articles, disposiciones, annexes, TÍTULO… and named sections.

«Artículo 45 de la Ley…» inside a sentence is not a heading: a heading begins with a capital and its number is
followed by a full stop, a colon, a dash or nothing.
"""

import re
from typing import NamedTuple

from law import labels
from law.norms import BlockKind

LEVELS = {"libro": 0, "titulo": 1, "capitulo": 2, "seccion": 3, "subseccion": 4}
MAX_HEADING = 250
MAX_SECTION = 90

_LEVEL = re.compile(rf"({'|'.join(LEVELS)})\s+(?=([a-z]+|\d+))")
_ROMAN = re.compile(r"(?:[ivxl]+|preliminar|unic[oa])\b")
_GATE = re.compile(
    r"(?:Art[íi]culos?|ART[ÍI]CULOS?|Art\.|ART\.|Disposici[óo]n|DISPOSICI[ÓO]N|Disp\.|A[Nn][Ee][Xx][Oo])(?=$|[\s.:])"
)
_LEVEL_GATE = re.compile(
    r"(?:LIBRO|Libro|T[ÍI]TULO|T[íi]tulo|CAP[ÍI]TULO|Cap[íi]tulo|SECCI[ÓO]N|Secci[óo]n|SUBSECCI[ÓO]N|Subsecci[óo]n)\s"
)
_AFTER_NUMBER = re.compile(r"\s*[ºª°]?\s*(?:[.:\-–—)](?!\d)|$)")
_AFTER_LEVEL = re.compile(r"\s*[ºª°]?\.?[ºª°]?\s*(?:[.:\-–—]|$|(?=[A-ZÁÉÍÓÚÑ¿«]))")
BARE = re.compile(r"\w+ \S+(?: (?:bis|ter|quater|quinquies))?\.?")
_GROUP = re.compile(r"disposiciones (adicional|transitoria|derogatoria|final)(?:es|s)?\.?")
KIND_NAMES = {kind: name for name, kind in labels.DISPOSITIONS.items()}
_ORDINAL = re.compile(r"[A-ZÁÉÍÓÚ][A-Za-zÁÉÍÓÚáéíóú]+(?: [A-ZÁÉÍÓÚa-záéíóú]+)?\s?(?:\.-?|:|\.–)\s*(?=\S|$)")
_RULE = "─━—–-=_*#~"
_LINE_RULE = re.compile(rf"[{re.escape(_RULE)}\s]{{3,}}")
_RULE_LENGTH = 3
_SPACED = re.compile(r"(?:[A-ZÑÁÉÍÓÚÜ] +){3,}[A-ZÑÁÉÍÓÚÜ]")
_CAPITALS = re.compile(r"[^a-zñáéíóúü]*[A-ZÑÁÉÍÓÚÜ]{4,}[^a-zñáéíóúü]*")


class Ordinal(NamedTuple):
    """«Primera.» under a heading «DISPOSICIONES ADICIONALES»."""

    label: str
    length: int


def level(line: str) -> int | None:
    """Level from 0 for LIBRO to 4 for Subsección; None for any other line."""
    found = _level(line)
    return found[0] if found else None


def division(line: str) -> int | None:
    """`level` of a line of running text: with a capital, and with its name or nothing after the number."""
    found = _level(line) if len(line) <= MAX_HEADING and _LEVEL_GATE.match(line) else None
    return found[0] if found and _AFTER_LEVEL.match(line, found[1]) else None


def _level(line: str) -> tuple[int, int] | None:
    """Level of a line, and end offset of its number."""
    folded = labels.fold(line)
    match = _LEVEL.match(folded)
    if match is None:
        return None
    if roman := _ROMAN.match(folded, match.end()):
        return LEVELS[match.group(1)], roman.end()
    number = labels.parse_number(folded[match.end() :])
    return (LEVELS[match.group(1)], match.end() + number[1]) if number else None


def provision(line: str) -> labels.Label | None:
    """The label of a line of running text that begins an article, a disposición or an annex."""
    if not _GATE.match(line):
        return None
    found = labels.of_heading(line)
    if found is None or (_GROUP.fullmatch(labels.fold(line)) and line.rstrip(".").lower().endswith("es")):
        return None
    if found.kind is BlockKind.ANNEX:
        return found if len(line) <= MAX_HEADING and (line.isupper() or _annex_ends(line)) else None
    return found if _AFTER_NUMBER.match(line, _number_end(line)) else None


def _annex_ends(line: str) -> bool:
    """True if a stop or nothing follows the number: «Anexo 2.I Hoja» is a form that an article lists."""
    number = r"\w+(?:\s+(?:[IVXLC]+|\d{1,3}|[A-Z]))?\s*"
    return re.match(rf"{number}(?:\.(?![IVXLC\d]+\b)|[:\-–—]|$)", line) is not None


def _number_end(line: str) -> int:
    """End offset of the number of an article or disposición in its heading."""
    folded = labels.fold(line)
    words = re.match(r"(?:articulos?|art\.|(?:disposicion|disp\.)\s+[a-z]+)\s*", folded)
    start = words.end() if words else 0
    first = labels.parse_number(folded[start:])
    if first is None:
        return len(folded[:start].rstrip())
    end = start + first[1]
    joint = re.match(r"\s+(?:a|al|y)\s+", folded[end:])
    second = labels.parse_number(folded[end + joint.end() :]) if joint else None
    return end + joint.end() + second[1] if joint and second else end


def group(line: str) -> BlockKind | None:
    """Kind of the blocks below a heading such as «DISPOSICIONES ADICIONALES»; None for another line."""
    match = (
        _GROUP.fullmatch(labels.fold(line)) if line.startswith(("Disposiciones", "DISPOSICIONES")) else None
    )
    return labels.DISPOSITIONS[match.group(1)] if match else None


def ordinal(line: str) -> Ordinal | None:
    """«Primera. Texto» or «TERCERA.- Título» and how long the marker is."""
    match = _ORDINAL.match(line)
    number = labels.parse_number(labels.fold(line)) if match else None
    if match is None or number is None or line[0].isdigit() or number[1] > match.end():
        return None
    return Ordinal(number[0], match.end()) if not line[number[1] : match.end()].strip(" .-–:") else None


def starts(line: str) -> bool:
    """True if a line is the heading of a provision, a division or a group."""
    return bool(provision(line) or division(line) is not None or group(line))


def is_bare(line: str) -> bool:
    """True for «CAPÍTULO IV» alone: the next line is its name."""
    return division(line) is not None and BARE.fullmatch(line) is not None


def is_delimiter(line: str) -> bool:
    """True for a rule, alone or around a name: `─── NOMBRE ───`, `======`."""
    return _LINE_RULE.fullmatch(line) is not None or section_name(line) is not None


def section_name(line: str) -> str | None:
    """The name inside a delimiter line (S3.1), None in any other."""
    text = line.strip()
    after, before = text.lstrip(_RULE), text.rstrip(_RULE)
    if min(len(text) - len(after), len(text) - len(before)) < _RULE_LENGTH:
        return None
    name = after.lstrip()[: len(before) - len(text) or None].rstrip()
    return name if name and name[0] not in _RULE and "\n" not in name else None


def is_spaced(line: str) -> bool:
    """True for «F A L L O»."""
    return _SPACED.fullmatch(line) is not None


def is_capitals(line: str) -> bool:
    """True for a short line all in capitals, the usual section heading of judgments and criteria."""
    return (
        len(line) <= MAX_SECTION
        and (_CAPITALS.fullmatch(line) is not None or is_spaced(line))
        and not line.endswith((",", ";"))
        and ":" not in line[:-1]
    )
