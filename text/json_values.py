"""JSON values in what a model wrote: whole ones, and one that is mended (json-repair).

A text may be hostile. Parsing starts again after each fault, so the starts are counted. The repair takes a
time that grows with the square of the quotation marks and of the objects: it gets few.
"""

import json
import re
from typing import Any, NamedTuple

from json_repair import repair_json

MAX_STARTS = 1000
"""Brackets that begin no value, at most."""
MENDED_CHARS, MENDED_SIGNS, MENDED_OBJECTS = 20_000, 500, 25
"""Characters, brackets and quotation marks, and objects of a text that is mended."""

_SIGN = re.compile(r"[][{}()\"'“”`]")
_CLOSING = {"{": "}", "[": "]"}


class Value(NamedTuple):
    """A value and its place in the text."""

    value: Any
    start: int
    end: int


def outermost_values(text: str, opening: str) -> list[Value]:
    """The outermost values that begin with `opening`, `{` or `[`, in order, up to a nesting too deep.

    What stands in a broken value before its fault is a part of it, and no value.
    """
    decoder = json.JSONDecoder(strict=False)
    found: list[Value] = []
    at, starts = text.find(opening), 0
    while at >= 0 and starts < MAX_STARTS:
        try:
            value, end = decoder.raw_decode(text, at)
        except RecursionError:
            break
        except ValueError as error:
            # A number too long is a plain ValueError, without a place.
            starts, end = starts + 1, max(at + 1, getattr(error, "pos", 0))
        else:
            found.append(Value(value, at, end))
        at = text.find(opening, end)
    return found


def mended(text: str, opening: str) -> Any:
    """The value from the first `opening` to the last closing bracket, mended; None if there is none.

    Single quotes, trailing commas, keys without quotes, quotes within a text. A bracket that is not closed
    means that the end is lost: that is no value.
    """
    closing = _CLOSING[opening]
    cut = text[text.find(opening) : text.rfind(closing) + 1] if opening in text else ""
    if not cut or len(cut) > MENDED_CHARS or cut.count("{") > MENDED_OBJECTS:
        return None
    if cut.count(opening) != cut.count(closing):
        return None
    if len(_SIGN.findall(cut)) > MENDED_SIGNS:
        return None
    try:
        return repair_json(cut, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def unwrapped(text: str) -> str:
    """The text of a JSON string, of a text that is one; else the text."""
    text = text.strip()
    if text.startswith('"'):
        try:
            inner = json.loads(text, strict=False)
        except ValueError:
            return text
        return inner if isinstance(inner, str) else text
    return text
