"""Cells of a table that somebody may open in a spreadsheet."""

import re

_FORMULA = re.compile(r"(^|[;,\t\r\n])([\s\"]*)(?=[=+@\-＝＋＠－])")
"""Start of a formula in a cell. A spreadsheet may split cells at another separator («;» in Spain), drops
spaces and quotation marks around them, and some take the wide signs of East Asia for the usual ones."""


def plain_cell(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would begin to read a formula."""
    return _FORMULA.sub(r"\1\2'", text)
