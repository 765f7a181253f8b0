"""Names of people and companies: after words that announce one, before «S.L.», or from a list.

Other capitalised words are not names: laws, courts, places and offices are the subject of a question.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from rag.privacy.capitals import NO_NAMES, NOT_ALONE
from rag.privacy.spans import Span
from rag.text.textnorm import STOPWORDS, fold

PERSON, COMPANY, LISTED = "PERSONA", "EMPRESA", "NOMBRE"
MOST_WORDS = 7
SHORTEST_ALONE = 4

_UPPER = "A-ZÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖ"
_LOWER = "a-záéíóúüñçàèìòùâêîôûäëïöß"
_WORD = rf"[{_UPPER}](?:[{_LOWER}'’·-]|(?<=['’-])[{_UPPER}]|[{_UPPER}])*[{_LOWER}{_UPPER}]"
_SPACE = r"[ \t\u00a0]+"
_LINK = (
    rf"(?:de{_SPACE}l[ao]s?|del|de|la|los|las|y|i|e|da|dos|do|van|von"
    rf"|DE{_SPACE}L[AO]S?|DEL|DE|LA|LOS|LAS|Y|I)"
)
_TOKEN = re.compile(rf"(?:{_LINK}{_SPACE}){{0,2}}(?P<word>{_WORD}|[{_UPPER}]\.)(?!\w)")
_GAP = re.compile(rf"{_SPACE}|[ \t\u00a0]*\n[ \t]*")

_PEOPLE = (
    "client[ea]|representad[oa]|mandante|defendid[oa]|patrocinad[oa]|hij[oa]|marido|mujer|espos[oa]|pareja"
    "|padre|madre|herman[oa]|compañer[oa]|jef[ea]|encargad[oa]|vecin[oa]|amig[oa]|abuel[oa]|suegr[oa]|cuñad[oa]"
    "|sobrin[oa]|ti[oa]|emplead[oa]|trabajador|trabajadora|asesorad[oa]"
)
_PARTIES = (
    "trabajador|trabajadora|emplead[oa]|demandante|demandad[oa]|actor|actora|recurrente|recurrid[oa]"
    "|compañer[oa]|señor|señora|señorita|testigo|perit[oa]|paciente|administrador|administradora|gerente"
    "|beneficiari[oa]|causante|viud[oa]|deudor|deudora|solicitante|interesad[oa]|denunciante|denunciad[oa]"
    "|becari[oa]|conductor|conductora|encargad[oa]|jef[ea]|niñ[oa]|menor|accidentad[oa]|fallecid[oa]"
)
# «La mutua me llamo ayer», without its accent, announces no name.
_WHEN = {
    "ayer", "hoy", "anoche", "antes", "luego", "tarde", "despues", "manana", "lunes", "martes", "miercoles",
    "jueves", "viernes",
}  # fmt: skip
_CALLED = "(?i:me llamo|mi nombre(?: completo)? es)"
_ANNOUNCED = re.compile(
    rf"(?<!\w)(?:(?P<called>{_CALLED})"
    rf"|(?P<title>(?:D\.ª|D\.|D\.?ª\.?|D[ñÑ][aªA]\.?|[Dd]on|[Dd]oña|DON|DOÑA|Sres?\.|Sras?\.|Srtas?\.|SR\.|SRA\."
    rf"|[Ss]eñor|[Ss]eñora|[Ss]eñorita|Excm[oa]\.|Ilm[oa]\.))"
    rf"|(?i:(?:mi|nuestr[oa]|su|tu){_SPACE}(?:ex[- ]?)?(?:{_PEOPLE})(?:{_SPACE}(?:el|la|don|doña))?)"
    rf"|(?i:(?:el|la|al|del|otr[oa]|un|una){_SPACE}(?:{_PARTIES}))"
    rf"|(?P<firm>(?i:(?:la|una|mi|su|nuestra|esta|de){_SPACE}(?:empresa|mercantil|compañía)"
    rf"(?:{_SPACE}(?:llamada|denominada|se{_SPACE}llama))?))"
    rf"|(?i:se{_SPACE}llaman?)"
    rf"|(?P<against>(?i:contra|llamad[oa]|a nombre de|en nombre y representación de|en representación de)))"
    rf"(?::?[ \t\u00a0]*(?:[ \t\u00a0]|(?<!empresa)\n)[«\"“]?|(?<=[.ª])[«\"“]?)"
)
# The form of a company closes its name: «Talleres Ruiz, S.L.U.». A run of spaces is tried only from its
# start: trying it from each space would take quadratic time.
_FORM = re.compile(
    rf"(?:,|(?<![ \t\u00a0])){_SPACE}(?:S\.?\s?L\.?(?:\s?(?:U|L|P|N\.?E)\.?(?!\w))?"
    r"|S\.?\s?A\.?(?:\s?(?:U|L|D)\.?(?!\w))?|S\.\s?Coop\.?|S\.\s?C\.|C\.\s?B\."
    rf"|Sociedad{_SPACE}(?:Anónima|Limitada|Cooperativa))"
    rf"(?![\w])"
)
_JOINED = re.compile(
    rf"(?:{_WORD}|[{_UPPER}\d&+.]+|&)(?:{_SPACE}(?:{_LINK}|&|{_WORD}|[{_UPPER}\d&+]+)){{0,{MOST_WORDS}}}$"
)
_LOWERED = re.compile(rf"[{_LOWER}'-]+")


def find(text: str) -> Iterator[Span]:
    """Every announced name and every company with its form; they may overlap."""
    for match in _ANNOUNCED.finditer(text):
        start = match.end()
        end = _name_end(text, start)
        alone = len(text[start:end].split()) == 1
        if end == start and match["called"]:
            end = _lowered_end(text, start)
        elif alone and _opens_line(text, match):
            continue
        elif match["against"] and len(re.split(r"\s[ye]\s", text[start:end])[0].split()) < 2:
            # «contra Incendios y Robos» names things, not a person.
            continue
        if end > start:
            yield _span(text, start, end, COMPANY if match["firm"] else PERSON)
    yield from _companies(text)


def _opens_line(text: str, match: re.Match[str]) -> bool:
    """True for «D.» at the start of a line: «D. Prestaciones» is the fourth item of a list, not a name."""
    return match["title"] == "D." and not text[: match.start()].rpartition("\n")[2].strip(" \t-•*#")


def _name_end(text: str, start: int) -> int:
    """End offset of the capitalised name that begins at `start`; `start` itself if it is not a name."""
    end = position = start
    for number in range(MOST_WORDS):
        token = _TOKEN.match(text, position)
        if token is None or (number == 0 and token.start("word") != start):
            break
        word = token["word"]
        if fold(word) in NO_NAMES or (len(word) <= 2 and not word.endswith(".")):
            break
        end = token.end() if not word.endswith(".") else end
        gap = _GAP.match(text, token.end())
        if gap is None or ("\n" in gap[0] and number > 0):
            break
        position = gap.end()
    return end


def _lowered_end(text: str, start: int) -> int:
    """End offset of a name in lower case («me llamo ana pérez y…»): up to three words, no stopwords."""
    end = position = start
    for _ in range(3):
        word = _LOWERED.match(text, position)
        if word is None or fold(word[0]) in STOPWORDS | _WHEN or len(word[0]) < 3:
            break
        end = word.end()
        gap = re.compile(_SPACE).match(text, end)
        if gap is None:
            break
        position = gap.end()
    return end


def _companies(text: str) -> Iterator[Span]:
    for form in _FORM.finditer(text):
        line = max(text.rfind("\n", 0, form.start()) + 1, form.start() - 90)
        before = _JOINED.search(text, line, form.start())
        if before is None:
            continue
        words = list(re.finditer(r"\S+", before[0]))
        starts = [word.start() for word in words if _may_open(word[0])]
        # A name may open with a word of the list («Servicios Ruiz, S.L.»), not consist of such words.
        own = [word for word in words if fold(word[0]) not in NO_NAMES and word[0][0].isupper()]
        if starts and own:
            yield _span(text, before.start() + starts[0], form.end(), COMPANY)


def _may_open(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _span(text: str, start: int, end: int, kind: str) -> Span:
    return Span(start, end, kind, " ".join(fold(text[start:end]).split()))


class Known:
    """Names to mask wherever they occur: those of a list, and those found so far with their parts."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        self._whole: dict[str, str] = {}
        self._alone: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        for name in listed:
            self._put(name, LISTED)

    def add(self, name: str, kind: str) -> None:
        """Add a name found in a text and, of a person, its pairs of words and unambiguous single words."""
        words = [word for word in name.split() if word[:1].isupper()]
        if len(name.split()) == 1:
            if self._may_stand_alone(name):
                self._alone.setdefault(name, kind)
        else:
            self._put(name, kind)
        if kind != COMPANY and len(words) > 1:
            for one, other in pairwise(words):
                self._put(f"{one} {other}", kind)
            for word in words:
                if self._may_stand_alone(word):
                    self._alone.setdefault(word.capitalize() if word.isupper() else word, kind)
        self._pattern = None

    def find(self, text: str) -> Iterator[Span]:
        if not self._whole and not self._alone:
            return
        if self._pattern is None:
            self._pattern = self._compiled()
        for match in self._pattern.finditer(text):
            key = " ".join(fold(match[0]).split())
            kind = self._whole.get(key) or self._alone.get(match[0]) or self._alone.get(match[0].capitalize())
            if kind:
                yield Span(match.start(), match.end(), kind, key)

    def _put(self, name: str, kind: str) -> None:
        key = " ".join(fold(name).split())
        if key:
            self._whole.setdefault(key, kind)

    @staticmethod
    def _may_stand_alone(word: str) -> bool:
        folded = fold(word)
        return len(word) >= SHORTEST_ALONE and folded not in NOT_ALONE and folded not in NO_NAMES | STOPWORDS

    def _compiled(self) -> re.Pattern[str]:
        wholes = [r"\s+".join(map(_spelt, key.split())) for key in self._whole]
        alone = [f"{re.escape(word)}|{re.escape(word.upper())}" for word in self._alone]
        branches = sorted(wholes, key=len, reverse=True)
        parts = [f"(?i:{'|'.join(branches)})"] if branches else []
        return re.compile(rf"(?<!\w)(?:{'|'.join([*parts, *alone])})(?!\w)")


_ACCENTS = {"a": "aáàâä", "e": "eéèêë", "i": "iíìîï", "o": "oóòôö", "u": "uúùûü", "n": "nñ", "c": "cç"}


def _spelt(word: str) -> str:
    """Pattern for a folded word, with and without accents."""
    return "".join(f"[{_ACCENTS[char]}]" if char in _ACCENTS else re.escape(char) for char in word)
