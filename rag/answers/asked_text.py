"""The text of a provision that a question asks for, whole: «dame el texto del artículo 49.1.c) ET»."""

import re
from collections.abc import Sequence

from rag.answers.selection import Found, Passage

_ASKS_TEXT = re.compile(
    r"\b(?:texto|tenor|literal\w*|[ií]ntegr\w+|transcr[ií]\w+|reprod[uú]\w+|c[oó]pia\w*|d[aeé]me"
    r"|mu[eé]str[ae]\w*|ens[eé][ñn][ae]\w*)\b",
    re.I,
)
_NUMBERED = re.compile(r"\d+(?: (?:bis|ter|quater))?\.(?P<apartado>\d+)(?:\.?\s?(?P<letter>[a-zñ])\))?", re.I)
_NAMED = re.compile(r"\bapartados? (?P<apartado>\d+)|\bletras? (?P<letter>[a-zñ])\b", re.I)


def asked_text(question: str, named: Sequence[Found]) -> list[Passage]:
    """The passages of the named provision, in their order, if its text is asked for; else none.

    Args:
        named: the stretches of the provisions that the question cites.
    """
    if not named or not _ASKS_TEXT.search(question):
        return []
    part = _part(question)
    inside = [one for one in named if part and (one.label == part or one.label.startswith(f"{part}."))]
    return [one.passage(1.0) for one in inside or named]


def _part(question: str) -> str:
    """The apartado and letter asked for, as the numbering of a text names them: '1.c'; '' for none."""
    found = {
        name: value.lower()
        for pattern in (_NAMED, _NUMBERED)
        for match in pattern.finditer(question)
        for name, value in match.groupdict().items()
        if value
    }
    return ".".join(found[name] for name in ("apartado", "letter") if name in found)
