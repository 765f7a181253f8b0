"""Links and images of Markdown and HTML in what a model writes, turned into plain words. Pure functions."""

import re

_LABEL = r"((?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,600})"
_TARGET = r"(<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)"
_TITLE = r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?"
_LINK = re.compile(rf"!?\[{_LABEL}\]\(\s*{_TARGET}{_TITLE}\s*\)")
_DEFINED = re.compile(r"^[ \t>]*\[([^\]\n]{1,200})\]:(?=[ \t]*\S)", re.MULTILINE)
_IMAGE = re.compile(r"!(?=\[)")
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_MARKER = re.compile(r"C\d+")
MOST_NESTED = 3


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
    said = f"[{label}]" if _MARKER.fullmatch(label) else label
    return " ".join(filter(None, (said, f"({target})" if target else "")))
