"""Names of companies: before «S.L.» and the other forms, and after words that announce one."""

import re
from collections.abc import Iterator

from masking.named_people import COMMON, names
from masking.page import Page
from masking.plain import plain
from masking.reading import SPACE, WORD, capitals
from masking.spans import Span, company
from masking.words import NO_NAMES, NO_PERSON, TRADES, WORDS
from text.textnorm import STOPWORDS

MOST_WORDS = 8
LONGEST = 90
# The form of a company closes its name: «Talleres Ruiz, S.L.U.». A run of spaces is tried only from its
# start: trying it from each space would take quadratic time.
_FORM = re.compile(
    rf"(?:,(?:{SPACE})?|(?<![ \t\u00a0,]){SPACE})(?:S\.A\.M\."
    rf"|S\.?A\.?T\.?(?:\s(?:n\.?º\s?)?\d{{1,5}}(?!\d))?(?!\w)|E\.T\.T\.|Coop\.\s?V\."
    rf"|S\.?\s?L\.?(?:\s?(?:U|L|P|N\.?E)\.?(?!\w))?|S\.?\s?R\.\s?L\.?"
    r"|S\.?\s?A\.?(?:\s?(?:U|L|D|T)\.?(?!\w))?|A\.\s?I\.\s?E\.|C\.\s?B\.|CB(?!\w)|Koop\.(?:\s?(?:E|Elk)\.)?(?:\s?Txikia)?"
    r"|(?:S\.|Sdad\.|SDAD\.|Soc\.)\s?(?:Coop|COOP)\.?(?:\s?(?:(?:And|V|Lt?da|Mad|Gal|AND|MAD|GAL|CV|CLM|Cat|CAT|LTDA|Peque[ñn]a)\.?|Andaluza|Galega|Valenciana))*"
    r"|S\.?\s?C\.?\s?(?:P|A|C\.?\s?L|L)\.?(?!\w)|S\.\s?C\."
    rf"|(?:Sociedad|SOCIEDAD){SPACE}(?:An[óo]nima|Limitada|Cooperativa|Civil|AN[ÓO]NIMA|LIMITADA"
    rf"|COOPERATIVA|CIVIL)"
    rf"(?:{SPACE}(?:Unipersonal|Laboral|Profesional|Andaluza))?)(?!\w)"
)
_FORM_WORD = re.compile(r"S\.?[LAC]\.?(?:[A-Z]\.?){0,2}")
_LOW_FORM = re.compile(r"(?<![\w.])s\.?\s?(?:[la]|coop)\.?(?:\s?[ulp]\.?)?(?!\w)")
_LINK = r"(?:de\s+l[ao]s?|del|de|l[ao]s?|el|y|i|e|en|para|d[oa]s?|les|els|O|Os)"
_PIECE = rf"(?:(?:(?i:hnos|hno|cia|sdad|dist|constr|transp)\.)|{WORD}|[\d&+.]+\w*|&)"
_JOINED = re.compile(rf"(?<![\w/]){_PIECE}(?:,?{SPACE}{_PIECE}){{0,{MOST_WORDS}}}\Z")
_LOW_JOINED = re.compile(r"[\w&.]+(?: [\w&.]+){0,4} \Z")
# Before these the sentence goes on, and the name has not begun.
_SENTENCE = WORDS["sentence"]
_SERVES = WORDS["serves"]
_OPENING = _SENTENCE | {"en", "para"}
_FIRM = re.compile(
    rf"\w+(?:{SPACE}(?:llamada|denominada|mercantil|(?:que{SPACE})?se{SPACE}(?:llama|denomina)|es|demandada|cliente|principal|saliente"
    rf"|entrante"
    rf"|interesada|contratista|usuaria|\w+(?:il|al|ica|era|iva|ria|ora)))?"
    rf"(?P<gap>{SPACE}|[ \t]*[:=][ \t]*)[«\"“]?"
)
_FIRMS = WORDS["firms"]
_WORKS = re.compile(
    rf"\w+{SPACE}(?:(?:\w+{SPACE}){{1,2}}(?:anos?|meses|dias|semanas){SPACE}|de{SPACE}\w+{SPACE}|a{SPACE}trabajar{SPACE}|actualmente{SPACE}|ahora{SPACE}|servicios{SPACE})?(?:en|para|por)(?:{SPACE}(?:el|la"
    rf"|un|una))?{SPACE}[«\"“]?"
)
_WORKING = WORDS["working"]
# «El bar es La Tasca de Paco», «el bazar se llama Feliz Casa 88»
_TRADE_CALLED = re.compile(
    rf"\w+(?:{SPACE}\w+){{0,2}}{SPACE}(?:es|(?:se{SPACE})?llama|llamad[oa]|denominad[oa])(?P<verb>{SPACE}[«\"“]?)"
    rf"(?=(?P<article>(?:el|la|los|las){SPACE})?)"
)
# «Una empresa de paquetería, Envíos Relámpago Turia,»
_APPOSED = re.compile(rf"\w+(?:{SPACE}de{SPACE}\w+)?,{SPACE}[«\"“]?")
_AMPERSAND = re.compile(rf"[A-ZÁÉÍÓÚÑ][\w'’]*{SPACE}?&{SPACE}?[A-ZÁÉÍÓÚÑ]\w*(?:{SPACE}[A-ZÁÉÍÓÚÑ]\w+){{0,2}}")
_JOINT = re.compile(rf"ute{SPACE}")
_ONE = re.compile(WORD)
# Two blanks part the columns of a form.
_NEXT = re.compile(
    rf"[ \t\u00a0](?P<link>(?:(?i:{_LINK}){SPACE})*)"
    rf"(?P<word>\w{{1,12}}&\w{{1,12}}|{WORD}|\d{{1,4}}(?!\d|[.,/]\d))"
)
_NUMBER = re.compile(rf"{SPACE}\d{{1,4}}(?![\w/]|[.,]\d)")


