"""Canonical labels of blocks: '38', '48 bis', 'da 3', 'dt única', 'anexo I'. Pure functions.

Loaders, references and lookups share one spelling for every form that norms use: 'Artículo treinta y uno',
'Art. 31.', 'Disposición adicional cuadragésima primera', 'Disposición final'.
"""

import re
from typing import NamedTuple

from law.chunks import Chunk
from law.norms import Block, BlockKind
from text.numerals import HUNDREDS, NUMERALS, ORDINALS, TENS

SOLE = "única"
SUFFIXES: str = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies|undecies|duodecies"

PREFIXES = {
    BlockKind.ADDITIONAL: "da",
    BlockKind.TRANSITIONAL: "dt",
    BlockKind.REPEALING: "dd",
    BlockKind.FINAL: "df",
}
DISPOSITIONS = {
    "adicional": BlockKind.ADDITIONAL,
    "transitoria": BlockKind.TRANSITIONAL,
    "derogatoria": BlockKind.REPEALING,
    "final": BlockKind.FINAL,
}

_PLAIN = tuple(
    zip(
        "ÁÉÍÓÚÀÈÌÒÙÄËÏÖÜÂÊÎÔÛÃÕÑÇáéíóúàèìòùäëïöüâêîôûãõñçİ\u00a0\u202f\u2009",
        "AEIOUAEIOUAEIOUAEIOUAONCaeiouaeiouaeiouaeiouaoncI   ",
        strict=True,
    )
)


def title_of(block: Block) -> str:
    """Title of a block for people; of one without it what it is, or else its id."""
    return block.title or ("Preámbulo" if block.kind is BlockKind.PREAMBLE else block.id)


def heading(chunk: Chunk) -> str:
    """The first line of a wording that says its heading; '' if it has none, like a section of a contract."""
    first, below, _ = chunk.text.partition("\n")
    if chunk.start or not below:
        return ""
    said = first.strip() == chunk.section.strip() or of_heading(first) is not None
    return first if said or chunk.kind is BlockKind.PREAMBLE else ""


def fold(text: str) -> str:
    """Lower case without accents (ñ becomes n), no-break spaces as spaces; always as long as `text`."""
    return unaccented(text).lower()


def unaccented(text: str) -> str:
    """As `fold`, in the case that it has."""
    if not text.isascii():
        # All of them take a tenth of the time of one `translate`.
        for accented, plain in _PLAIN:
            text = text.replace(accented, plain)
    return text


# «curenta» is how article 43 of Real Decreto-ley 17/1977 is printed.
_CARDINALS = (
    {word: value for value, word in enumerate(NUMERALS[:15], start=1)}
    | {word: 10 * value for value, word in enumerate(TENS, start=2)}
    | {word: 100 * value for value, word in enumerate(HUNDREDS[:5], start=1)}
    | {"cien": 100, "curenta": 40}
)
_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
MONTHS = tuple(_MONTHS.split())
ANY_MONTH = "|".join(MONTHS)
_TEN_STEMS = (
    "decim vigesim trigesim cuadragesim quincuagesim sexagesim septuagesim octogesim nonagesim centesim"
)
_TEN_ORDINALS = {stem: 10 * value for value, stem in enumerate(_TEN_STEMS.split(), start=1)}
_UNIT_ORDINALS = {fold(stem): value for value, stem in enumerate(ORDINALS, start=1) if value != 10}
_UNIT_ORDINALS["setim"] = 7
_WORD = re.compile(r"[a-z]+")
_TEN_PREFIX = re.compile(rf"({'|'.join(_TEN_ORDINALS)})[oa]?({'|'.join(_UNIT_ORDINALS)})[oa]?$")
_COMPOUND_CARDINAL = re.compile(r"(dieci|veinti)([a-z]+)$")

_ARTICLE = re.compile(r"(?:articulos?|arts?\b\.?)\s+(.+)")
_DISPOSITION = re.compile(
    r"(?:disposicion(?:es)?|disp\.)\s+(adicional|transitoria|derogatoria|final)(?:es|s)?\b\s*(.*)"
)
_ANNEX = re.compile(
    r"anexos?\b\s*(?:(?:n[uú]m(?:ero|\.)?|n\.?º)\s*)?([ivxlc]+|\d{1,3}|[a-z])?(?=$|[\s.:,;)»\-–—])"
)
_DIGITS = re.compile(r"(\d{1,4})(?!\d)")
_RANGE = re.compile(r"\s+(?:a|al|y)\s+")
_SUFFIX = re.compile(rf"[.\s]*[ºª°]?\.?\s*({SUFFIXES})\b")
_SOLE = re.compile(r"unic[oa]\b")
_APARTADO = re.compile(rf"(\d+)(?:\s*({SUFFIXES})\b)?", re.IGNORECASE)
_GONE = re.compile(
    r"[(«\[]*(?:derogad|suprimid|anulad|sin contenido|sin efecto|vacante|no vigente)\w*[.)»\]]*",
    re.IGNORECASE,
)


