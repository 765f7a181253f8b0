"""Papers that a question points to («según el contrato»), and its words without those that name them."""

import re
from functools import lru_cache
from typing import NamedTuple

from lexicon.paper_fields import PaperKind, kinds
from text.textnorm import fold_for_search, stems

_SAYS = (
    r"(?:dic|pon|indic|senal|fij|establec|prev(?!i)|recog|reconoc|promet|mencion|conced|aleg|invoc|firm|figur"
    r"|const|declar|dict|ofrec|imput|impon|tien|ten|llev|contien|contempl|incluy|abon|asciend|tom|comput"
    r"|aplic|exig|pid|reclam|permit|menc|cit)(?:[aeo]|[ae]n|io|i?eron|aron|i?an?|aban?)|\b(?:es|da|dan|daban?|dio|dieron)"
)
_ADDED = r"(?: (?:aportad|adjunt|recibid|firmad)[oa]s?)?"
_WHICH = r"(?:la|el|las|los|mis?|sus?|est[ea]|dich[oa])"
# What a paper says or somebody did, not what the law provides: «¿qué alega la empresa?», «¿quién lo firmó?».
_OF_THE_CASE = re.compile(
    r"\b(?:aleg|invoc|firm|const|figur|imput)(?:an?|aba|ado|ó)\b|\b(?:reconoc|ofrec)(?:en?|ía|ido|ió)\b"
    r"|\b(?:ha|han|he|hemos) (?:puesto|dicho|pagado|abonado|pedido|solicitado|comunicado|entregado)\b"
    r"|\b(?:dicen?|pone|indica|señala)\b(?! (?:el art|la ley|el estatuto|la norma|la jurisp))"
    r"|\b\w{2,}(?:ó|aban?|[ai]eron|aron)\b|\bfue(?:ron)?\b|\b(?:ten|ven|hac|pon|dec)ían?\b",
    re.I,
)
_JUDGED = re.compile(
    r"\b(?:es|son|esta|estan|seria|hay|fue) (?:\w+ )?(?:correct|legal|licit|valid|nul|proceden|improceden"
    r"|conform|suficien|obligatori|bien|ajustad|posible|necesari)\w*(?: (?:hech|calculad)\w+)?"
    r"|\b(?:deb|pued|pod)\w*\b|\b(?:tien\w*|teng\w*|hay) (?:que|derecho)\b|\bcabe\b|\ben plazo\b"
    r"|\b(?:respet|vulner|incumpl|infring|correspond|consecuencia|requisito)\w*|\bque (?:pasa|ocurre)\b"
)
_VALUE = re.compile(r"\b(?:cuant[oa]s?|fecha|dia|quien(?:es)?|importe|cantidad|cuantia)\b")
_HAS = re.compile(r"ti?en|es$")
_DATE = re.compile(r"\b(?:que|cual es la) fecha\b|\bque dia\b")
# There is one worker in a case: her name tells no line from another.
_NAME = re.compile(r"(?<=\w )[A-ZÁÉÍÓÚÑ][a-záéíóúüñ]+")
_WORD = re.compile(r"\w+")
_IF = re.compile(r"\bsi\b", re.I)


class AskedPaper(NamedTuple):
    """Papers in a question, and its words beside them.

    Attributes:
        kinds: kinds of the papers that it points to.
        rest: its words without accents, and without those that point to papers, name persons, say or judge.
        of_case: it asks what a paper says or what somebody did, not what the law provides.
        surely: no law can be meant: its own words say so, not only the name of a paper.
    """

    kinds: tuple[PaperKind, ...]
    rest: str
    of_case: bool
    surely: bool = False


def asked_paper(question: str) -> AskedPaper:
    """The papers that a question, or one part of several, points to."""
    said = fold_for_search(question)
    pointed: list[PaperKind] = []
    by = surely = False
    for kind in kinds():
        for match in _named(kind.called.pattern).finditer(said):
            if _points(match, kind, said):
                pointed.append(kind)
                by = by or bool(match["by"])
                surely = surely or _says(match)
                said = said.replace(match[0], f"{match['says'] or ''} {match['told'] or ''}", 1)
    date = bool(pointed) and bool(_DATE.search(said))
    judged = not by and not date and bool(_JUDGED.search(said) or _IF.search(question))
    told = bool(_OF_THE_CASE.search(question))
    rest = re.sub(rf"{_JUDGED.pattern}|\b(?:{_SAYS})\b", " ", said)
    names = {fold_for_search(one) for one in _NAME.findall(question)}
    nameless = _WORD.sub(lambda word: "" if word[0] in names else word[0], rest)
    rest = " ".join((nameless if any(map(stems, nameless.split())) else rest).split())
    of_case = not judged and (bool(pointed) or told)
    return AskedPaper(tuple(dict.fromkeys(pointed)), rest, of_case, of_case and (surely or told or date))


def _says(match: re.Match[str]) -> bool:
    """True if it is asked what the paper says: «según la carta», «fija el contrato»."""
    said = match["says"] or match["told"] or ""
    return bool(match["by"] or match["inside"] or (said and not _HAS.match(said)))


def _points(match: re.Match[str], kind: PaperKind, question: str) -> bool:
    """True if the words around the name of a paper point to one; «de la carta» does if a value is asked."""
    weakly = match["says"] or match["told"] or (match["of"] and not kind.of_law)
    return _says(match) or bool(weakly and _VALUE.search(question))


@lru_cache
def _named(called: str) -> re.Pattern[str]:
    """The words that name a paper, called like this, and those around that point to it."""
    before = rf"(?P<by>segun|conforme a|a tenor de)|(?P<inside>en)|(?P<of>del?|por)|(?P<says>{_SAYS})"
    return re.compile(rf"(?:\b(?:{before}) )?\b(?:{_WHICH} )?\b(?:{called}){_ADDED}\b(?: (?P<told>{_SAYS}))?")