def find(page: Page, said: Page) -> Iterator[Span]:
    """Every company with its form, and every announced one; they may overlap.

    Args:
        said: the page in small letters where it shouts (`masking.page.shouts`), or the page.
    """
    text, low = page.text, page.low
    called = [_called(said, word, start) for word, start in said.places(_OPENERS)]
    called = [(start, end) for start, end in called if end > start]
    first = {end: start for start, end in called}
    for form in _FORM.finditer(text):
        if (start := _start(text, form.start())) is not None:
            # «Aguas del Pisuerga, Servicios Hidráulicos, S.A.» is one company.
            start = first.get(start - 2, start) if text[start - 2 : start] == ", " else start
            yield company(text, start, form.end())
    for form in _LOW_FORM.finditer(low):
        if text[form.start()].islower() and (start := _low_start(low, form.start())) is not None:
            yield company(text, start, form.end())
    for start, end in called:
        yield company(text, start, end)


def _called(page: Page, word: str, start: int) -> tuple[int, int]:
    """Start and end of the name that the word announces or begins; an empty one if there is none."""
    for words, finder in _FINDERS:
        if word in words and (found := finder(page, word, start)) is not None:
            return found
    return start, start


def _trade_called(page: Page, word: str, start: int) -> tuple[int, int] | None:
    """«El bar es La Tasca de Paco»."""
    match = _TRADE_CALLED.match(page.low, start)
    if match is None or not page.text[match.end() : match.end() + 1].isupper():
        return None
    first = match.end("article") if match["article"] else match.end()
    end = _announced(page, first)
    # «El negocio es Familiar»
    return (match.end("verb"), end) if end > first and not _is_generic(page.low[first:end]) else None


def _apposed(page: Page, word: str, start: int) -> tuple[int, int] | None:
    """«Una empresa de paquetería, Envíos Relámpago Turia,»."""
    match = _APPOSED.match(page.low, start)
    read = capitals(page.text, match.end()) if match else None
    if match is None or read is None or len(read.words) < 2 or {*read.words} & (NO_PERSON | names().given):
        return None
    return match.end(), read.end


def _firm_called(page: Page, word: str, start: int) -> tuple[int, int] | None:
    match, text = _FIRM.match(page.low, start), page.text
    if match is None:
        return None
    # «Certificado de Empresa Libre de Estrés»: in a title all words have capitals.
    plainly = text[start].islower() or not match["gap"].isspace() or text[start : start + 2].isupper()
    return match.end(), _announced(page, match.end()) if plainly else start


def _worked_in(page: Page, word: str, start: int) -> tuple[int, int] | None:
    match = _WORKS.match(page.low, start)
    return (match.end(), _employer(page, match.end())) if match else None


def _joint(page: Page, word: str, start: int) -> tuple[int, int] | None:
    match = _JOINT.match(page.low, start)
    end = capitals(page.text, match.end()).end if match else start
    return (start, end) if match and end > match.end() else None