class Label(NamedTuple):
    """Kind and canonical label of the block that a heading names."""

    kind: BlockKind
    label: str


def month(name: str) -> int:
    """Number of the month of a folded name, 1 to 12; 0 for any other word."""
    name = "septiembre" if name == "setiembre" else name
    return MONTHS.index(name) + 1 if name in MONTHS else 0


def is_gone(line: str) -> bool:
    """True if a line says only '(Derogado)', '(Suprimida).', '(Sin contenido)'…"""
    return _GONE.fullmatch(line.strip()) is not None


def number(words: str) -> tuple[int, int] | None:
    """The Spanish number (cardinal or ordinal) that folded `words` begin with: (value, length read).

    None when they begin with something else. 'treinta y uno' is 31, 'cuadragesima primera' 41.
    """
    total, end = 0, 0
    last: int | None = None
    for match in _WORD.finditer(words):
        gap = words[end : match.start()]
        if gap.strip() or (end == 0 and match.start() > 0):
            break
        word = match.group()
        if word == "y" and last is not None and 20 <= last < 100:
            if _value(words[match.end() :].split(" ")[1:2]) is None:
                break
            end = match.end()
            continue
        value = _value([word])
        if value is None or (last is not None and value >= last):
            break
        total, end, last = total + value, match.end(), value
    return (total, end) if total else None


def _value(words: list[str]) -> int | None:
    """Value of one number word, simple or compound ('decimotercera', 'veintiuno')."""
    if not words or not (found := _WORD.match(words[0])):
        return None
    word = found.group()
    if word in _CARDINALS:
        return _CARDINALS[word]
    compound = _COMPOUND_CARDINAL.match(word)
    if compound and (unit := _CARDINALS.get(compound.group(2))):
        return unit + (10 if compound.group(1) == "dieci" else 20)
    stem = word[:-1] if word[-1] in "oa" else word
    simple = _UNIT_ORDINALS.get(stem) or _TEN_ORDINALS.get(stem)
    if simple:
        return simple
    prefix = _TEN_PREFIX.match(word)
    if prefix is None:
        return None
    return _TEN_ORDINALS[prefix.group(1)] + _UNIT_ORDINALS[prefix.group(2)]


def parse_number(words: str) -> tuple[str, int] | None:
    """'31', '48 bis' or 'única' that folded `words` begin with, and how many characters were read."""
    if sole := _SOLE.match(words):
        return SOLE, sole.end()
    digits = _DIGITS.match(words)
    if digits:
        base, end = digits.group(1).lstrip("0") or "0", digits.end()
    elif spelled := number(words):
        base, end = str(spelled[0]), spelled[1]
    else:
        return None
    suffix = _SUFFIX.match(words, end)
    return (f"{base} {suffix.group(1)}", suffix.end()) if suffix else (base, end)


def of_heading(heading: str) -> Label | None:
    """The label of a heading line, or None when it is not that of an article, disposición or annex.

    A heading over several articles ('Artículos 35 a 41.') is labelled '35-41'.
    """
    line = fold(heading).strip().lstrip("«\"'“")
    if match := _ARTICLE.match(line):
        value = _span(match.group(1))
        if value is None:
            return None
        return Label(BlockKind.ARTICLE, "único" if value == SOLE else value)
    if match := _DISPOSITION.match(line):
        kind, rest = DISPOSITIONS[match.group(1)], match.group(2)
        value = _span(rest) or (None if rest[:1].isalnum() else SOLE)
        return Label(kind, f"{PREFIXES[kind]} {value}") if value else None
    if (match := _ANNEX.match(line)) and (
        match.end() == len(line) or match.group(1) or line[match.end()] in ".:"
    ):
        return Label(BlockKind.ANNEX, annex(match.group(1)))
    return None


def holds_apartado(apartados: str, wanted: str | None) -> bool:
    """True if a range of apartados ('1-3', '4', '3-4 bis', 'a-c') holds that of a reference ('2', '4.a').

    Of a range of letters only the first is known to be held. Without an apartado the answer is False.
    """
    if not wanted:
        return False
    pieces = apartados.split("-")
    first, last, place = _place(pieces[0]), _place(pieces[-1]), _place(wanted)
    if first is None or place is None:
        return wanted.split(".")[0] == pieces[0]
    return first <= place <= (last or first)


def _place(apartado: str) -> tuple[int, int] | None:
    """Number and suffix of '4 bis' in the order of the law, or None for a letter."""
    found = _APARTADO.match(apartado.strip())
    if found is None:
        return None
    return int(found[1]), 1 + SUFFIXES.split("|").index(found[2].lower()) if found[2] else 0


def annex(name: str | None) -> str:
    """'anexo I', or 'anexo' when it is the only one."""
    return f"anexo {name.upper()}" if name else "anexo"


def _span(words: str) -> str | None:
    first = parse_number(words)
    if first is None:
        return None
    joint = _RANGE.match(words, first[1])
    second = parse_number(words[joint.end() :]) if joint else None
    return f"{first[0]}-{second[0]}" if second else first[0]
