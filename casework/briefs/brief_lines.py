"""The lines of a brief: which ends of lines are its paragraphs', and which only its width."""

import re
from bisect import bisect_left
from collections.abc import Iterator

PARAGRAPH = "¶"
SHORT = 50
"""A line of fewer characters did not end because of the width of the page, unless the page is narrower."""
OF_WIDTH = 0.7
FEWEST_LINES = 4
"""Lines from which a block shows the width of its page."""
_ENDS = re.compile(r"(?<![ \t])[ \t]*\n\s*")
_CLOSED = re.compile(r"[.:;!?»”\"][)\]]?\s*$")
_GOES_ON = re.compile(
    r"(?:^|[\s(«])(?:arts?\.?|art[íi]culos?|apartados?|apdos?\.?|letras?|n[úu]m\.?|n\.?º|de|del|la|el|los|las|y|e|o|en"
    r"|por|con|ley|real|decreto|org[áa]nica|legislativo|disposici[óo]n|adicional|transitoria|d\.\s?[atdf]\.|cfr\.|vid\.)$",
    re.IGNORECASE,
)
"""The end of a line that breaks a citation."""
LAST = 100
_ARTICLE_END = re.compile(
    r"(?:^(?:art|\S+\s.*?\b(?i:art))(?i:s?\.?|[íi]culos?)|\s(?:apartado|letra))"
    r"\s[\d.,\s ºªyebistrqu]*(?:[a-zñ]\))?$"
    r"|\b(?:el|del|al|y)\s\d{1,3}(?:\s(?:bis|ter)|\.\d{1,2})(?:\.?[a-zñ]\))?$"
)
_NORM = re.compile(
    r"[A-ZÑ.]{2,8}\b|(?:Ley|Real|Estatuto|Constituci[óo]n|Texto|C[óo]digo|Convenio|Reglamento)\b"
)
"""A norm at the beginning of a line, of which the one before it ends with the article."""
_BULLET = re.compile(r"(?:[-–—•*]|\d{1,2}[.)ªº]|[a-zñ]\))\s")


def flat(text: str) -> str:
    """The text in one line, as long as it is: a space where a line goes on, PARAGRAPH where one ends.

    A single end of line is the end of a paragraph if its line ends as a sentence does, or if the next one
    begins with a capital or a bullet after a short line.
    """
    text = text.replace("\r", " ").replace("\f", "\n").replace(PARAGRAPH, " ")
    blocks = list(_blocks(text))
    ends = [end for end, _ in blocks]

    def joined(match: re.Match[str]) -> str:
        length, short = len(match[0]), blocks[bisect_left(ends, match.start())][1]
        parted = match[0].count("\n") > 1 or _parts(text, match.start(), match.end(), short)
        return PARAGRAPH + " " * (length - 1) if parted else " " * length

    return _ENDS.sub(joined, text)


def _blocks(text: str) -> Iterator[tuple[int, float]]:
    """The end of each block of lines, and the length below which one did not end because of the width."""
    at, lengths = 0, [0]
    for line in (*text.split("\n"), ""):
        at += len(line) + 1
        if line.strip():
            lengths.append(len(line))
            continue
        short = min(SHORT, OF_WIDTH * max(lengths)) if len(lengths) > FEWEST_LINES else SHORT
        yield at, short
        lengths = [0]


def _parts(text: str, end: int, start: int, short: float) -> bool:
    line = text[text.rfind("\n", 0, end) + 1 : end]
    if _GOES_ON.search(line):
        return False
    following = text[start : start + 12]
    if _ARTICLE_END.search(line[-LAST:]) and _NORM.match(following):
        return False
    if _BULLET.match(following):
        return bool(_CLOSED.search(line))
    if following[:1].islower() or line.endswith(("-", ",")):
        return False
    return bool(_CLOSED.search(line)) or len(line) < short
