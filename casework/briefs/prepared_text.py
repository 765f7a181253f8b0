"""The text of a brief in the usual form, with the mentions in it. Pure."""

import re

from casework.briefs import forms
from casework.briefs.typed_forms import typed, without_parts
from casework.briefs.unannounced import mentions
from law.labels import fold
from law.norm_names import NormCatalogue
from law.references import attributed

_SPACES = re.compile(" *")


class Prepared:
    """A text, as `lines.flat` writes it, with the mentions in it: what two readings of it have in common."""

    def __init__(self, text: str, catalogue: NormCatalogue) -> None:
        self.text = text
        self.catalogue = catalogue
        self.typed = typed(text, catalogue)
        self.folded = fold(self.typed)
        self.bare = without_parts(self.typed)
        self.entries = attributed(mentions(self.bare, catalogue), catalogue)
        self.backs = [
            match
            for pattern in (
                forms.BACK,
                forms.PART_OF_PART,
                forms.PART_OF_IT,
                forms.IBIDEM,
                forms.OWN_PART,
            )
            for match in pattern.finditer(self.folded)
        ]
        self.community = list(forms.COMMUNITY.finditer(text))

    def over_parts(self, end: int) -> int:
        """The end of the letters and apartados behind an article that were hidden from the reader of it."""
        hidden = _SPACES.match(self.bare, end)
        return end + len(self.typed[end : hidden.end() if hidden else end].rstrip())
