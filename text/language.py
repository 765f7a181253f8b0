"""Tells a text that is clearly not in Spanish, by the little words that each language repeats."""

import re
from collections import Counter

from text.textnorm import words

MOST_WORDS = 2000
LEAST = 8
"""Little words of another language in a text that is in it."""
TIMES = 2
"""Times as many of them as of Spanish ones."""

_QUOTED = re.compile(r"«[^»]{0,1000}»|“[^”]{0,1000}”|\"[^\"]{0,1000}\"")
# Folded; of the other languages only those that Spanish does not have.
_SPANISH, *_OTHERS = (
    frozenset(known.split())
    for known in (
        "el los las y con del por una su lo se mas es pero si ha han cuando sin sobre este",
        "the of and to is are that for with you your not this by be which must may have an at from within",
        "et est une dans du pour qui vous pas au avec cette sont ou elle aux leur peut doit",
        "os uma do em com ao voce sao das nao ou na tem seu sua pode deve",
        "els amb dels aquest aquesta i per hi cal pot seva seu",
        "il che di non per gli della nel alla dei delle anche deve",
        "der die und das ist nicht ein zu den von mit auf im dem sich eine oder werden",
    )
)


def is_foreign(text: str) -> bool:
    """True for a text in another language, quotations in marks apart; False where there is any doubt."""
    said = Counter(words(_QUOTED.sub(" ", text))[:MOST_WORDS])
    spanish = sum(said[word] for word in _SPANISH)
    most = max(sum(said[word] for word in known) for known in _OTHERS)
    return most >= LEAST and most > TIMES * spanish
