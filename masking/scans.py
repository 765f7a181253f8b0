"""A text as it was meant: the digits, letters and hyphens that a scan or a page has put into it undone.

Nothing changes its place, so that offsets in what is returned are offsets in the original.
"""

import re
import unicodedata

# A letter read for a digit («B1O2244l7»), a digit for a letter («C0RRALES», «NlF»).
_NO_DIGIT = re.compile(
    r"(?<!\w)(?=[A-Z]?[OoIl]{0,9}\d|[A-Z]\d)[A-Z]?[\dOoIl]{2,24}[A-Za-z]?(?!\w)|(?<=\d )l(?= \d)"
)
_DIGITS = str.maketrans("OoIl", "0011")
_NO_LETTER = re.compile(
    r"(?P<o>(?<=[^\W\d_])0(?=[^\W\d_]{2})|(?<=[^\W\d_]{2})0(?![\d_])(?=[^\W\d_]|(?!\w))"
    r"|(?<=(?<!\w)[A-Z])0(?=[A-Z](?!\w)))|(?<=[A-ZÑ])l(?=[A-ZÑ])|(?<=[A-Z]\.)l(?=\.)|(?<!\w)l(?=[A-ZÑ]{2})"
)
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n(?P<rest>[^\W\d_]+)")
# PDF and word processors use hard spaces and other hyphens between the groups of a number.
_TYPED = str.maketrans("\u00a0\u202f\u2009\u2010\u2011\u2012", "   ---")

# Of full width, mathematical or in a circle («１２３», «𝟏𝟐𝟑», «Ⓙ»): each is one usual sign.
_WIDE = re.compile("[\uff01-\uff5e\u2460-\u2468\u24b6-\u24ea\U0001d400-\U0001d7ff]+")


def unbroken(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with words joined that a hyphen divides at the end of a line, and where it did.

    «Fa-⏎chadas» becomes «Fachadas» and two blanks.
    """
    changed: list[tuple[int, int]] = []

    def joined(broken: re.Match[str]) -> str:
        rest = broken["rest"]
        if rest[0].isupper() and not text[broken.start() - 1].isupper():
            return broken[0]
        changed.append(broken.span())
        return f"{rest}  "

    return _BROKEN.sub(joined, text) if "-\n" in text else text, changed


def corrected(text: str) -> str:
    """The text with usual letters, blanks and hyphens, its digits and letters put right."""
    text = _WIDE.sub(lambda wide: unicodedata.normalize("NFKC", wide[0]), text.translate(_TYPED))
    if "__" in text:
        # The line of a form to write on.
        text = re.sub(r"__+", lambda line: " " * len(line[0]), text)
    return _NO_LETTER.sub(_as_letter, _NO_DIGIT.sub(_as_digits, text))


def _as_letter(match: re.Match[str]) -> str:
    if not match["o"]:
        return "I"
    return "o" if match.string[match.start() - 1].islower() else "O"


def _as_digits(match: re.Match[str]) -> str:
    """The run with its inner letters as digits, if it has digits enough; outer letters may be its own."""
    run = match[0]
    if run.isdigit():
        return run
    if len(run) == 1:
        return "1"
    own = run[0].isalpha() and run[0] not in "OoIl"
    first, last = int(own), len(run) - (run[-1].isalpha() and run[-1] not in "OoIl")
    inner = run[first:last].translate(_DIGITS)
    few = (first or last < len(run)) and sum(char.isdigit() for char in run) < 4
    return run if few else run[:first] + inner + run[last:]
