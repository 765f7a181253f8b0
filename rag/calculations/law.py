"""The provisions that calculations follow, as references."""

from rag.calculations.types import Ref

STATUTE, COURTS, SECURITY, HOME = (
    ("ET", "BOE-A-2015-11430"),
    ("LRJS", "BOE-A-2011-15936"),
    ("LGSS", "BOE-A-2015-11724"),
    ("RD 1620/2011", "BOE-A-2011-17975"),
)
CIVIL_TERMS = Ref("art. 5 CC")
PROCEDURE = Ref("art. 135.5 LEC")
SUBSIDY_60 = Ref("art. único RD 53/1980")
SUBSIDY_75 = Ref("art. 2 Decreto 3158/1966")


def et(number: str, part: str = "") -> Ref:
    """Article of the Estatuto de los Trabajadores; `part` is the 1 of 56.1."""
    return _article(STATUTE, number, part)


def lrjs(number: str, part: str = "") -> Ref:
    """Article of the Ley reguladora de la jurisdicción social."""
    return _article(COURTS, number, part)


def lgss(number: str, part: str = "") -> Ref:
    """Article of the Ley General de la Seguridad Social."""
    return _article(SECURITY, number, part)


def home(number: str, part: str = "") -> Ref:
    """Article of the decree on household employees."""
    return _article(HOME, number, part)


def _article(law: tuple[str, str], number: str, part: str) -> Ref:
    short, norm = law
    dotted = f"{number}.{part}" if part else number
    return Ref(f"art. {dotted} {short}", norm, f"a{number}")


DISMISSAL_BEFORE_2012 = Ref("DT 11.ª.2 ET", STATUTE[1], "dtundecima")
FIXED_TERM_SCALE = Ref("DT 8.ª ET", STATUTE[1], "dtoctava")
RETIREMENT_SCALE = Ref("DT 7.ª LGSS", SECURITY[1], "dtseptima")
