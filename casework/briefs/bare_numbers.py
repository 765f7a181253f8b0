"""Articles that a brief cites by their number alone, «lo del 195.2», «(86.3, párr. 2º)». Pure functions.

A decimal, an hour, a day or the number of a page is written the same way: such a number is read only where
its place, the words behind it and the articles that the brief cites elsewhere make it an article.
"""

import re
from collections.abc import Iterator, Sequence

from casework.briefs import forms
from law.reference_reading import Mention, unannounced

LAST_DAY, LAST_MONTH, MOST_APARTADOS = 31, 12, 20
_NUMBER = re.compile(
    r"(?<![\w./,:-])(?<!\d )(?P<article>\d{1,3})(?P<suffix>\s(?:bis|ter|quater)\b)?(?:\.(?P<part>[1-9]\d?))?"
    r"(?P<letter>\.?\s?[a-zñ]\)|(?<=\d)\.[a-zñ]\b)?(?![\w/%€ºª-]|[.,:]\d|\s[%€])"
)
_DETERMINED = re.compile(r"\b(?:el|del|al)\s(?:(?:propio|mismo|citado|referido|repetido|precitado)\s)?$")
_DAY = re.compile(
    r"\b(?:dia|fecha|desde|hasta|partir|recibid\w+|notificad\w+|entregad\w+|firmad\w+|comunicad\w+)\s(?:el|del|al)\s$"
)
_LISTED = r"(?:(?:cfr|vid|ver|ex|vease|segun|tambien|y|e|o|u|antes|hoy|si|es|pal|con|via|en|mas)\b\.?\s)"
_OPENED = re.compile(rf"(?:[(\[;|→»\"]\s?|\s[-–—]\s){_LISTED}?$|[a-z,]\s{_LISTED}$")
"""Words that may stand before such a number: no noun, whose number it would be."""
_APPOSED = re.compile(r"[a-zñ)»\"],\s$|\bpor\s$")
_STARTING = re.compile(r"[\w»)\"][.;:]\s$")
_AND = re.compile(r"\s*(?:,|[ye]|,\s*[ye])\s*(?:el\s|del\s)?")
_CLOSED = re.compile(forms.CLOSED)
_RULES = re.compile(
    r"\s+(?:no\s|ya\s|tambien\s|solo\s|le\s|lo\s|se\s)*"
    r"(?:permit|dic|exig|establec|dispon|reconoc|impon|prohib|prev|defin|excluy|remit|contien"
    r"|aclar|fij|regul|orden|mand|señal|sancion|oblig|contempl|limit|tipific|garantiz|declar|consagr|atribuy|otorg"
    r"|conced|admit|autoriz|requier|precis|determin|previen)(?:e|a|en|an|ia|ian|aba|aban)?\b"
)
"""Verbs that only a law is the subject of."""
_QUOTES = re.compile(r"\s?[:,]\s[«\"“]")
_GOES_ON = re.compile(
    r"\s+(?:y|e|o|u|ni|que|en|no|para|por(?!\s(?:cien|100))|a|al|con|sin|se|lo|la|les?|cuando|si|es|son|ha|como|ya"
    r"|tambien|solo|tampoco)\b"
)
LOOK_BACK = 40


def elliptic(text: str, folded: str, known: Sequence[Mention]) -> Iterator[Mention]:
    """The mentions of such numbers.

    Args:
        text: in the usual form; `folded` is its folding.
        known: mentions that have been found: inside them there are no others, and their articles are cited.
    """
    taken = {place for one in known if one.items for place in range(one.start, one.end)}
    cited = {item.label.split()[0] for one in known for item in one.items}
    end = -1
    for match in _NUMBER.finditer(folded):
        if match.start() in taken:
            continue
        mention = unannounced(text, folded, match.start(), match.end())
        if mention is None:
            continue
        if end > 0 and _AND.fullmatch(folded, end, match.start()) and not _is_bare(match, mention):
            is_one = _CLOSED.match(folded, mention.end) is not None
        else:
            is_one = _is_article(match, mention, folded, match["article"] in cited)
        if is_one:
            end = mention.end
            yield mention._replace(weak=False)


def rules(folded: str, start: int, end: int) -> bool:
    """True for «el 53.7 permite»: a number that can be nothing but an article's."""
    before = max(0, start - LOOK_BACK)
    behind = _RULES.match(folded, end) or _QUOTES.match(folded, end)
    return bool(behind and _DETERMINED.search(folded, before, start))


def _is_bare(match: re.Match[str], mention: Mention) -> bool:
    detailed = mention.end > match.end() or mention.start < match.start()
    return not (match["suffix"] or match["part"] or match["letter"] or detailed)


def _is_article(match: re.Match[str], mention: Mention, folded: str, cited: bool) -> bool:
    start, article, part = match.start(), int(match["article"]), int(match["part"] or 0)
    before = max(0, start - LOOK_BACK)
    detailed = bool(match["letter"]) or mention.end > match.end() or mention.start < start
    if not article or part > MOST_APARTADOS or forms.COUNTED.search(folded, before, start):
        return False
    sure = cited or (article > LAST_DAY and not match["suffix"])
    if _is_bare(match, mention):
        return sure and rules(folded, start, mention.end)
    closed = bool(_CLOSED.match(folded, mention.end))
    ends = closed or bool(_GOES_ON.match(folded, mention.end) or _RULES.match(folded, mention.end))
    lettered = bool(match["letter"] and match["part"])
    if _DETERMINED.search(folded, before, start):
        may_be_day = article <= LAST_DAY and part <= LAST_MONTH and not detailed
        day = may_be_day and _DAY.search(folded, before, start)
        return ends and not day and (sure or part > LAST_MONTH or detailed)
    if _OPENED.search(folded, before, start):
        return (sure or lettered) and (ends or _AND.match(folded, mention.end) is not None)
    if _APPOSED.search(folded, before, start):
        return (sure and closed) or (lettered and ends)
    told = detailed or folded.startswith(":", mention.end)
    return told and (cited or lettered) and _STARTING.search(folded, before, start) is not None
