"""Citations as people type them, in the one form that the reader of citations knows. Pure functions.

Every change keeps the length of the text: offsets stay those of the brief.
"""

import re
from difflib import SequenceMatcher

from casework.briefs import forms
from law.labels import fold
from law.norm_names import NormCatalogue

_DOTTED = re.compile(
    r"\b(?:[A-ZÑ]\.){1,7}[A-ZÑ]\b\.?|(?:(?<=del )|(?<=la ))(?:[A-ZÑ]\. ){1,7}[A-ZÑ]\b\.?"
    r"|\b[A-ZÑ]\.\s?[Cc](?:iv(?:il)?)?\b\.?"
)
"""«L.R.J.S.», «E.T», «C.c.»."""
_L_FOR_ONE = re.compile(r"(?:(?<=\d)[lI](?=[.\s]?\d)|(?<=[.\s])[lI](?=\d))")
"""«4l.1», as a scanner reads it."""
_SCANNED = re.compile(
    r"(?<![\w.])(?=[lO./ ]{0,11}\d)(?=[\d./ ]{0,11}[lO])[\dlO]{1,4}(?:/|\s?\.\s?)[\dlO]{1,4}(?![\w)/]|\.\w)"
)
"""«l2.3», «29.l», «3O.1», «lO/2O21»: one of two numbers has a letter for a digit."""
_AS_DIGITS = str.maketrans("lO", "10")
_ZERO = re.compile(r"(?<=[A-Z])0(?=[A-Z])")
_SPACED = re.compile(r"(?<=\d) \. ?(\d{1,2})(?!\d)")
_WORD = re.compile(r"\ba[a-záéíóúü]{5,9}(?=\s\d)", re.IGNORECASE)
_ALIKE = 0.8
"""Share of letters from which a word before a number is «artículo» with a slip of the fingers."""
_ARTICLE = r"\b(?:arts?\b\.?|art[íi]culos?)"
_ARTICLE_END = re.compile(rf"{_ARTICLE}\s*$", re.IGNORECASE)
_ANY_ARTICLE = re.compile(
    r"\b(?:art(?P<gap> )?\.?|arts\.?|art[íi]culos?)\s*[\dlI]{1,3}(?:\s?\.\s?[\dlI]{1,2})?\b", re.IGNORECASE
)
_RANGE = re.compile(
    r"\b(?P<noun>art(?=[.\s])|art[íi]culo)[.\s](?=\s?(?:\d[\d.,]*\s?,?\s(?:y\s)?)*(?P<first>\d{1,3})\s?[-–]\s?(?P<last>\d{1,3})\b)",
    re.IGNORECASE,
)
"""The «art. » of «art. 18 y 33-40»."""
_COUNTED = re.compile(rf"({_ARTICLE})(\s+n(?:[úu]m(?:ero\b|\b\.?)|\.?\s?[ºo°]\.?)\s*)(?=\d)", re.IGNORECASE)
_ORDINAL_ARTICLE = re.compile(r"\b(arts?)(?:\.?[ºª°]\.?|[,;](?=\s?\d))", re.IGNORECASE)
_SEVERAL = re.compile(r"\bDD\.?\s?([ATDF])\1\b\.?")
"""«DD.AA.», «DDTT»."""
_SEPARATED = re.compile(
    r"(?<![\w/,'’-])(?<!\d\.)(?P<article>\d{1,3})(?P<mark>[-,'’´`]\s?|\s)(?P<part>\d{1,2})(?![\d/%]|,\d|\.\d{3})"
    r"(?P<lettered>-[a-zñ]\b)?"
)
"""«37-4», «65,1», «59'3», «108 1», «54-2-d»."""
_SUFFIXED = re.compile(r"(?<=\d)\.(?=(?:bis|ter|qu[aá]ter)\b)")
_LETTERED = re.compile(r"(?<=\d)-(?=[a-zñ]\)|[a-zñ]\s+(?:del?\s|[A-ZÑ]{2}))")
_RANKS = tuple(
    (re.compile(rf"\b{spelled}(?=\s*(?:n[.ºúu°]\S*\s*)?\d+\s?/)", re.IGNORECASE), rank)
    for spelled, rank in (
        (
            r"R(?:eal\s|\.\s?)?D(?:ecreto\s?|to\.?\s?|\.\s?|\s?)[- ]?\s?Leg(?:islativo\b|vo\b\.?|\.|\b)",
            "RDLeg",
        ),
        (r"R(?:eal\s|\.\s?)?D(?:ecreto\s?|to\.?\s?|\.\s?|\s?)[- ]?\s?Ley\b", "RDLey"),
        (r"R\.?\s?D\.?\s?-\s?L\b\.?", "RDL"),
        (r"(?:R\.\s?(?:D\.|Decreto\b)|R\.?\s?Dto\.?)", "RD"),
        (r"(?:L\.\s?O\.|Ley\sOrg\.)", "LO"),
    )
)
_YEAR = re.compile(r"(?<=\d)(?:\s/\s?|/\s)(\d{4})\b")
_MORE_APARTADOS = re.compile(
    r"(\b(?:art\.?|art[íi]culo)\s*\d{1,3}(?:\s(?:bis|ter))?\.\d{1,2}(?:\.?[ºª°])?)"
    rf"((?:\s?,\s?{forms.FEW})*(?:\s?,)?\s[ye]\s{forms.FEW}(?![./ºª]))(?=\s+(?:del?\b|[A-Z]{{2}}|\())",
    re.IGNORECASE,
)
_MORE_BEHIND = re.compile(
    r"((?:[(;]\s?|\bel\s)(?P<article>1[6-9]|[2-9]\d|\d{3})\.\d{1,2})"
    rf"((?:\s?,\s?{forms.FEW})*\s[ye]\s{forms.FEW}(?![./ºª]))(?=\s+[A-Z]{{2}})"
)
"""«(103.1 y 2 LRJS»: articles are listed upwards, so that a small number behind is an apartado."""
_MORE_LETTERS = re.compile(r"(?<=\d)(?:\s?,?\s|\.)[a-zñ]\)(?:\s*(?:,|,?\s?[yeo]\s)\s*[a-zñ]\))+")


