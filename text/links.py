"""Addresses that may be links; links and images of what a model writes as plain words. Pure functions."""

import re

from text.markers import MARKER

OFFICIAL_HOSTS = (
    "boe.es",
    "poderjudicial.es",
    "tribunalconstitucional.es",
    "seg-social.es",
    "sepe.es",
    "mites.gob.es",
    "curia.europa.eu",
    "eur-lex.europa.eu",
)

# The host as browsers read it: they end it at a backslash too, and read signs, wide dots and per cents in it.
_ADDRESS = re.compile(r"https://([a-z0-9.-]+)(?:[/?#][^\\\s]*)?")
_LABEL = r"((?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,600})"
_TARGET = r"(<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)"
_TITLE = r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?"
_LINK = re.compile(rf"!?\[{_LABEL}\]\(\s*{_TARGET}{_TITLE}\s*\)")
_DEFINED = re.compile(r"^[ \t>]*\[([^\]\n]{1,200})\]:(?=[ \t]*\S)", re.MULTILINE)
_IMAGE = re.compile(r"!(?=\[)")
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
MOST_NESTED = 3


def official_url(url: str) -> str | None:
    """The address if it is an https one of an official source, otherwise None: no other becomes a link."""
    found = _ADDRESS.fullmatch(url)
    known = found and any(f".{found[1]}".endswith(f".{name}") for name in OFFICIAL_HOSTS)
    return url if known and url.isprintable() else None


def without_links(text: str) -> str:
    """The text in which nothing is loaded or leads anywhere: «[BOE](https://…)» is «BOE (https://…)».

    Markers of citations stay as they are.
    """
    for _ in range(MOST_NESTED):
        text = _LINK.sub(_as_words, text)
    text = _DEFINED.sub(r"\1:", _IMAGE.sub("", text))
    return _TAG.sub("< ", text)


def _as_words(link: re.Match[str]) -> str:
    label, target = link[1].strip(), link[2].strip("<>")
    said = marked if re.fullmatch(MARKER, marked := f"[{label}]") else label
    return " ".join(filter(None, (said, f"({target})" if target else "")))
