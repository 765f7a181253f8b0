"""Parts of a provision by their numbers: the apartado 2, its letter b). Pure functions."""

import re
from collections.abc import Sequence

from law import labels
from law.provision import Part, Provision
from law.provision_reading import without_mark


def parts_at(provision: Provision, path: Sequence[str]) -> list[Part]:
    """The parts whose path begins with this one; one that begins with '' may stand in any apartado."""
    steps = tuple(path)
    if steps[:1] != ("",):
        return [part for part in provision.parts if part.path[: len(steps)] == steps]
    size = len(steps) - 1
    return [
        part
        for part in provision.parts
        if any(part.path[place : place + size] == steps[1:] for place in range(len(part.path)))
    ]


def cited(provision: Provision, apartado: str | None, letter: str | None) -> list[Part]:
    """The parts of an apartado or letter: what is named so, else all that have each of them in their path.

    «2» is the apartado, and «1.n.2» a rule of another one. All parts if neither is given.
    """
    steps = [step for step in (apartado, letter) if step]
    exact = parts_at(provision, ".".join(steps).split(".")) if steps else list(provision.parts)
    return exact or [part for part in provision.parts if set(steps) <= set(part.path)]


def whole_part(provision: Provision, path: Sequence[str]) -> list[Part]:
    """The parts at a path; none where a list inside it counts from 1 again, as the apartados do."""
    found = parts_at(provision, path)
    if not found or not path or not path[0]:
        return found
    every = provision.parts
    first, last = every.index(found[0]), every.index(found[-1])
    following = every[last + 1 : last + 2]
    again = following and _top(following[0]) < _top(found[-1])
    return [] if again or last - first >= len(found) else found


def _top(part: Part) -> int:
    number = re.match(r"\d+", part.label)
    return int(number[0]) if number else 0


def holds(provision: Provision, apartado: str | None, letter: str | None) -> bool:
    """True if the provision has that apartado and that letter; only what it surely lacks is False."""
    inside = [part for part in provision.parts if apartado in part.path]
    if apartado and not inside and not _begins_a_line(provision.text, apartado):
        return False
    if not letter:
        return True
    mark = re.compile(rf"(?<!\w){letter}\)\s")
    return any(letter in part.path or mark.search(provision.said(part)) for part in inside or provision.parts)


def _begins_a_line(text: str, number: str) -> bool:
    """True for a number at the start of a line, also where it opens no list."""
    return re.search(rf"(?m)^[ \t\u00a0]*{re.escape(number)}\s?[.)ºª]", text) is not None


def is_gone(provision: Provision, apartado: str | None, letter: str | None) -> bool:
    """True if the provision says of that apartado or letter only that it was repealed or suppressed."""
    found = cited(provision, apartado, letter) if apartado or letter else []
    return bool(found) and all(labels.is_gone(without_mark(provision.said(part))) for part in found)


def words_of(provision: Provision, apartado: str | None, letter: str | None) -> str:
    """The words of an apartado or letter in one line; those of the whole wording if it is not set apart."""
    found = cited(provision, apartado, letter) or provision.parts
    return " ".join(" ".join(map(provision.said, found)).split())


def apartado_of(provision: Provision, start: int, end: int) -> str:
    """The number of the one apartado that a stretch stands in; '' for none and for several."""
    tops = {part.path[:1] for part in provision.parts if part.start < end and start < part.end}
    top = "".join(tops.pop()) if len(tops) == 1 else ""
    return top if top.isdigit() else ""


def label_at(provision: Provision, place: int) -> str:
    """The label, '3' or '1.c', of the part that holds that offset; empty before the first mark."""
    return next((part.label for part in provision.parts if part.start <= place < part.end), "")
