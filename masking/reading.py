"""How far a name goes that begins at a given place: capitalised words with their links, or small letters."""

import re
from typing import NamedTuple

from masking.named_people import is_known, names
from masking.plain import plain
from masking.words import NO_NAMES, TRADES, WORDS
from text.textnorm import STOPWORDS

MOST_WORDS = 8
SPACE = r"[ \t\u00a0]+"
_LETTERS = r"[^\W\d_ªº]"
WORD = rf"{_LETTERS}+(?:['’‐‑·-]{_LETTERS}+)*"
"""A word, also a double one («Ruiz-Berdejo», «O'Connor»)."""
_LINK = (
    r"(?:de\s+la\s+o|de\s+l[ao]s?|del|de|las?|los|el|al|y|i|e|da|dos?|das|di|du|le|van|von|der|ben|bin"
    r"|ait|ould)"
)
_TOKEN = re.compile(
    rf"(?P<links>(?i:{_LINK}{SPACE}){{0,3}})"
    rf"(?P<word>[Mm]\.?\s?ª\.?|(?:{_LETTERS}\.){{1,2}}(?!\w)|{WORD}(?![\w]))(?P<dot>\.(?=,?{SPACE}\w))?"
)
_GAP = re.compile(rf"(?P<comma>,?)(?:{SPACE}|[ \t\u00a0]*\n[ \t]*)")
_NEXT_TURNED = re.compile(rf"{WORD}(?:{SPACE}{WORD}){{0,3}},{SPACE}[A-ZÁÉÍÓÚÑ]")
_SHORT = WORDS["short"]
_JOINED = re.compile(r"['’‐‑·-]")
_NEW_LINE = TRADES | NO_NAMES | WORDS["roads"]
# «La mutua me llamo ayer», without its accent, announces no name.
_NO_LOWERED = NO_NAMES | WORDS["no_lowered"]


class Read(NamedTuple):
    """Where a name ends (where it begins, if there is none) and its words, plain and without links."""

    end: int
    words: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """True if one of the words is somebody's name."""
        return any(
            part in names().given or part in names().family for word in self.words for part in parts(word)
        )

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
        word = plain(token["word"]).rstrip(".")
        if turned and word not in names().given and words and not _abbreviates(token):
            break
        # «Cristian Fdo. Lozano»; otherwise «Fdo.» announces a name.
        short = word in _SHORT or len(word) == 1 or (word == "fdo" and {*words} & names().given != set())
        shortened = token["dot"] is not None and short
        words.append(word)
        if word not in names().given and not token["word"].endswith(("ª", ".")):
            family += len(parts(word))
        end = token.end() if shortened or token["word"].endswith("ª") else token.end("word")
        gap = _GAP.match(text, token.end() if shortened else token.end("word"))
        if gap is None:
            break
        broken = "\n" in gap[0]
        if gap["comma"]:
            if turned or broken or (words[0] in names().given and not text[start:end].isupper()):
                break
            turned = True
        else:
            turned = False
        position = gap.end()
    return Read(end, tuple(words))


def _abbreviates(token: re.Match[str]) -> bool:
    return plain(token["word"]).rstrip(".") in _SHORT or token["word"].endswith("ª")


def _fits(token: re.Match[str], words: list[str], family: int, broken: bool) -> bool:
    """True if the token may go on a name of which `words` is what there is."""
    word, links = token["word"], token["links"]
    key = plain(word).rstrip(".")
    known = any(map(is_known, parts(key)))
    shortened = word.endswith((".", "ª")) or key in _SHORT
    # «O. Vidal», and «Li Na»; never «Ana IT».
    brief = len(key) <= 2 and not (words and len(words[-1]) <= 3 and word[1:].islower())
    if not _is_capital(word) or (not known and not shortened and (key in STOPWORDS or brief)):
        return False
    if broken and _is_apart(token, key, family):
        return False
    if not words:
        named = key in names().given and _names_follow(token.string, token.end())
        return (key not in NO_NAMES or named) and (not links or (links[0].isupper() and known))
    # «Ana Montilla, de Gestoría Los Remedios»; in a line of capitals only its length tells a name's end.
    ends = (key in NO_NAMES and not known) or (links != "" and key in TRADES)
    # «Ana Ruiz y Luis Gil» are two.
    ends = ends or (
        {*links.lower().split()} & {"y", "e", "i"} != set() and key in names().given | WORDS["titles"]
    )
    shouted = word.isupper() and len(word) > 2 and family >= (2 if words[0] in names().given else 3)
    return not ends and (known or not shouted)


