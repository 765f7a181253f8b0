"""Provisions of a brief in short: «ET 54.2.b; LRJS 103.1», and rulings; cases are in `tests/cases`.

«ET 34-38» is a range, «?» a provision whose norm the brief leaves open, and what stands between brackets a
norm that is not known, as the brief calls it.
"""

from datetime import date

from casework.briefs.brief_reading import Page, outer
from casework.briefs.findings import Brief, Provision
from casework.briefs.likely_names import LikelyNames
from law.norm_names import NormCatalogue
from law.rulings import Ruling
from lexicon.usual_names import known_norms

TODAY = date(2031, 5, 5)
CATALOGUE = LikelyNames(NormCatalogue(known_norms()))
NAMES = {norm.id: norm.alias or norm.number for norm in known_norms()}


def read_brief(text: str, catalogue: NormCatalogue, today: date) -> Brief:
    """The citations of a brief, with their offsets in its text."""
    return outer(Page(text, catalogue, today))


def written(one: Provision) -> str:
    norm = NAMES.get(one.norm_id or "", "") or (f"[{one.named}]" if one.named else "?")
    label = f"{one.label}-{one.until}" if one.until else one.label
    return " ".join(filter(None, (norm, ".".join(filter(None, (label, one.apartado, one.letter))))))


def provisions_of(text: str, expected: str = "") -> str:
    """The provisions that a text cites; norms alone are left out unless they are expected."""
    found = read_brief(text, CATALOGUE, TODAY).provisions
    named = [one for one in found if one.label or written(one) in expected.split("; ")]
    return "; ".join(map(written, named))


def ruling_written(one: Ruling) -> str:
    """'STS 12/2020 3-5-2020 rec 1/2019', what there is of it, and «!» if its form is impossible."""
    day = f"{one.day.day}-{one.day.month}-{one.day.year}" if one.day else ""
    appeal = f"rec {one.appeal}" if one.appeal else ""
    return " ".join(filter(None, (one.court, one.number, day, appeal, "!" if one.problem else "")))


def rulings_of(text: str) -> str:
    return "; ".join(map(ruling_written, read_brief(text, CATALOGUE, TODAY).rulings))
