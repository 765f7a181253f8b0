"""Names of people as they are written: how far one goes from its start, and what only looks like one."""

import re
from typing import NamedTuple

from masking.finder import Page
from masking.named_people import is_known, names
from masking.words import NO_NAMES, TRADES, WORDS, either, plain_letters
from text.textnorm import STOPWORDS

MOST_WORDS, MOST_SMALL = 8, 4
SIGHT = 60
"""Characters before a name that tell what it is."""
SPACE = r"[ \t]+"
_LETTERS = r"[^\W\d_ªº]"
WORD = rf"{_LETTERS}+(?:['’·-]{_LETTERS}+)*"
"""A word, also a double one («Ruiz-Berdejo», «O'Connor»)."""
_TOKEN = re.compile(
    rf"(?P<links>(?i:{either('name_links')}{SPACE}){{0,3}})"
    rf"(?P<word>[Mm]\.?\s?ª\.?|(?:{_LETTERS}\.){{1,2}}(?!\w)|{WORD}(?![\w]))(?P<dot>\.(?=,?{SPACE}\w))?"
)
_GAP = re.compile(rf"(?P<comma>,?)(?:{SPACE}|[ \t]*\n[ \t]*)")
_NEXT_TURNED = re.compile(rf"{WORD}(?:{SPACE}{WORD}){{0,3}},{SPACE}[A-ZÁÉÍÓÚÑ]")
_TWO = re.compile(rf"{SPACE}(?P<first>{WORD}){SPACE}(?P<second>{WORD})")
_INITIALS = re.compile(r"(?<![\w.])(?!D\.)(?:[A-ZÁÉÍÓÚM]\.?[ ]?ª?\.?[ ]?){0,2}[A-ZÁÉÍÓÚ]\.ª?[ ]?\Z")
_SHORT = WORDS["short"]
_FIRST_LINKS = {"von", "van", "ben", "ait"}
_JOINED = re.compile(r"['’·-]")
_NEW_LINE = TRADES | NO_NAMES | WORDS["roads"]
# «La mutua me llamo ayer», without its accent, announces no name.
_NO_LOWERED = NO_NAMES | WORDS["no_lowered"] | STOPWORDS


class Read(NamedTuple):
    """Where a name ends (where it begins, if there is none) and its words, plain and without links."""

    end: int
    words: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """True if one of the words is somebody's name."""
        return any(is_known(part) for word in self.words for part in parts(word))

    @property
    def begins_with_given(self) -> bool:
        return bool(self.words) and parts(self.words[0])[0] in names().given


def parts(word: str) -> list[str]:
    """The parts of a double word."""
    return _JOINED.split(word)


def capitals(text: str, start: int) -> Read:
    """The capitalised name that begins at `start`: words, links, initials, also «Apellido, Nombre»."""
    end = position = start
    words: list[str] = []
    family, turned, broken = 0, False, False
    for _ in range(MOST_WORDS):
        token = _TOKEN.match(text, position)
        if token is None or not _fits(token, words, family, broken):
            break
        word = plain_letters(token["word"]).rstrip(".")
        given = word in names().given
        if turned and not given and word not in _SHORT and not token["word"].endswith("ª"):
            break
        # «Cristian Fdo. Lozano»; otherwise «Fdo.» announces a name.
        short = word in _SHORT or len(word) == 1 or (word == "fdo" and {*words} & names().given != set())
        shortened = token["dot"] is not None and short
        words.append(word)
        family += 0 if given or token["word"].endswith(("ª", ".")) else len(parts(word))
        end = token.end() if shortened or token["word"].endswith("ª") else token.end("word")
        gap = _GAP.match(text, token.end() if shortened else token.end("word"))
        if gap is None:
            break
        broken = "\n" in gap[0]
        if gap["comma"] and (
            turned or broken or (words[0] in names().given and not text[start:end].isupper())
        ):
            break
        turned = gap["comma"] != ""
        position = gap.end()
    return Read(end, tuple(words))


def _fits(token: re.Match[str], words: list[str], family: int, broken: bool) -> bool:
    """True if the token may go on a name of which `words` is what there is."""
    word, links, text = token["word"], token["links"], token.string
    key = plain_letters(word).rstrip(".")
    known = any(map(is_known, parts(key)))
    shortened = word.endswith((".", "ª")) or key in _SHORT
    # «O. Vidal», and «Li Na»; never «Ana IT».
    brief = len(key) <= 2 and not (words and len(words[-1]) <= 3 and word[1:].islower())
    # «Nuria Perelló Mas,»
    last = len(words) > 1 and not links and text[token.end() : token.end() + 1] in (",", ")")
    if not _is_capital(word) or not (known or shortened or last or (key not in STOPWORDS and not brief)):
        return False
    if broken and _is_apart(token, key, family):
        return False
    if not words:
        named = key in names().given and _names_follow(text, token.end())
        linked = links[:1].isupper() and (known or links.split()[0].lower() in _FIRST_LINKS)
        return (key not in NO_NAMES or named) and (not links or linked)
    # «Ana Montilla, de Gestoría Los Remedios»; «Ana Ruiz y Luis Gil» are two.
    ends = (key in NO_NAMES and not known) or (links != "" and key in TRADES)
    two = {*links.lower().split()} & {"y", "e", "i"} != set() and key in names().given | WORDS["titles"]
    # In a line of capitals only its length tells a name's end.
    shouted = word.isupper() and len(word) > 2 and family >= (2 if words[0] in names().given else 3)
    return not ends and not two and (known or not shouted)


