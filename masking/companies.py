"""Names of companies: before «S.L.» and the other forms, and after words that announce one."""

import re
from collections.abc import Callable

from masking.finder import COMPANY, Finder, Page, Place
from masking.named_people import COMMON, names
from masking.names import WORD, capitals
from masking.words import NO_NAMES, NO_PERSON, TRADES, WORDS, either, plain_letters
from text.textnorm import STOPWORDS

MOST_WORDS = 8
_S = r"[ \t]+"
LONGEST = 90
# The form of a company closes its name: «Talleres Ruiz, S.L.U.». A run of spaces is tried only from its
# start: trying it from each space would take quadratic time.
_LETTERS = "|".join(r"\.?\s?".join(form) for form in sorted(WORDS["forms_spelt"], key=len, reverse=True))
_FORM = re.compile(
    rf"(?:,(?:{_S})?|(?<![ \t,]){_S})(?P<form>{either('forms_pointed')}"
    rf"|s\.?a\.?t\.?(?:\s(?:n\.?º\s?)?\d{{1,5}}(?!\d))?|(?:{_LETTERS})\.?"
    rf"|(?:s\.|sdad\.|soc\.)\s?coop\.?(?:\s?(?:{either('forms_regional')}\.?|andaluza|galega|valenciana))*"
    rf"|sociedad{_S}{either('forms')}(?:{_S}{either('forms_more')})?)(?!\w)"
)
_FORM_WORD = re.compile(r"S\.?[LAC]\.?(?:[A-Z]\.?){0,2}")
_LOW_FORM = re.compile(r"(?<![\w.])s\.?\s?(?:[la]|coop)\.?(?:\s?[ulp]\.?)?(?!\w)")
_LINK = r"(?:de\s+l[ao]s?|del|de|l[ao]s?|el|y|i|e|en|para|d[oa]s?|les|els|O|Os)"
_PIECE = rf"(?:(?:(?i:hnos|hno|cia|sdad|dist|constr|transp)\.)|{WORD}|[\d&+.]+\w*|&)"
_JOINED = re.compile(rf"(?<![\w/]){_PIECE}(?:,?{_S}{_PIECE}){{0,{MOST_WORDS}}}\Z")
_LOW_JOINED = re.compile(r"[\w&.]+(?: [\w&.]+){0,4} \Z")
# Before these the sentence goes on, and the name has not begun.
_SENTENCE = WORDS["sentence"]
_SERVES = WORDS["serves"]
_OPENING = _SENTENCE | {"en", "para"}
_FIRM = re.compile(
    rf"\w+(?:{_S}(?:{either('firm_goes_on')}|\w+(?:il|al|ica|era|iva|ria|ora)))?"
    rf"(?P<gap>{_S}|[ \t]*[:=][ \t]*)[«\"“]?"
)
_WORKS = re.compile(
    rf"\w+{_S}(?:(?:\w+{_S}){{1,2}}(?:anos?|meses|dias|semanas){_S}|de{_S}\w+{_S}|{either('works_goes_on')}{_S})?"
    rf"(?:en|para|por)(?:{_S}(?:el|la|un|una))?{_S}[«\"“]?"
)
_AMPERSAND = re.compile(rf"[A-ZÁÉÍÓÚÑ][\w'’]*{_S}?&{_S}?[A-ZÁÉÍÓÚÑ]\w*(?:{_S}[A-ZÁÉÍÓÚÑ]\w+){{0,2}}")
_ONE = re.compile(WORD)
# Two blanks part the columns of a form.
_NEXT = re.compile(
    rf"[ \t](?P<link>(?:(?i:{_LINK}){_S})*)"
    rf"(?P<word>\w{{1,12}}&\w{{1,12}}|{WORD}|\d{{1,4}}(?!\d|[.,/]\d))"
)


def _by_form(page: Page, match: re.Match[str]) -> Place | None:
    """The name before «S.L.», in capitals as forms are."""
    form = page.text[slice(*match.span("form"))]
    start = _start(page.text, match.start()) if form.istitle() or form.isupper() else None
    return None if start is None else (start, match.end())


def _by_low_form(page: Page, match: re.Match[str]) -> Place | None:
    """The name in small letters before «sl»."""
    start = _low_start(page.low, match.start()) if page.text[match.start()].islower() else None
    return None if start is None else (start, match.end())


