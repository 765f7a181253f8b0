"""Conditions on metadata that a question states explicitly (S3.32). Pure functions.

Only explicit words become a filter: a wrong filter hides the answer, a missing one costs little.
"""

import re
from collections.abc import Collection, Sequence

from law.decisions import CRITERIA, JUDGMENTS
from law.labels import fold
from law.norms import Reference
from rag.question.understanding import Filters

_COURT = (
    r"(?:ts|tsj\w*|tribunal supremo|supremo|tribunal superior|audiencia nacional|sala de lo social"
    r"|tjue|tc|tribunal constitucional)"
)
_COLLECTIONS = (
    (
        JUDGMENTS,
        re.compile(
            rf"\bsentencias? (?:recientes? )?(?:del?|de la) {_COURT}\b|\bjurisprudencia\b"
            rf"|\bdoctrina (?:del?|de la) {_COURT}\b"
            rf"|\b(?:que|como) (?:dice|dijo|ha dicho|opina|entiende|considera|resolvio"
            rf"|ha resuelto) (?:el|la) {_COURT}\b"
            r"|\bunificacion de doctrina (?:dice|del)\b"
        ),
    ),
    (
        CRITERIA,
        re.compile(
            r"\bcriterios? (?:de gestion|interpretativ\w+|del? inss|de la (?:entidad gestora"
            r"|subdireccion)|\d+/\d{4})"
        ),
    ),
)
_PREFERRED = (
    (
        JUDGMENTS,
        re.compile(
            r"\b(?:algun[ao]s?|hay|teneis|tienen|existen?) (?:\w+ )?sentencias?\b|\bsentencias? sobre\b"
            r"|\b\w{3,}n (?:los|las) (?:tribunales|jueces|juezas|juzgados)\b"
        ),
    ),
    (
        CRITERIA,
        re.compile(
            r"\bsegun trabajo\b"
            r"|\b(?:segun|que (?:dice|opina|entiende)|como (?:lo )?(?:ve|interpreta|entiende|computa))"
            r" (?:el inss|(?:la )?(?:direccion general|dgt|tgss|tesoreria))\b"
            r"|\bcriterios?\b[^.?]{0,30}\b(?:inss|administrativos?|administracion)\b"
            r"|\binss\b[^.?]{0,40}\bcriterios?\b"
        ),
    ),
)
"""Words that ask for rulings or criteria, beside which the law may answer too."""
_OF = r"(?: lo (?:dispuesto|previsto) en)?(?: el| la| los| las)? ?$"
_TEXT_OF = re.compile(rf"\b(?:dice|establece|regula|dispone|preve|exige|hay en|contiene){_OF}")
_ACCORDING = re.compile(
    rf"\b(?:segun|conforme a|de acuerdo con|con arreglo a|previstos? en|recogid[oa]s? en|dentro de|en){_OF}"
)
"""Words before a norm whose text is asked for, and before one that the question only believes to rule."""


def filters(question: str, named: Sequence[Reference], loaded: Collection[str]) -> Filters:
    """The conditions that the question states.

    Args:
        named: the references it makes, resolved; a loaded norm whose text is asked for becomes a filter, one
            that «según» introduces a preference. An article named with its norm is looked up.
    """
    folded = fold(question)
    collections = tuple(name for name, pattern in _COLLECTIONS if pattern.search(folded))
    said = [
        (reference.norm_id, reference.start)
        for reference in named
        if reference.norm_id in loaded and reference.norm_id and reference.label is None
    ]
    text_of = [norm_id for norm_id, start in said if _TEXT_OF.search(folded, 0, start)]
    according = [norm_id for norm_id, start in said if _ACCORDING.search(folded, 0, start)]
    preferred = tuple(name for name, pattern in _PREFERRED if pattern.search(folded))
    return Filters(
        preferred=preferred,
        collections=collections,
        norm_ids=tuple(dict.fromkeys(text_of)),
        preferred_norms=tuple(dict.fromkeys(according)),
    )
