"""The provisions that a question names, with the part of each that it asks about. Pure functions."""

import re
from collections.abc import Iterable, Sequence

from law.norms import Reference
from rag.question.understanding import AskedPart
from text.textnorm import stems

_ASKS_TEXT = re.compile(
    r"\b(?:texto|tenor|literal\w*|[ií]ntegr\w+|transcr[ií]\w+|reprod[uú]\w+|c[oó]pia\w*|d[aeé]me"
    r"|mu[eé]str[ae]\w*|ens[eé][ñn][ae]\w*)\b",
    re.I,
)
_SAYS = re.compile(r"\b(?:dice|pone|establece|dispone|se[ñn]ala|regula)\b", re.I)
_NAMED = r"\bletras? ([a-zñ])\b(?!\)? del (?:art[ií]culo|art\.?) (?!{number}\b))"
# «52.d», «52 d», «52 d)»: of the letters that are words too, only those with a mark.
_JOINED = (
    r"\b{number}(?: (?:bis|ter|quater))?(?:\.\d{{1,2}})?(?:\.\s?([a-zñ])\b|\s([b-df-nñp-xz])\b|\s?([a-zñ])\))"
)
_NUMBER = re.compile(r"\b[a-zñ]\)?[.,]? ?(?:n[úu]mero )?(?P<number>\d{1,2})\.?[ºª°]", re.I)


def asks_text(question: str, references: Iterable[Reference], parts: Sequence[AskedPart]) -> bool:
    """True if the text of a provision is asked for, or nothing but one is named: «qué dice el 49.1.b»."""
    if _ASKS_TEXT.search(question):
        return True
    rest = question
    for one in references:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    return bool(parts) and not stems(_SAYS.sub(" ", rest))


def asked_parts(question: str, references: Iterable[Reference]) -> tuple[AskedPart, ...]:
    """Each provision that a reference of the question names, with the part of it that is asked about."""
    return tuple(
        AskedPart(norm_id=one.norm_id, label=one.label, path=_path(question, one.label, one.apartado))
        for one in references
        if one.label is not None
    )


def _path(question: str, label: str, apartado: str | None) -> tuple[str, ...]:
    """('1', 'c') of the part asked for, with '' for an apartado that is left open; empty for none."""
    number = re.escape(label.rpartition(" ")[2]) or r"\d+"
    patterns = (pattern.format(number=number) for pattern in (_JOINED, _NAMED))
    letter = next(filter(None, (re.search(pattern, question.lower()) for pattern in patterns)), None)
    if letter is None:
        return (apartado,) if apartado else ()
    rule = _NUMBER.search(question, letter.start(letter.lastindex or 0))
    return (apartado or "", letter[letter.lastindex or 0], *([rule["number"]] if rule else []))
