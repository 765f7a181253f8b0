"""The as-of rule: a wording is in force from its first day to its last, both inclusive.

`Block.wording_on` and `Chunk.in_force_on` ask it here, a query of the database in
`storage.corpus.reads.in_force_on`; `law.validity` tells the status of a whole norm in words.
"""

from datetime import date


def in_force(valid_from: date, valid_to: date | None, day: date) -> bool:
    """True of a wording on a day between its first and its last, both inclusive."""
    return valid_from <= day and (valid_to is None or day <= valid_to)
