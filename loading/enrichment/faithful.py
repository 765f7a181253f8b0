"""Checks that a Markdown is a faithful copy of a text (X.27), and reads its METADATA GLOBAL section."""

import re
from collections import Counter
from collections.abc import Sequence

from law.labels import fold
from loading.formats import contract_facts, headings
from text.figures import footprint
from text.textnorm import words

METADATA = "METADATA GLOBAL"
# A copy may mend a hyphen and leave out a page's furniture; more than that is another text.
FEW_WORDS = 3
NEW_SHARE, LOST_SHARE = 0.01, 0.10
MAX_FACTS, MAX_VALUE = 20, 300
_FACT = re.compile(r"[-*]?\s*\**(?P<key>[a-z][a-z_]{1,39})\**\s*:\s*\**\s*(?P<value>\S.*)")


def unfaithful(source: str, markdown: str) -> str:
    """Reason why a Markdown is not a faithful copy, in Spanish; empty if it is one."""
    body, facts = divided(markdown)
    body = "\n".join(line for line in body.split("\n") if headings.section_name(line) is None)
    names = " ".join(name for line in markdown.split("\n") if (name := headings.section_name(line)))
    there, here = footprint(source), footprint("\n".join((body, names)))
    told = footprint("\n".join(facts))
    if invented := [n for n in (here | told) if n not in there]:
        return f"aparecen cifras que no están en el original ({_some(invented)})"
    if lost := [n for n, times in there.items() if times > here[n]]:
        return f"faltan cifras del original ({_some(lost)})"
    original, copied = Counter(words(source)), Counter(words(body))
    new = sum(times for word, times in copied.items() if word not in original)
    if new > max(FEW_WORDS, NEW_SHARE * copied.total()):
        return "aparecen palabras que no están en el original"
    gone = (original - copied - Counter(words(names))).total()
    if gone > max(FEW_WORDS, LOST_SHARE * original.total()):
        return "falta parte del texto original"
    return ""


def _some(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:5]) + ("…" if len(numbers) > 5 else "")


def divided(markdown: str) -> tuple[str, list[str]]:
    """Returns (the Markdown without its METADATA GLOBAL section, the facts of that section).

    The section ends at the next delimiter, or at the first line that is not a fact.
    """
    body: list[str] = []
    facts: list[str] = []
    inside = False
    for line in markdown.split("\n"):
        name = headings.section_name(line)
        if name is not None:
            inside = name.upper() == METADATA
        elif inside and line.strip():
            inside = _FACT.fullmatch(line.strip()) is not None
        if not inside:
            body.append(line)
        elif name is None and line.strip():
            facts.append(line.strip())
    return "\n".join(body), facts


def described(lines: Sequence[str], source: str) -> dict[str, str]:
    """The facts of METADATA GLOBAL that the source says too, with ISO dates and amounts (X.20)."""
    told = " ".join(fold(source).split())
    found: dict[str, str] = {}
    for line in lines[:MAX_FACTS]:
        match = _FACT.fullmatch(line)
        value = match.group("value").strip("* ")[:MAX_VALUE] if match else ""
        if match and value and " ".join(fold(value).split()) in told:
            found.setdefault(match.group("key"), value)
    return found | contract_facts.normalised(found)
