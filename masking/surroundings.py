"""Surroundings of a name: a sentence that begins, a line of its own, a judgment, a saint."""

import re

from masking.page import Page

SIGHT = 60
"""Characters before a name that tell what it is."""
# Judgments and laws are called by names, and so are saints, streets, feasts and diseases.
_OTHER = re.compile(
    r"(?<!\w)(?:(?:ley|leyes|caso|asunto|sentencia|doctrina|stjue|tjue en|criterio|rey|reina|convenio"
    r"|programa|plan|informe|reforma|pacto|tasa|directiva|plataforma|proyecto|operacion|sistema|aplicacion|app|beca"
    r"|huracan|borrasca|tormenta|maquina|modelo|infanta|principe|princesa"
    r"|ministr[oa]|isla|sierra|casa)|(?:san|santa|santo|sant|virgen|hospital|colegio|instituto"
    r"|universidad|fundacion|premio|feria|fiesta|dia|puente"
    r"|calle|plaza|avenida|paseo|nuestra|escuela|centro|teatro|estadio|puerto|aeropuerto|estacion|parque"
    r"|hotel|rambla"
    r"|carrer|carretera|camino|ronda|travesia|glorieta|avda\.?|c/|via|sindrome|enfermedad|trastorno)"
    r"(?: de| del| de la)?)"
    r"[\s«\"(]*\Z"
)
# Who signs a law does so in public.
_SIGNS_LAW = re.compile(
    r"\n\s*(?:el|la) (?:vicepresident[ea]|president[ea] (?:del (?:gobierno|senado|congreso)"
    r"|de las cortes)|ministr[oa])[^.:;]{0,220}\Z"
)
_KING = re.compile(
    r"(?:juan carlos|felipe)(?: (?:r|[ivx]+)\b|\s*\n\s*(?:el|la) (?:president|ministr|vicepresident))"
)
_CASE = re.compile(r"[»\"”]?,?\s*\(?(?:asuntos?\s+)?[ct]-\d+/\d")
_LISTED = re.compile(
    r"\b(?:[Dd]octrinas?|[Cc]asos?|[Aa]suntos?|[Ss]entencias?)"
    r"(?: [«\"“]?[A-ZÁÉÍÓÚÑ]\w+[»\"”]?,?(?: y| e)?)+ \Z"
)


def is_other(page: Page, start: int) -> bool:
    """True if the words before say that this is a judgment, a law, a street or a saint."""
    first = max(0, start - SIGHT)
    # «De Diego Porras» is a judgment's name; «el caso de Diego Porras» is a case of his.
    if page.text.startswith("De ", start - 3):
        return True
    return bool(_OTHER.search(page.low, first, start) or _LISTED.search(page.text, first, start))


def is_public(low: str, start: int, end: int) -> bool:
    """True for the King, for who signs a law, and before a European case: «Montero Mateos» (C-677/16)."""
    signs = _SIGNS_LAW.search(low, max(0, start - 300), start)
    return bool(_CASE.match(low, end) or _KING.match(low, start) or signs)


def opens(text: str, start: int) -> bool:
    """True if a sentence begins here: any word has a capital there."""
    before = text[max(0, start - SIGHT) : start].rstrip(' \t\u00a0«"¿¡(')
    return not before or before[-1] in ".:;?!\n…"


_INITIALS = re.compile(r"(?<![\w.])(?!D\.)(?:[A-ZÁÉÍÓÚM]\.?[ ]?ª?\.?[ ]?){0,2}[A-ZÁÉÍÓÚ]\.ª?[ ]?\Z")


def initials(text: str, start: int) -> int:
    """Where the initials before a name begin («M.ª Luz», «J. L. Bermúdez»), or `start`."""
    found = _INITIALS.search(text, max(0, start - 12), start)
    return found.start() if found else start


def is_line(text: str, start: int, end: int) -> bool:
    """True if the name has a line for itself, or opens an item of a list."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return not before.strip(" \t-•*·") and text[end : end + 1] in ("", "\n", ",")


def is_whole_line(text: str, start: int, end: int) -> bool:
    """True if the name has a line for itself in a text of several, or tells who speaks."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    # «[10:23] Omar: sí» tells who speaks.
    speaks = text[end : end + 1] == ":" and (not before.strip(" \t-•*·") or before.rstrip().endswith("]"))
    return speaks or (is_line(text, start, end) and text[end : end + 1] != "," and "\n" in text)
