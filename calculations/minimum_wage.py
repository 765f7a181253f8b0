"""Doubts about a salary from the SMI of its day: one far from it is nearly always of another period."""

from datetime import date, timedelta
from decimal import Decimal

from calculations.official_figures import Facts
from calculations.written_amounts import decimal, euros

FIGURE, PAYMENTS, WHOLE = "SMI mensual", 14, Decimal(100)
ROUNDING = Decimal("0.99")
"""Share of the SMI that its twelfths and days of the year, rounded to the cent, still reach."""
MOST = 12
"""Times the SMI: what a year's salary above it comes to when it is typed as that of a month."""
BASE_DAYS = 360
"""Days in the year of daily bases, whose months are of thirty."""
CHECK = "Compruebe la cifra y si es de un año, de un mes o de un día."


def salary_doubts(annual: Decimal, day: date, facts: Facts, share: Decimal = WHOLE) -> tuple[str, ...]:
    """Warnings about the salary of a year for `share` % of the working time; () without an SMI of the day."""
    figure = facts.known(FIGURE, day)
    if figure is None:
        return ()
    whole = figure.amount * PAYMENTS
    least = whole * share / 100
    if annual < least * ROUNDING:
        time = "a jornada completa" if share == WHOLE else f"al {decimal(share)} % de la jornada"
        told = f"es menos que el SMI de ese día {time} ({euros(least)} al año)"
    elif annual > whole * MOST:
        told = f"es más de doce veces el SMI de ese día ({euros(whole)} al año)"
    else:
        return ()
    return (f"El importe que ha escrito sale a {euros(annual)} al año, que {told}. {CHECK}",)


def base_doubts(base: Decimal, day: date, facts: Facts) -> tuple[str, ...]:
    """Warnings about the daily base of a benefit that begins on a day: it is of the month before."""
    return salary_doubts(base * BASE_DAYS, day - timedelta(31), facts)
