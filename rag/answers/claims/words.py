"""Keys of a text: stems of its words, one for those that mean the same in labour law. Pure functions."""

import re
from functools import lru_cache

from rag.text.numerals import NUMERALS
from rag.text.textnorm import fold, stems

LETTERS = 6
"""Letters of a key: «salario» and «salarial» are one, «extinguirá» and «extingue» too."""
SYNONYMS = {
    "cuent": "comput",
    "cont": "comput",
    "cuentan": "comput",
    "hac": "realiz",
    "pag": "abon",
    "camb": "sustit",
    "reempl": "sustit",
    "finali": "exting",
    "termin": "exting",
}
"""Other verbs for the same, by their stems."""
_NOUNS = {
    "retrib": "salari",
    "sueld": "salari",
    "respond": "respons",
    "nomin": "salari",
    "remune": "salari",
    "huelgu": "huelg",
    "impon": "oblig",
    "impues": "fiscal",
    "tribut": "fiscal",
    "cost": "gast",
    "decid": "opcion",
    "decisi": "opcion",
    "elecci": "opcion",
    "eleg": "opcion",
    "elig": "opcion",
    "elij": "opcion",
    "opt": "opcion",
    "convie": "pact",
    "conven": "pact",
    "acuerd": "pact",
    "acord": "pact",
    "comuni": "notifi",
    "rescis": "exting",
    "rescin": "exting",
    "extinc": "exting",
    "sufrag": "abon",
    "satisf": "abon",
    "negati": "neg",
    "exigir": "exig",
}
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """trabaj empres articu ley norm cas person derech emple contra dia seman mes ano hor eur
        pued podr deb deber cab cad vez sol solament siempr mism dich cualqu vari primer minim maxim
        menor mayor tambie adema""",
    )
)
"""Keys of nearly every sentence, which tell nothing of what one is about, and those of amounts."""
_NUMBERS = frozenset(
    stem[:LETTERS]
    for stem in stems(
        f"{' '.join(NUMERALS)} cuarenta cincuenta sesenta setenta ochenta noventa cien ciento"
        " doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos mil"
    )
)
_SPELLED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\bmuy graves?\b", "gravisima"),
        (r"\b(?:emplead(?:or|ora|ores|oras)|patron(?:al|es|o)?|compania)\b", "empresa"),
        (r"\b(?:asalariad|operari)[oa]s?\b", "trabajador"),
    )
)


@lru_cache(maxsize=4096)
def keys(text: str) -> frozenset[str]:
    """Subject of a text: its keys without numbers and without those of nearly every sentence."""
    said = fold(text)
    for pattern, plain in _SPELLED:
        said = pattern.sub(plain, said)
    return frozenset(_key(stem) for stem in stems(said) if not stem.isdigit()) - _COMMON - _NUMBERS


def _key(stem: str) -> str:
    short = stem[:LETTERS]
    return SYNONYMS.get(short) or _NOUNS.get(short) or short
