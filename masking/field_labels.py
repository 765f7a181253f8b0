"""Labels of forms and headers of tables («DNI», «Tel.»), by the kind of what stands beside or below them."""

import re
from typing import NamedTuple

LONGEST = 30
"""Characters of a header."""


class Label(NamedTuple):
    """The kind of data, the label that tells it in plain text, and the form of a whole cell of it."""

    kind: str
    label: re.Pattern[str]
    cell: re.Pattern[str]


_PERSON = (
    r"(?:nombre|apellido|trabajador|emplead|client|titular|nom\b|cognom|nome\b|apelido|izen|abizen|perceptor|langile"
    r"|treballador|testig|alumn|tripulant|asistent|socio|operari|solicitant|demandant|firmant|heredero|paciente|persona\b)"
)
_NUMBER = re.compile(r"[\w*•.-]*[\d*•]{2,}[\w*• ./-]*")
LABELS = tuple(
    Label(kind, re.compile(label), cell)
    for kind, label, cell in (
        (
            "NACIMIENTO",
            r"\bnac(?:im|id|\.|\b)|naix|jaio|\bf\.? ?n\b|\bborn\b|\bd\.?o\.?b\b",
            re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"),
        ),
        ("PASAPORTE", r"pas+ap|\bpass\b", _NUMBER),
        ("IBAN", r"\biban\b", _NUMBER),
        (
            "DNI",
            r"\bd\. ?n\. ?i|\bdni|\bn\. ?i\. ?[ef]\b|\bni[ef]\b|\bi\. ?p\. ?f\b|\bipf\b"
            r"|\bdoc(?:umento)?\b|\bnan\b"
            r"|\bident|\bt\.?i\.?e\b|\bcedula|\bid\b",
            _NUMBER,
        ),
        ("CIF", r"\bc\.?i\.?f\b|\bifk\b|\bvat\b", _NUMBER),
        (
            "NUSS",
            r"\bn\.? ?[ua]?\.? ?s\. ?s|\bn[ua]?ss\b|\bn\.?a\.?f\b|afiliac|\bafil\b|seg\w*\.? soc|\bss\b"
            r"|\bs\. ?s\b"
            r"|\binscr|\bpatronal\b|\bcotizacion\b|\bc\. ?c\. ?c\b|\bccc\b",
            _NUMBER,
        ),
        (
            "SANITARIA",
            r"\bc\.?i\.?p(?:\.?[as]|na)?\b|\bt\. ?s\. ?i?|\btsi\b|\btis\b|\bn\.?h\.?c\b|sanitaria"
            r"|\bcartilla|\bhistoria\b|\bn\.?u\.?h?\.?u?s\.?a\b"
            r"|\bsip\b|\bsns\b|\bcite\b|\bh\. ?c\b|\bh[ªa]\b|(?:codigo|n\.?º|numero)(?: de)? paciente",
            _NUMBER,
        ),
        ("TARJETA", r"\btarjeta|\bvisa\b|\btargeta|\btarxeta", _NUMBER),
        ("MATRICULA", r"matric|\bmatr?\b", re.compile(r"[\w -]*\d{4}[\w -]*")),
        ("CUENTA", r"\bcuenta|\bcta\b|compte|\bkontu", re.compile(r"[\w /-]*\d{4}[\w /-]*")),
        (
            "TELEFONO",
            r"\bt(?:el|fn|lf|ln)|movil|mobil|telef|\btfo\b|\bfax\b|whats|wh?ats|\bwasap|guasap|\bcontacto\b|\bmv\b",
            re.compile(r"[+(\d][\d ()./-]{6,}"),
        ),
        ("EMAIL", r"\be-?mail|correo|\bmail\b", re.compile(r"\S+@\S+")),
        ("DIRECCION", r"domicil|direcc|adrec|enderezo|helbid", re.compile(r".*\w.*")),
        ("EMPRESA", r"\bempresa:?\Z|razon social", re.compile(r"(?!.*\d{5})[^\W\d_].{2,60}")),
        ("PERSONA", _PERSON, re.compile(r"[^\W\d_][^\d]*[^\W\d_]\.?")),
    )
)
NUMBERS = frozenset(
    {"DNI", "CIF", "NUSS", "PASAPORTE", "SANITARIA", "TARJETA", "MATRICULA", "CUENTA", "IBAN", "TELEFONO"}
)
NUMBERED = re.compile("|".join(one.label.pattern for one in LABELS if one.kind in NUMBERS))
"""A label of a number."""
STARTS = frozenset(
    re.findall(
        r"\w+",
        "pas iba dni nie nif ipf doc nan ide tie ced id cif ifk vat nss nus nas naf afi seg ss ins pat cot"
        " ccc cip tsi tis nhc san car his nuh sip sns cit ha cod num tar vis mat cue cta com kon tel tfn tlf"
        " tln tfo mov mob fax wha wat was gua con mv d n i c t s h",
    )
)
"""The first three letters of each."""


def label_of(text: str) -> Label | None:
    """Kind of data that a header or a label in plain text announces."""
    if len(text) > LONGEST or re.search(r"\d{3}", text):
        return None
    return next((one for one in LABELS if one.label.search(text)), None)
