"""A word on one side and its opposite on the other. Pure functions."""

import re
from collections.abc import Iterator
from functools import cache

from rag.answers.claims.claim import Claim, clauses, short
from rag.answers.claims.negation import DENIED, NO
from rag.answers.claims.scope import ABSOLUTE, GENERAL
from rag.answers.claims.stance import EXCEPTION
from rag.lexicon.data import read
from rag.text.textnorm import fold

MOST = 3
"""Sentences of the law, the nearest ones, in which an opposite is looked for."""
_PREFIXES = ("in", "im", "des", "ir")
_UNABLE = re.compile(r"(?:in|im|ir)([a-z]{5,})[ai]bles?")
_QUALIFIES = re.compile(r"(?:bles?|[ae]ntes?|[ai]d[oa]s?|os[oa]s?|ori[oa]s?|mente)$")
_MUST = re.compile(r"\bdeberan?\b")
_STATUS = re.compile(
    r"\b(?:es|sera|son|seran|se (?:declara\w*|considera\w*|entiende|califica\w*|reputa\w*)|declarad[oa]"
    r"|calificad[oa]|considerad[oa]|queda)"
    r"(?: (?:siempre|como|de|en todo caso|automaticamente))* (?P<what>nul[oa]s?|improcedentes?"
    r"|procedentes?)\b"
)
_EXCEPT = re.compile(r"\b(?:salvo|except\w+|a menos|sino|en cambio|mientras que|frente a|al contrario)\b")
_CONDITION = re.compile(r"\b(?:si|cuando|salvo|except\w+|pact\w+|siempre que|a menos)\b")
_CASE = re.compile(r"\b(?:si|cuando|en (?:el )?(?:caso|supuesto) de|siempre que|solo)\b")
_PACT = re.compile(r"\b(?:salvo|excepto|a menos) (?:que|pacto|acuerdo)\b[^;.]*$")
_LEADING = re.compile(r"^\W*(?:salvo|excepto|a menos)\b[^,;.]*, ")


def opposites(claim: Claim) -> Iterator[str]:
    """A word of the sentence whose opposite the near sentence has in its place, neither of them denied."""
    if not claim.near:
        return
    main = _LEADING.sub("", claim.folded) if ABSOLUTE.search(claim.there) else claim.folded
    main = main if EXCEPTION.search(claim.there) else _PACT.sub("", main)
    if _EXCEPT.search(main):
        return
    said = _asserted(main)
    near = [fold(one) for one in claim.near[:MOST]]
    general = bool(GENERAL.search(main))
    rules = " ".join(EXCEPTION.sub(" ", one) for one in near if not (general and _CASE.search(one)))
    rules = _MUST.sub(" obligatorio ", rules)
    for one, folded in zip(claim.near, near, strict=False):
        if _EXCEPT.search(folded) and _CONDITION.search(claim.folded):
            continue
        there = _asserted(EXCEPTION.sub(" ", folded))
        if (
            _prefixed(said, there)
            or _prefixed(there, said)
            or _paired(said, there, main, rules)
            or _status(claim.folded, folded)
        ):
            yield DENIED.format(there=short(one))
            return


def _asserted(folded: str) -> str:
    """The clauses without a negation."""
    parts = (part for one in clauses(folded) for part in re.split(r"\by\b", one))
    return " , ".join(part for part in parts if not re.search(rf"\b(?:{NO}|ni|sin)\b", part))


def _prefixed(one: str, other: str) -> bool:
    """True for «procedente» in one text and «improcedente» in the other, each without the other's word."""
    words, others = set(re.findall(r"[a-z]{6,}", one)), set(re.findall(r"[a-z]{6,}", other))
    unable = {match[1] for word in others if (match := _UNABLE.fullmatch(word))}
    if any(word.startswith(stem) for word in words for stem in unable) and not words & others & unable:
        return not any(_UNABLE.fullmatch(word) for word in words)
    words = {word for word in words if _QUALIFIES.search(word)}
    return any(
        prefix + word in others and prefix + word not in words and word not in others
        for word in words
        for prefix in _PREFIXES
    )


@cache
def _pairs() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Each pair of opposites, both ways round."""
    pairs = [[re.compile(rf"\b(?:{words})") for words in pair] for pair in read("claims.toml")["opposites"]]
    return tuple(both for one, other in pairs for both in ((one, other), (other, one)))


def _paired(said: str, there: str, sentence: str, rules: str) -> bool:
    """True for a pair whose words the two have, if the rules of the law do not have both.

    A rule for one case alone is none for a sentence that says «in every case».
    """
    return any(
        a.search(said) and b.search(there) and not b.search(sentence) and not a.search(rules)
        for a, b in _pairs()
    )


def _status(sentence: str, near: str) -> bool:
    """True if a dismissal is said to be what the near sentence says otherwise."""
    said = {match["what"][:4] for match in _STATUS.finditer(sentence)}
    there = {match["what"][:4] for match in _STATUS.finditer(near)}
    return (
        bool(said and there) and not said & there and not any(re.search(rf"\b{word}", near) for word in said)
    )
