"""Provisions of a brief in short: «ET 54.2.b; LRJS 103.1».

«ET 34-38» is a range, «?» a provision whose norm the brief leaves open, and what stands between brackets a
norm that is not known, as the brief calls it.
"""

from datetime import date

from casework.briefs.brief_reading import read_brief
from casework.briefs.findings import Provision
from casework.briefs.likely_names import LikelyNames
from law.norm_names import NormCatalogue
from lexicon.usual_names import known_norms

TODAY = date(2031, 5, 5)
CATALOGUE = LikelyNames(NormCatalogue(known_norms()))
NAMES = {norm.id: norm.alias or norm.number for norm in known_norms()}


def written(one: Provision) -> str:
    norm = NAMES.get(one.norm_id or "", "") or (f"[{one.named}]" if one.named else "?")
    label = f"{one.label}-{one.until}" if one.until else one.label
    return " ".join(filter(None, (norm, ".".join(filter(None, (label, one.apartado, one.letter))))))


def provisions_of(text: str, expected: str = "") -> str:
    """The provisions that a text cites; norms alone are left out unless they are expected."""
    found = read_brief(text, CATALOGUE, TODAY).provisions
    named = [one for one in found if one.label or written(one) in expected.split("; ")]
    return "; ".join(map(written, named))
