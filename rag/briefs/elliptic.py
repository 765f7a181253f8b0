"""Articles that a brief cites by their number alone, «lo del 195.2», «(86.3, párr. 2º)». Pure functions.

A decimal, an hour, a day or the number of a page is written the same way: such a number is read only where
its place, the words behind it and the articles that the brief cites elsewhere make it an article.
"""

import re
from collections.abc import Iterator, Sequence

from rag.briefs import patterns
from rag.law.mentions import Mention, unannounced

LAST_DAY, LAST_MONTH, MOST_APARTADOS = 31, 12, 20
_NUMBER = re.compile(
    r"(?<![\w./,:-])(?<!\d )(?P<article>\d{1,3})(?P<suffix>\s(?:bis|ter|quater)\b)?(?:\.(?P<part>[1-9]\d?))?"
    r"(?P<letter>\.?\s?[a-zñ]\))?(?![\w/%€ºª-]|[.,:]\d|\s[%€])"
)
_DETERMINED = re.compile(r"\b(?:el|del|al)\s(?:(?:propio|mismo|citado|referido|repetido|precitado)\s)?$")
_DAY = re.compile(
    r"\b(?:dia|fecha|desde|hasta|partir|recibid\w+|notificad\w+|entregad\w+|firmad\w+|comunicad\w+)\s(?:el|del|al)\s$"
)
_OPENED = re.compile(r"[(\[;]\s?(?:(?:cfr|vid|ver|ex|vease|segun|tambien|y|antes|hoy)\.?\s)?$")
_APPOSED = re.compile(r"[a-zñ)»\"],\s$")
_STARTING = re.compile(r"[\w»)\"][.;:]\s$")
_AND = re.compile(r"\s*(?:,|[ye]|,\s*[ye])\s*")
_CLOSED = re.compile(patterns.CLOSED)
_GOES_ON = re.compile(
    r"\s(?:y|e|o|u|ni|que|en|no|para|por(?!\s(?:cien|100))|a|al|con|sin|se|lo|la|les?|cuando|si|es|son|ha|como|ya"
    r"|tambien|solo|tampoco|(?:permit|dic|exig|establec|dispon|reconoc|impon|prohib|prev|defin|excluy|remit"
    r"|contien|aclar|fij|regul|orden|mand|señal|sancion|oblig|contempl|limit|tipific|garantiz|declar|consagr"
    r"|atribuy|otorg|conced|admit|autoriz|requier|precis|determin|previen)(?:e|a|en|an|ia|ian|aba|aban)?)\b"
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
        if match.start() in taken or not (match["suffix"] or match["part"] or match["letter"]):
            continue
        mention = unannounced(text, folded, match.start(), match.end())
        if mention is None:
            continue
        if end > 0 and _AND.fullmatch(folded, end, match.start()):
            is_one = _CLOSED.match(folded, mention.end) is not None
        else:
            is_one = _is_article(match, mention, folded, match["article"] in cited)
        if is_one:
            end = mention.end
            yield mention._replace(weak=False)


def _is_article(match: re.Match[str], mention: Mention, folded: str, cited: bool) -> bool:
    start, article, part = match.start(), int(match["article"]), int(match["part"] or 0)
    before = max(0, start - LOOK_BACK)
    detailed = bool(match["letter"]) or mention.end > match.end() or mention.start < start
    closed = _CLOSED.match(folded, mention.end)
    if not article or part > MOST_APARTADOS:
        return False
    sure = cited or (article > LAST_DAY and not match["suffix"])
    if _DETERMINED.search(folded, before, start):
        may_be_day = article <= LAST_DAY and part <= LAST_MONTH and not detailed
        if may_be_day and _DAY.search(folded, before, start):
            return False
        return bool((sure or (part > LAST_MONTH)) and (closed or _GOES_ON.match(folded, mention.end)))
    if _OPENED.search(folded, before, start):
        joined = _AND.match(folded, mention.end)
        return bool((cited or (detailed and sure)) and (closed or joined))
    if _APPOSED.search(folded, before, start):
        return bool(sure and closed)
    told = detailed or folded.startswith(":", mention.end)
    return bool(cited and told and _STARTING.search(folded, before, start))
