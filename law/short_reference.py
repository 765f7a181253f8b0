"""One article named in few words, in any order: «41 ET», «ET 59.3», «DT 11 ET», «LISOS 40», «49.1.c ET».

Pure functions. `law.references` reads citations as texts write them, where a loose number is none; here
the whole text is known to name an article.
"""

import re
from collections.abc import Iterator

from law import references
from law.labels import fold
from law.norm_names import NormCatalogue
from law.norms import Reference
from law.reference_reading import find_mentions

LONGEST = 300
_LETTER = re.compile(r"(?<=\d)[.\s]*[a-zñ]\)?(?=\s|$)", re.IGNORECASE)
_KIND = re.compile(r"(?:art|d\.?[atdf]\b|disp|anexo)")
_NUMBER = re.compile(r"\d|\b[ivxl]+$|unic[oa]")


def lookup(text: str, catalogue: NormCatalogue) -> Reference | None:
    """The one article of a known norm that the text names; None if it names none."""
    text = " ".join(text.split())
    if not text or len(text) > LONGEST:
        return None
    for written in _readings(text):
        for found in references.resolve(find_mentions(written), catalogue):
            if found.norm_id and found.label:
                return found
    return None


def _readings(text: str) -> Iterator[str]:
    """The text, then the same with article and norm as a citation has them."""
    yield text
    words = _LETTER.sub("", text).split()
    yield " ".join(words)
    for place in range(1, len(words)):
        first, second = " ".join(words[:place]), " ".join(words[place:])
        for article, norm in ((second, first), (first, second)):
            if _NUMBER.search(fold(article)):
                yield f"{article if _KIND.match(fold(article)) else f'artículo {article}'} de {norm}"
