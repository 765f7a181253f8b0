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
_RANKS = (
    ("Real Decreto Legislativo", r"reales? decretos? legislativos?"),
    ("Real Decreto-ley", r"(?:reales? )?decretos?[- ]leyes|real decreto[- ]ley"),
    ("Real Decreto", r"reales decretos|normas? reglamentarias?"),
    ("Ley Orgánica", r"leyes organicas"),
    ("Orden", r"ordenes ministeriales"),
)
_ONLY_RANK = r"\b(?:que|cuales|algun|algunos|solo|solamente|unicamente|en los|en las) (?:{})\b(?! ?\d)"
_SECTIONS = (("sanciones", re.compile(r"\b(?:solo|unicamente) (?:las )?(?:infracciones|sanciones)\b")),)
_SAYS = re.compile(
    r"\b(?:segun|conforme a|de acuerdo con|con arreglo a|que (?:dice|establece|regula|dispone|preve|exige)"
    r"|dice|establece|regula|previstos? en|recogid[oa]s? en|dentro de|en)(?: lo (?:dispuesto|previsto) en)?"
    r"(?: el| la| los| las)? ?$"
)


def filters(question: str, named: Sequence[Reference], loaded: Collection[str]) -> Filters:
    """The conditions that the question states.

    Args:
        named: the references it makes, resolved; a norm becomes a filter if it is loaded and words like
            «según» introduce it. An article named with its norm needs no filter: it is looked up.
    """
    folded = fold(question)
    collections = tuple(name for name, pattern in _COLLECTIONS if pattern.search(folded))
    ranks = tuple(rank for rank, pattern in _RANKS if re.search(_ONLY_RANK.format(pattern), folded))
    norms = [
        reference.norm_id
        for reference in named
        if reference.norm_id in loaded
        and reference.norm_id
        and reference.label is None
        and _SAYS.search(folded, 0, reference.start)
    ]
    sections = tuple(name for name, pattern in _SECTIONS if pattern.search(folded))
    preferred = tuple(name for name, pattern in _PREFERRED if pattern.search(folded))
    return Filters(
        preferred=preferred,
        ranks=ranks,
        collections=collections,
        norm_ids=tuple(dict.fromkeys(norms)),
        section_types=sections,
    )
