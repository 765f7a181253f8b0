"""Events used to date the law («antes de la reforma laboral»); the first pattern that fits wins."""

from datetime import date

# The day before each reform came into force.
EVENTS: tuple[tuple[str, date], ...] = (
    # Real Decreto-ley 3/2012, BOE of 11-02-2012, in force on the next day.
    (r"reforma(?: laboral)? (?:de(?:l ano)? 2012|de rajoy|del? (?:pp|partido popular))", date(2012, 2, 11)),
    # Real Decreto-ley 10/2010, BOE of 17-06-2010, in force on the next day.
    (r"reforma(?: laboral)? de(?:l ano)? 2010", date(2010, 6, 17)),
    # Ley 27/2011, in force on 01-01-2013.
    (r"reforma de (?:las pensiones|la jubilacion) de(?:l ano)? (?:2011|2013)", date(2012, 12, 31)),
    # Real Decreto-ley 32/2021, BOE of 30-12-2021, in force on the next day; its rules
    # on training and temporary contracts waited until 30-03-2022, but «before the reform» is before both.
    (r"(?:la )?ultima reforma laboral|reforma laboral(?: de(?:l ano)? (?:2021|2022))?", date(2021, 12, 30)),
    (
        r"reforma(?:(?= de(?:l ano)? 202[12])|(?! (?:de|del|en|para)\b))|reforma de yolanda diaz",
        date(2021, 12, 30),
    ),
    # Real Decreto 463/2020 (estado de alarma), BOE of 14-03-2020, in force that same day.
    (r"(?:pandemia|covid(?:[- ]?19)?|coronavirus|estado de alarma|confinamiento)", date(2020, 3, 13)),
)
