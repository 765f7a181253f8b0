"""First day of what «entrará en vigor el día siguiente al de su publicación», by the day of its journal."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from law.labels import fold
from loading.formats.broken_lines import Paragraph
from loading.formats.headings import MAX_HEADING

_ON_PUBLICATION = re.compile(
    r"\b(?:en vigor|vigencia|efectos)\b[^.;]{0,60}?\b(?:el|desde|a partir del?|al)(?: mismo)?(?: dia)?"
    r"(?P<next> siguiente)?(?: al?| del?| la| el| dia| fecha| misma)* su publicacion\b"
)
_PROVISION = re.compile(r"disposicion final\b.*\b(?:entrada en vigor|vigencia)\b")


def on_publication(texts: Iterable[str], published: date) -> date | None:
    """The day of publication or the next one, as the first of these texts that names it says."""
    found = next((told for text in texts if (told := _ON_PUBLICATION.search(fold(text)))), None)
    return None if found is None else published + timedelta(days=bool(found["next"]))


def of_norm(paragraphs: Sequence[Paragraph], published: date) -> date | None:
    """The same by the last final provision on the entry into force; None where it names another day."""
    own = (
        at
        for at in reversed(range(len(paragraphs)))
        if _PROVISION.match(fold(paragraphs[at].text[:MAX_HEADING]))
    )
    at = next(own, None)
    return None if at is None else on_publication((p.text for p in paragraphs[at : at + 2]), published)