def _is_apart(token: re.Match[str], key: str, family: int) -> bool:
    """True if the token, on the next line, belongs to something else."""
    word, text = token["word"], token.string
    # A label may follow: «Ponente: Ana Ruiz⏎Fuente: …».
    labels = text[token.end() : token.end() + 1] == ":"
    shouts = text[token.start() - 2 : token.start()].strip()[-1:].islower() and word[1:].isupper()
    turned = _NEXT_TURNED.match(text, token.start("word")) is not None
    return labels or shouts or turned or family > 1 or key in _NEW_LINE or token["links"][:1].isupper()


_TWO = re.compile(rf"{SPACE}(?P<first>{WORD}){SPACE}(?P<second>{WORD})")


def _names_follow(text: str, position: int) -> bool:
    """True before two words with a capital of which the first is a known name: «Segundo Arteaga Montes»."""
    found = _TWO.match(text, position)
    if found is None or not (found["first"][0].isupper() and found["second"][0].isupper()):
        return False
    first, second = plain(found["first"]), plain(found["second"])
    return is_known(first) and not {first, second} & NO_NAMES


def _is_capital(word: str) -> bool:
    return word[0].isupper() or (word[1:2] in ("'", "’") and word[2:3].isupper())


_LOWERED = re.compile(
    rf"(?:(?:de la|de los|de las|del|de|la|el|y|i|ait|ben|bin|da|do|dos){SPACE})?(?P<word>{WORD})(?!\w)"
)


# «Soy karima benzaouia y trabajo…»: the sentence goes on after an unknown surname that is no trade or state.
_CLAUSE = re.compile(
    rf"{SPACE}(?:y|e|que|q|k|me|no|se|le|ha|tengo|trabajo|con|en|soy|vivo|llevo|quiero|dice|la|el)(?!\w)"
)
_WORDY = re.compile(
    r"(?:[aeiou]d[oa]s?|nte|ista|dora?|er[oa]|mente|ndo|ion|aba|ria|ble|ic[oa]|iv[oa]|al|ar|er|ir|os[oa]|on[oa]m[oa]"
    r"|aron|eron|io)\Z"
)


def lowered(low: str, start: int, *, loosely: bool) -> Read:
    """The name in small letters that begins at `start` of a plain text.

    Args:
        loosely: take up to four words that are not words of every day; otherwise only names that are known,
            and what stands between one of them and a comma.
    """
    end = position = start
    words: list[str] = []
    for _ in range(5 if loosely else 4):
        token = _LOWERED.match(low, position)
        if token is None or (not words and token.start("word") != start):
            break
        word = token["word"]
        known = any(map(is_known, parts(word)))
        family = bool(words) and word in names().family
        stops = word in STOPWORDS or len(word) < 3 or (word in _NO_LOWERED and not family)
        closes = low[token.end() : token.end() + 1] in ("", ",", ".", ";", ")", "\n") or (
            _CLAUSE.match(low, token.end()) is not None and not _WORDY.search(word)
        )
        if stops or not (known or loosely or (words and closes)):
            break
        if token.end("word") - token.start() > len(word) and not known and not loosely:
            break
        words.append(word)
        end = token.end()
        gap = re.compile(SPACE).match(low, end)
        if gap is None:
            break
        position = gap.end()
    return Read(end, tuple(words))
