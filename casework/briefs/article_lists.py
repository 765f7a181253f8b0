"""The words of each article of a list, «los arts. 4.2, 17 y 28.1.b) ET». Pure functions."""

import re
from collections.abc import Iterator

from casework.briefs import forms
from law.reference_reading import Item, Mention


def items(text: str, typed: str, mention: Mention, end: int) -> Iterator[tuple[int, str, Item]]:
    """Each block of a list: where its words begin, those words in the usual form, and the item.

    Args:
        text, typed: the whole text, and the same in the usual form.
        end: of the citation with its norm.
    """
    places = _places(mention)
    if len(places) != len(mention.items):
        for item in mention.items:
            yield mention.start, typed[mention.start : end], item
        return
    for number, item in enumerate(mention.items):
        first = places[number] if number else mention.start
        last = end if number == len(places) - 1 else places[number + 1]
        joint = forms.JOINT.search(text[first:last]) if last != end else None
        yield first, typed[first : first + joint.start() if joint else last], item


def _places(mention: Mention) -> list[int]:
    """Where the number of each block of a list begins; fewer if some are written in words."""
    places: list[int] = []
    cursor = mention.start
    for item in mention.items:
        digits = re.search(r"\d+", item.label)
        pattern = re.compile(rf"(?<!\d){digits[0]}(?!\d)") if digits else None
        found = pattern.search(mention.folded, cursor, mention.end) if pattern else None
        if found is None:
            break
        places.append(found.start())
        cursor = found.end()
    return places
