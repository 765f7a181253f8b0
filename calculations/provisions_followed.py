"""The provisions that calculations follow, as references."""

from functools import partial

from calculations.outcome import Ref

CIVIL_TERMS = Ref("art. 5 CC")
PROCEDURE = Ref("art. 135.5 LEC")
SUBSIDY_60 = Ref("art. único RD 53/1980")
SUBSIDY_75 = Ref("art. 2 Decreto 3158/1966")
TERM_NOTICE = Ref("art. 8.3 RD 2720/1998", "art. 8 RD 2720/1998")
DISMISSAL_BEFORE_2012 = Ref("DT 11.ª.2 ET", "dt 11 ET")
FIXED_TERM_SCALE = Ref("DT 8.ª ET", "dt 8 ET")
REDUCED_HOURS = Ref("DA 19.ª ET", "da 19 ET")
RETIREMENT_SCALE = Ref("DT 7.ª LGSS", "dt 7 LGSS")


def _article(law: str, number: str, part: str = "") -> Ref:
    """An article of a law; `part` is the 1.c of 49.1.c."""
    dotted = f"{number}.{part}" if part else number
    return Ref(f"art. {dotted} {law}", f"art. {number} {law}")


et = partial(_article, "ET")
lrjs = partial(_article, "LRJS")
lgss = partial(_article, "LGSS")
home = partial(_article, "RD 1620/2011")
"""Of the decree on household employees."""
