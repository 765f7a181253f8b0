"""Words of plain text (`masking.plain`) that announce a name, and how far each can be trusted."""

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from masking.words import WORDS

_S = r"[ \t\u00a0]+"


class Trust(IntEnum):
    """Text that must follow for it to be a name."""

    HINT = 0
    """A known given name, or two words one of which is known."""
    ROLE = 1
    """A known name, or two words."""
    OWN = 2
    """A capital."""
    CALLED = 3
    """Anything, also in small letters."""


class Announcement(NamedTuple):
    """Where the name would begin, and the trust; `title` is the title before it, in small letters.

    `small` is true if the name may be written in small letters, and `greets` if one word of them is enough.
    """

    start: int
    trust: Trust
    title: str = ""
    small: bool = True
    greets: bool = False


_SINGULAR = (
    {stem + ending for stem in WORDS["roles_gendered"] for ending in "oa"}
    | {stem + ending for stem in WORDS["roles_agents"] for ending in ("", "a")}
    | WORDS["roles_plain"]
)
ROLES = frozenset(_SINGULAR | {f"{word}{ending}" for word in _SINGULAR for ending in ("s", "es")})
LABELS = WORDS["labels"]
_NAMES = WORDS["names"]
TITLES = WORDS["titles"]
_HINTS = WORDS["hints"]
_GREETINGS = WORDS["greetings"]
CALLS = WORDS["calls"]
_NICKNAMES = {"alias", "apodado", "apodada"}
OPENERS = ROLES | LABELS | TITLES | _HINTS | CALLS

_TITLE = (
    r"(?:(?:d\.?ª\.?|d\.|d(?=[ ])|dn[aª]?\.?|don(?! de gentes)|dona|sr(?:es|a|as|ta)?\.?|seny?or(?:a|es|ita)?"
    r"|sor|fray|excm[oa]\.|ilm[oa]\.|dr\.|dra\.|lic\.|lc?d[oa]\.|doctora?)(?!\w))"
)
_TITLED = re.compile(
    rf"(?P<title>{_TITLE})(?:/a|\(a\))?(?:\s*/?\s*{_TITLE}){{0,3}}:?(?:[ \t\u00a0]*\n?[ \t\u00a0]*)[«\"“]?"
)
_CALLED = re.compile(
    rf"(?:(?:me|m){_S}l?[ly]amo|mi{_S}nombre(?:{_S}completo(?:{_S}es)?|{_S}es)|em{_S}dic|chamome|(?:el{_S}meu"
    rf"|o{_S}meu){_S}nome?{_S}(?:es|e)|nire{_S}izena)(?:{_S}|:\s*)(?:{_TITLE}\s*)?"
)
_NAMED = re.compile(
    rf"(?:soy|soi|somos|llamarse|soc|son|se{_S}llaman?|llaman?|apellid(?:os?|ad[oa])|apelidos?|cognom|apodad[oa]|alias|chamase|es{_S}diu|aqui|naiz){_S}(?:el{_S}|la{_S})?"
    rf"(?:{_TITLE}\s*)?[«\"“]?"
)
_LABEL = re.compile(
    rf"\w+(?:/a|\(a\)|{_S}?\d\.?[ºo°ª]?)?(?:{_S}(?:y{_S}apellidos(?:{_S}\w+(?:/a)?)?|i{_S}cognoms|e{_S}apelidos"
    rf"|eta{_S}abizenak|trabajador(?:a|/a)?|cliente|treballadora?|completo|de(?:l|{_S}la)?{_S}\w+"
    rf"|digitalmente{_S}por|por))?\.?"
    rf"(?:\s*[:=]\s*|[ \t]*\t[ \t]*|[ \t]*\|[ \t]*|[ \t]*\.{{3,80}}[ \t]*)(?:{_TITLE}\s*){{0,3}}"
)
_OF_ROLE = (
    rf"(?:(?:de|del)(?:{_S}la)?{_S}(?:turno|personal|trabajo|equipo|seccion|limpieza|hogar"
    rf"|recursos{_S}humanos|rrhh|obra"
    rf"|cocina|sala|almacen|tienda|planta|nombre|oficina|empresa|prevencion|ccoo|ugt|reparto|piso|caja|noche|tarde"
    rf"|administracion|ventas|mantenimiento|zona|sucursal|departamento|taller|barra|linea|produccion|calidad|ruta"
    rf"|logistica|comite|sindicato|clase|camion|almacen|dia|guardia|barco|compras|contabilidad|nominas)"
    rf"|(?:por|de){_S}(?:ccoo|ugt|cgt|uso|csif)|que{_S}se{_S}llama|que{_S}se{_S}cita|llamad[oa]|legal|es|mi[oa]|nuestr[oa]"
    rf"|unic[oa]|solidari[oa]"
    r"|mancomunad[oa]|social|judicial|actora?|conciliadora?|colegiad[oa]|demandad[oa]|demandante|despedid[oa]|accidentad[oa]|directo|habitual|contraria?|fallecid[oa]"
    r"|propuest[oa]s?|apellidos|sindical|general|se{_S}llama|1\.ª)"
).replace("{_S}", _S)
_ROLE = re.compile(
    rf"\w+(?:/[oa]s?|\([oa]s?\)|\.(?=\s*:))?(?:-juez)?(?:{_S}(?:y{_S}apellidos|por{_S}la{_S}parte{_S}actora"
    rf"|{_OF_ROLE})(?!\w)){{0,3}}"
    rf"(?P<gap>\s*[:=]\s*(?:[-•*]?\s*)?(?:1\.\s)?|[ \t]*[,(–—|][ \t\n]*|{_S}|[ \t]*\n[ \t]*)"
    rf"(?:{_TITLE}\s*){{0,3}}[«\"“]?"
)
_HINT = re.compile(
    rf"\w+(?:{_S}(?:de|a|y|por|representacion|cordial|cordiales|companer[oa]|digitalmente|letrad[oa]"
    rf"|parte|dias"
    rf"|tardes|noches|afectuoso|para|con|una?)(?!\w)){{0,3}}[.,:;!]?\s+(?:{_TITLE}\s*){{0,3}}"
)
_OWN = re.compile(
    rf"(?:mi|nuestr[oa]|su|tu|meu|meva|mina|seu|seva|nire|teu|teva|vuestr[oa]){_S}(?:ex[- ]?)?\Z"
)
_PAIRED = re.compile(r"(?:instancias? de|contra|frente a|nombre de|representacion de|seguid[oa]s por)\s+\Z")