def _suffixed(page: Page, word: str, start: int) -> tuple[int, int] | None:
    """«Lex Nervión Asesores», «Bahía Consultores Laborales»."""
    text, end = page.text, start + len(word)
    first = _firm(page, start) if text[start].isupper() else start
    if first >= start:
        return None
    while (more := _ONE.match(text, end + 1)) and more[0][0].isupper() and _is_generic(plain(more[0])):
        end = more.end()
    return first, end


def _is_generic(word: str) -> bool:
    return word in _GENERIC or word.removesuffix("es") in _GENERIC


def _opened(page: Page, word: str, start: int) -> tuple[int, int] | None:
    low = page.low
    against = page.text[start].islower() and _AGAINST.search(low, max(0, start - 30), start) is not None
    return start, _trade(page, start, loosely=against)


_AGAINST = re.compile(r"(?<!\w)(?:contra|frente a|denunci\w+ a|demand\w+ a)\s(?:el\s|la\s)?\Z")
_SUFFIXES = WORDS["suffixes"]
_GENERIC = WORDS["generic"] | NO_PERSON | NO_NAMES | TRADES | _SUFFIXES
_PLACED = ("de",)
_BROTHERS = {"hermanos", "hermanas", "hnos", "hijos", "hijas", "viuda", "sobrinos", "casa"}
_PLACES = WORDS["places_of_work"]
_FINDERS = (
    (TRADES | _PLACES, _trade_called),
    (frozenset({"empresa"}), _apposed),
    (_FIRMS, _firm_called),
    (_WORKING, _worked_in),
    (frozenset({"ute"}), _joint),
    (_SUFFIXES, _suffixed),
    (TRADES, _opened),
)
"""Words that announce or begin a company, and what reads it from there."""
_OPENERS = frozenset().union(*(words for words, _ in _FINDERS))


def _firm(page: Page, end: int) -> int:
    """Where «Lex Nervión Asesores» begins, whose last word is at `end`, or beyond it."""
    before = _CAPITALS.search(page.text, max(0, end - LONGEST), end)
    words = before[0].split() if before else []
    if before is None or all(plain(word) in _GENERIC | STOPWORDS | {"&"} for word in words):
        return end + LONGEST
    return before.start()


_CAPITALS = re.compile(rf"(?<!\w)(?:[^\W\d_a-zñáéíóúü](?:[\w'’-]+){SPACE}(?:(?:&|y){SPACE})?){{1,4}}\Z")


def _start(text: str, end: int) -> int | None:
    """Where the name before a form begins: its first capital after a word that belongs to the sentence."""
    before = _JOINED.search(text, max(text.rfind("\n", 0, end) + 1, end - LONGEST), end)
    if before is None:
        return None
    words = list(re.finditer(r"\S+", before[0]))
    first = 0
    for place, word in enumerate(words):
        key = plain(word[0].strip(",."))
        own = not word[0][0].islower()
        if own and place and words[place - 1][0][0].isupper() and word[0] in ("A", "O"):
            # «CONSERVAS A LANZADA, S.A.»
            continue
        if _FORM_WORD.fullmatch(word[0]):
            first = place + 1
            continue
        goes_on = own or re.fullmatch(_LINK, word[0])
        serves = key in ("en", "para") and place and plain(words[place - 1][0]) in _SERVES
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
        or plain(chosen[0][0]) in STOPWORDS - {"el", "la", "los", "las"}
    ):
        chosen = chosen[1:]
    # A name may open with a word of the list («Servicios Ruiz, S.L.»), not consist of such words.
    if not any(plain(word[0]) not in NO_NAMES and word[0][0].isupper() for word in chosen):
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
    return _with_number(page.text, read.end)


def _employer(page: Page, start: int) -> int:
    """End of the name after «trabajo en», or `start`: a trade and a name, or two words that are no place."""
    first = _ONE.match(page.low, start)
    if first is None:
        return start
    if first[0] in TRADES:
        return _trade(page, start)
    read = capitals(page.text, start)
    sure = len(read.words) > 1 and not any(word in NO_PERSON for word in read.words)
    return _with_number(page.text, read.end) if sure else start


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
        word = plain(token["word"])
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


def _with_number(text: str, end: int) -> int:
    """The end with a number that belongs to the name: «Encofrados Perales 2010»."""
    number = _NUMBER.match(text, end)
    return number.end() if number else end
