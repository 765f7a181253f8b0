"""Kinds of papers of a case, as far as they decide which facts a paper may tell."""

import re
from typing import NamedTuple

from lexicon.paper_fields import field_of_fact

_CLAIM = re.compile(r"(?s)^.{0,300}\b(?:demanda|papeleta|acta de conciliacion)\b")
_AGREEMENT = re.compile(
    r"\A(?:.*\n)?\W*convenio\b|\barticulo \d+\W+(?:jornada|salari|retribuc|tabla|clasificacion|ambito)"
)
_RULING = re.compile(r"(?s)\b(?:sentencia|auto)\b.*\bfallo\b")
_CONTRACT = re.compile(
    r"(?s)\A.{0,200}\bcontra(?:to|cte)\b|\A.{0,900}\b(?:reunidos|clausulas|estipula|pactan|convienen)\b"
)
_CHANGES = re.compile(
    r"(?s)\A.{0,80}\b(?:anexo|novacion|prorroga|ampliacion|modificacion|adenda)\b"
    r"|\A.{0,200}\b(?:extincion|despido|conciliacion|transaccion)\b|\bcarta de despido\b|\bimprocedencia\b"
)
_PAYSLIP = re.compile(
    r"\b(?:deveng|meritat|recibo (?:de|individual)|rebut de salari|nomina (?:de|mes)|neto\b|liquido"
    r"|salario base)"
)
_SETTLED = re.compile(r"\bfiniquito\b|\bsaldo y\b")
_CAREER = re.compile(r"\bvida laboral\b")
_RESIGNS = re.compile(r"\b(?:mi baja voluntaria|mi dimision|baja voluntaria (?:en|de)|finiquito)\b")


class Traits(NamedTuple):
    """Traits of a paper.

    Attributes:
        claimed: a writ of a party, or the act of conciliation that answers it.
        letter: a firm ends or changes a contract by it, or punishes.
        begins: a contract that begins the relation.
        payslip: amounts of a payslip stand without «euros».
        career: a record of all the employers of a person.
        resigns: the worker goes, or signs the last account.
        of_all: an agreement, which is about all workers of its trade.
        ruling: it may be about somebody else's case.
    """

    claimed: bool
    letter: bool
    begins: bool
    payslip: bool
    career: bool
    resigns: bool
    of_all: bool
    ruling: bool


def traits_of(name: str, text: str) -> Traits:
    """The traits of a paper by the folded name of its file and its folded text."""
    about = f"{name}\n{text}"
    claimed = bool(_CLAIM.search(about))
    letter = not claimed and _is_letter(text)
    contract = bool(_CONTRACT.search(text)) and not letter
    return Traits(
        claimed=claimed,
        letter=letter,
        begins=contract and not _CHANGES.search(text),
        payslip=bool(_PAYSLIP.search(text)) and not (claimed or letter or contract or _SETTLED.search(text)),
        career=bool(_CAREER.search(about)),
        resigns=bool(_RESIGNS.search(text)),
        of_all=bool(_AGREEMENT.search(about)),
        ruling=bool(_RULING.search(about)),
    )


def _is_letter(text: str) -> bool:
    field = field_of_fact("letter")
    needed = all(one and one.search(text) for one in (field.of, field.spoken))
    return needed and not (field.not_of and field.not_of.search(text))