def _firm(page: Page, match: re.Match[str]) -> Place | None:
    """The name after «la empresa» or «el establecimiento»."""
    text, start = page.text, match.start()
    # «Certificado de Empresa Libre de Estrés»: in a title all words have capitals.
    plainly = text[start].islower() or not match["gap"].isspace() or text[start : start + 2].isupper()
    return (match.end(), _announced(page, match.end())) if plainly else None


def _employer(page: Page, match: re.Match[str]) -> Place:
    """The name after «trabajo en»: a trade and a name, or two words that are no place."""
    start, first = match.end(), _ONE.match(page.low, match.end())
    if first is None or first[0] in TRADES:
        return start, _trade(page, start)
    read = capitals(page.text, start)
    sure = len(read.words) > 1 and not any(word in NO_PERSON for word in read.words)
    return start, read.end if sure else start


def _joint(page: Page, match: re.Match[str]) -> Place | None:
    """«UTE Presa de Iznavieja»."""
    end = capitals(page.text, match.end()).end
    return (match.start(), end) if end > match.end() else None


def _suffixed(page: Page, match: re.Match[str]) -> Place | None:
    """«Lex Nervión Asesores», «Bahía Consultores Laborales»."""
    text, end = page.text, match.end()
    before = _CAPITALS.search(text, max(0, match.start() - LONGEST), match.start())
    if before is None or not text[match.start()].isupper():
        return None
    if all(plain_letters(word) in _GENERIC | STOPWORDS | {"&"} for word in before[0].split()):
        return None
    while (
        (more := _ONE.match(text, end + 1)) and more[0][0].isupper() and _is_generic(plain_letters(more[0]))
    ):
        end = more.end()
    return before.start(), end


def _opened(page: Page, match: re.Match[str]) -> Place:
    """«Bar Manolo», «contra transportes el rápido»."""
    start = match.start()
    against = page.text[start].islower() and _AGAINST.search(page.low, max(0, start - 30), start) is not None
    return start, _trade(page, start, loosely=against)


def _is_generic(word: str) -> bool:
    return word in _GENERIC or word.removesuffix("es") in _GENERIC


_AGAINST = re.compile(r"(?<!\w)(?:contra|frente a|denunci\w+ a|demand\w+ a)\s(?:el\s|la\s)?\Z")
_SUFFIXES = WORDS["suffixes"]
_GENERIC = WORDS["generic"] | NO_PERSON | NO_NAMES | TRADES | _SUFFIXES
_PLACED = ("de",)
_BROTHERS = {"hermanos", "hermanas", "hnos", "hijos", "hijas", "viuda", "sobrinos", "casa"}
_CAPITALS = re.compile(rf"(?<!\w)(?:[^\W\d_a-zñáéíóúü](?:[\w'’-]+){_S}(?:(?:&|y){_S})?){{1,4}}\Z")


def _start(text: str, end: int) -> int | None:
    """Where the name before a form begins: its first capital after a word that belongs to the sentence."""
    before = _JOINED.search(text, max(text.rfind("\n", 0, end) + 1, end - LONGEST), end)
    if before is None:
        return None
    words = list(re.finditer(r"\S+", before[0]))
    first = 0
    for place, word in enumerate(words):
        key = plain_letters(word[0].strip(",."))
        own = not word[0][0].islower()
        if own and place and words[place - 1][0][0].isupper() and word[0] in ("A", "O"):
            # «CONSERVAS A LANZADA, S.A.»
            continue
        if _FORM_WORD.fullmatch(word[0]):
            first = place + 1
            continue
        goes_on = own or re.fullmatch(_LINK, word[0])
        serves = key in ("en", "para") and place and plain_letters(words[place - 1][0]) in _SERVES
        # «ASESORES DEL TRABAJO SLP», «Editorial Sal y Llama, S.L.»
        inside = place > 0 and own and (not word[0].isupper() or words[place - 1][0].lower() in ("de", "del"))
        if (
            (key in _SENTENCE and not inside)
            or serves
            or not goes_on
            or (word[0].endswith(",") and place + 1 < len(words))
        ):
            first = place + 1
    chosen = words[first:]
    while chosen and (
        not chosen[0][0][0].isalnum()
        or chosen[0][0][0].islower()
        or plain_letters(chosen[0][0]) in STOPWORDS - {"el", "la", "los", "las"}
    ):
        chosen = chosen[1:]
    # A name may open with a word of the list («Servicios Ruiz, S.L.»), not consist of such words.
    if not any(plain_letters(word[0]) not in NO_NAMES and word[0][0].isupper() for word in chosen):
        return None
    return before.start() + chosen[0].start()