def typed(text: str, catalogue: NormCatalogue) -> str:
    """The text with its citations in the usual form: «art. 59'3 E.T» is «art. 59.3 ET »."""

    def undotted(match: re.Match[str]) -> str:
        letters = re.sub(r"[.\s]", "", match[0])
        return letters.ljust(len(match[0])) if catalogue.at(fold(letters), 0) else match[0]

    text = _SCANNED.sub(lambda match: match[0].translate(_AS_DIGITS), _ZERO.sub("O", text))
    text = _ANY_ARTICLE.sub(_scanned, text)
    text = _DOTTED.sub(undotted, text)
    for pattern, rank in _RANKS:
        text = pattern.sub(lambda match, rank=rank: rank.ljust(len(match[0])), text)  # type: ignore[misc]
    text = _YEAR.sub(lambda match: f"/{match[1]}".ljust(len(match[0])), text)
    text = _SEVERAL.sub(lambda match: f"D{match[1]}".ljust(len(match[0])), text)
    text = _ORDINAL_ARTICLE.sub(lambda match: f"{match[1]}.".ljust(len(match[0])), text)
    text = _WORD.sub(_article, text)
    text = _COUNTED.sub(lambda match: match[1] + " " * len(match[2]), text)
    text = _RANGE.sub(_plural, text)
    folded = fold(text)
    text = _SEPARATED.sub(lambda match: _pointed(match, text, folded, catalogue), text)
    return _SUFFIXED.sub(" ", _LETTERED.sub(".", text))


def without_parts(text: str) -> str:
    """A typed text without the letters and further apartados that hide the norm behind them."""
    text = forms.ORDINAL_POINT.sub(lambda match: match[1].ljust(len(match[0])), text)
    text = _MORE_LETTERS.sub(lambda match: " " * len(match[0]), text)
    text = _MORE_APARTADOS.sub(lambda match: match[1] + " " * len(match[2]), text)
    text = _MORE_BEHIND.sub(lambda match: match[1] + " " * len(match[3]), text)
    return forms.LONE_LETTER.sub(lambda match: " " * len(match[0]), text)


def _plural(match: re.Match[str]) -> str:
    return f"{match['noun']}s" if int(match["first"]) < int(match["last"]) else match[0]


def _scanned(match: re.Match[str]) -> str:
    """An article and its number without the letters and spaces that a scanner puts into numbers."""
    words = _L_FOR_ONE.sub("1", match[0].replace(" .", ". ", 1) if match["gap"] else match[0])
    return _SPACED.sub(lambda part: f".{part[1]}".ljust(len(part[0])), words)


def _article(match: re.Match[str]) -> str:
    word = fold(match[0])
    if word in {"articulo", "articulos"} or SequenceMatcher(None, word, "articulo").ratio() < _ALIKE:
        return match[0]
    return ("arts." if word.endswith("s") else "art.").ljust(len(word))


def _pointed(match: re.Match[str], text: str, folded: str, catalogue: NormCatalogue) -> str:
    """'54.2' of an article and its apartado; numbers that nothing makes those of an article stay."""
    mark, lettered = match["mark"], match["lettered"] or ""
    after_article = bool(_ARTICLE_END.search(text, max(0, match.start() - 12), match.start()))
    behind = forms.NORM_FOLLOWS.match(folded, match.end())
    named = bool(behind and (behind["same"] or catalogue.at(folded, behind.end())))
    is_less = int(match["part"]) < int(match["article"])
    wanted = {
        "-": (after_article or named) and is_less,
        ",": not mark.endswith(" ") and (after_article or named),
        " ": after_article and named and len(match["part"]) == 1,
    }.get(mark[0], after_article or named)
    if not (wanted or (lettered and mark == "-")):
        return match[0]
    point = ". " if len(mark) == 2 else "."
    return f"{match['article']}{point}{match['part']}{lettered.replace('-', '.')}"
