"""Letters and apartados that a question names and that the law in force has left without text."""

import re

from law.labels import fold, is_gone
from text.segmentation import apartados

TOLD = "{name}: {part} dice «{text}» en el texto aplicado."
# «52.d», «52 d», «52 d)»: of the letters that are words too, only those with a mark.
_LETTER = r"\b{label}(?:\.\s?([a-zñ])\b|\s([b-df-nñp-xz])\b|\s?([a-zñ])\))"
_LETTER_OF = r"\bletra\s+([a-zñ])\)?\s+del\s+(?:articulo|art\.?)\s+{label}\b"


def emptied(question: str, label: str, apartado: str | None, text: str, name: str) -> str:
    """The Spanish note if the part of an article that a question names has no text; else ''.

    Args:
        label, apartado: of the reference; letters of the first level are read from the question.
        text: of the article, as it applies.
        name: of the article, for the note.
    """
    letter = _letter(fold(question), re.escape(fold(label)))
    wanted = letter or apartado or ""
    part = f"su letra {wanted})" if letter else f"su apartado {wanted}"
    own = (text[unit.start : unit.end].strip() for unit in apartados(text) if unit.label == wanted)
    said = next((one.partition(" ")[2] for one in own), "")
    return TOLD.format(name=name, part=part, text=said) if is_gone(said) else ""


def _letter(folded: str, label: str) -> str:
    found = (re.search(pattern.format(label=label), folded) for pattern in (_LETTER, _LETTER_OF))
    return next((str(one[one.lastindex or 0]) for one in found if one), "")