def announcement(low: str, start: int, word: str) -> Announcement | None:
    """Kind of name that the word at `start` of a plain text announces, or None."""
    return max(_found(low, start, word), key=lambda one: (one.trust, one.start), default=None)


def _found(low: str, start: int, word: str) -> Iterable[Announcement]:
    if word in TITLES and (match := _TITLED.match(low, start)):
        yield Announcement(match.end(), Trust.OWN, match["title"])
    if word in CALLS and (match := _CALLED.match(low, start)):
        yield Announcement(match.end(), Trust.CALLED)
    elif word in CALLS and (match := _NAMED.match(low, start)):
        yield Announcement(match.end(), Trust.OWN if word in _NICKNAMES else Trust.ROLE)
    if word in LABELS and (match := _LABEL.match(low, start)):
        yield Announcement(match.end(), Trust.OWN if word in _NAMES else Trust.ROLE)
    if word in ROLES and (match := _ROLE.match(low, start)):
        plainly = match["gap"].strip(" \t\n-•*1.") in ("", ":", "=")
        labelled = ":" in match["gap"] or "=" in match["gap"]
        # «Los trabajadores Autónomos» tells what they are, not who.
        many = word not in _SINGULAR and not labelled
        own = not many and match["gap"].isspace() and _OWN.search(low, max(0, start - 20), start)
        trust = Trust.OWN if own else Trust.ROLE if plainly and not many else Trust.HINT
        yield Announcement(match.end(), trust)
    if word in _HINTS and (match := _HINT.match(low, start)):
        greets = word in _GREETINGS
        paired = _PAIRED.search(low, start, match.end())
        yield Announcement(
            match.end(), Trust.ROLE if paired else Trust.HINT, small=bool(paired) or greets, greets=greets
        )