def _low_start(low: str, end: int) -> int | None:
    """Where «transportes garcia» begins before «sl»: after a word that belongs to the sentence."""
    before = _LOW_JOINED.search(low, max(0, end - LONGEST), end)
    words = list(re.finditer(r"\S+", before[0])) if before else []
    if words and words[-1][0] in STOPWORDS:
        # «El socio de una SL».
        return None
    first = 1 + max((place for place, word in enumerate(words) if word[0] in _OPENING), default=-1)
    chosen = words[first:]
    while chosen and chosen[0][0] in STOPWORDS:
        chosen = chosen[1:]
    if before is None or not any(word[0] not in NO_NAMES | STOPWORDS for word in chosen):
        return None
    return before.start() + chosen[0].start()


def _announced(page: Page, start: int) -> int:
    """End of the name after «la empresa», or `start`."""
    first = _ONE.match(page.low, start)
    if first is None:
        return start
    if first[0] in TRADES:
        return _trade(page, start, loosely=True)
    if joint := _AMPERSAND.match(page.text, start):
        return joint.end()
    read = capitals(page.text, start)
    shouted = page.text[start : read.end].isupper() and not read.known
    if not read.words or shouted or (len(read.words) == 1 and _is_generic(read.words[0])):
        return start
    return read.end


def _trade(page: Page, start: int, *, loosely: bool = False) -> int:
    """End of a name that opens with a trade («Bar Manolo»), or `start`.

    Args:
        loosely: take words of every day in small letters too («la empresa reformas integrales manolín»).
    """
    text, low = page.text, page.low
    first = _ONE.match(low, start)
    capital = text[start].isupper()
    position, end, own = first.end() if first else start, start, False
    for _ in range(5):
        token = _NEXT.match(text, position)
        if token is None:
            break
        word = plain_letters(token["word"])
        upper = not token["word"][0].islower()
        if capital and not upper:
            break
        joint = "&" in token["word"]
        # «El hotel de Zermatt» is at a place; «Taller de 15 empleados» has no name.
        if _FORM_WORD.fullmatch(token["word"]):
            break
        if not own and (word[0].isdigit() or token["link"][:2] in ("en", *_PLACED[capital:])):
            break
        # «Panificadora A Fervenza»
        if word in _BROTHERS or (capital and token["word"] in ("A", "O", "As", "Os")):
            position = token.end()
            continue
        if (
            (word in STOPWORDS and not (own and upper and not token["word"].isupper()))
            or word in _SENTENCE
            or word in NO_NAMES | WORDS["titles"]
            or ((capital or own) and not upper and not loosely)
        ):
            break
        somebody = word in names().family or word in names().given
        if not (upper or loosely or joint or somebody):
            break
        somebody = somebody and word not in NO_PERSON | COMMON
        own = own or somebody or joint or ((upper or loosely) and word not in _GENERIC and len(word) > 1)
        position = end = token.end()
    return end if own else start


def _row(
    form: re.Pattern[str], reads: Callable[[Page, re.Match[str]], Place | None], opens: frozenset[str]
) -> Finder:
    return Finder(COMPANY, form, opens, reads=reads)


FORMS = (
    Finder(COMPANY, _FORM, near=None, reads=_by_form),
    Finder(COMPANY, _LOW_FORM, near=None, reads=_by_low_form),
)
"""By the form that ends the name, in the text as it is written."""
FINDERS = (
    _row(_FIRM, _firm, WORDS["firms"]),
    _row(_WORKS, _employer, WORDS["working"]),
    _row(re.compile("ute "), _joint, frozenset({"ute"})),
    _row(_ONE, _suffixed, _SUFFIXES),
    _row(_ONE, _opened, TRADES),
)
"""By what announces or opens the name."""