def _is_apart(token: re.Match[str], key: str, family: int) -> bool:
    """True if the token, on the next line, belongs to something else."""
    word, text = token["word"], token.string
    # A label may follow: «Ponente: Ana Ruiz⏎Fuente: …».
    labels = text[token.end() : token.end() + 1] == ":"
    shouts = text[token.start() - 2 : token.start()].strip()[-1:].islower() and word[1:].isupper()
    turned = _NEXT_TURNED.match(text, token.start("word")) is not None
    return labels or shouts or turned or family > 1 or key in _NEW_LINE or token["links"][:1].isupper()


def _names_follow(text: str, position: int) -> bool:
    """True before two words with a capital of which the first is a known name: «Segundo Arteaga Montes»."""
    found = _TWO.match(text, position)
    if found is None or not (found["first"][0].isupper() and found["second"][0].isupper()):
        return False
    first, second = plain_letters(found["first"]), plain_letters(found["second"])
    return is_known(first) and not {first, second} & NO_NAMES


def _is_capital(word: str) -> bool:
    return word[0].isupper() or (word[1:2] in ("'", "’") and word[2:3].isupper())


def initials(text: str, start: int) -> int:
    """Where the initials before a name begin («M.ª Luz», «J. L. Bermúdez»), or `start`."""
    found = _INITIALS.search(text, max(0, start - 12), start)
    return found.start() if found else start


_LOWERED = re.compile(rf"(?:{either('name_links')}{SPACE})?(?P<word>{WORD})(?!\w)")
_NEXT = re.compile(SPACE)
# «Soy karima benzaouia y trabajo…»: the sentence goes on after an unknown surname that is no trade or state.
_WORDY = re.compile(rf"{either('wordy')}\Z")


def lowered(low: str, start: int, *, loosely: bool) -> Read:
    """The name in small letters that begins at `start` of a plain text.

    Args:
        loosely: take up to four words that are not words of every day; otherwise only names that are known,
            and what stands between one of them and a comma.
    """
    end = position = start
    words: list[str] = []
    for _ in range(MOST_SMALL + loosely):
        token = _LOWERED.match(low, position)
        if token is None or (not words and token.start("word") != start):
            break
        word = token["word"]
        known = any(map(is_known, parts(word)))
        family = bool(words) and word in names().family
        if len(word) < 3 or word in STOPWORDS or (word in _NO_LOWERED and not family):
            break
        linked = token.start("word") > token.start()
        if not (known or loosely or (words and not linked and _closes(low, token))):
            break
        words.append(word)
        end = token.end()
        gap = _NEXT.match(low, end)
        if gap is None:
            break
        position = gap.end()
    return Read(end, tuple(words))


def _closes(low: str, token: re.Match[str]) -> bool:
    """True if the sentence ends or goes on after an unknown word that has no ending of a trade or a state."""
    if low[token.end() : token.end() + 1] in ("", ",", ".", ";", ")", "\n"):
        return True
    return _CLAUSE.match(low, token.end()) is not None and not _WORDY.search(token["word"])


_CLAUSE = re.compile(rf"{SPACE}{either('clauses')}(?!\w)")
# Judgments and laws are called by names, and so are saints, streets, feasts and diseases.
_OTHER = re.compile(
    rf"(?<!\w)(?:{either('called_by_names')}|{either('named_after')}(?: de| del| de la)?)[\s«\"(]*\Z"
)
# Who signs a law does so in public.
_SIGNS_LAW = re.compile(
    r"\n\s*(?:el|la) (?:vicepresident[ea]|president[ea] (?:del (?:gobierno|senado|congreso)"
    r"|de las cortes)|ministr[oa])[^.:;]{0,220}\Z"
)
_KING = re.compile(
    r"(?:(?:juan )?carlos|felipe)(?: (?:r|[ivx]+)\b|\s*\n\s*(?:el|la) (?:president|ministr|vicepresident))"
)
_CASE = re.compile(r"[»\"”]?,?\s*\(?(?:asuntos?\s+)?[ct]-\d+/\d")
_LISTED = re.compile(
    r"\b(?:[Dd]octrinas?|[Cc]asos?|[Aa]suntos?|[Ss]entencias?)(?: [«\"“]?[A-ZÁÉÍÓÚÑ]\w+[»\"”]?,?(?: y"
    r"| e)?)+ \Z"
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
    before = text[max(0, start - SIGHT) : start].rstrip(' \t«"¿¡(')
    return not before or before[-1] in ".:;?!\n…"


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
