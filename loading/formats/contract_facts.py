"""Facts that a contract gives in labelled lines, and the type of each section (S3.31, X.20, X.21)."""

import re
from collections.abc import Mapping, Sequence

from law import dates
from law.decisions import LAW, PAPERS
from law.labels import fold
from law.norms import Block, BlockKind, Norm
from loading.aids.topics import GENERAL
from loading.chunking.chunk import SECTION_TYPE
from loading.formats import generated_ids
from loading.formats.broken_lines import Paragraph

RANK = "Contrato"
HEAD = 6

_LABELLED = re.compile(r"(?P<label>[A-ZÁÉÍÓÚÑ][^:\n]{2,60}):\s*(?P<value>\S.{0,300})")
# Folded label to the field that it fills; the first one found in the text wins.
_FIELDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("num_contrato", re.compile(r"(?:numero de )?expediente|contrato n\S*|numero de contrato|referencia")),
    ("tipo_contrato", re.compile(r"tipo de contrato")),
    ("organo", re.compile(r"organo de contratacion|entidad contratante|poder adjudicador")),
    ("contratista", re.compile(r"(?:empresa )?(?:contratista|adjudicatari[oa])")),
    ("importe", re.compile(r"(?:importe|precio|valor)(?: total)?(?: del contrato)?(?: \(.*\))?")),
    ("fecha_firma", re.compile(r"fecha de (?:la )?firma|fecha de formalizacion")),
    ("fecha_inicio", re.compile(r"fecha de inicio(?: de (?:la )?(?:ejecucion|vigencia))?")),
    ("fecha_fin", re.compile(r"fecha de (?:fin|finalizacion|terminacion)(?: del? (?:la )?\w+)?")),
)  # fmt: skip
_NEEDED = ("contratista", "num_contrato")
_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("garantias", re.compile(r"\b(?:garantias?|aval(?:es)?|fianzas?)\b")),
    ("economicas", re.compile(r"\b(?:economic[ao]s?|importes?|precios?|pagos?|presupuesto|facturacion)\b")),
    ("plazos", re.compile(r"\b(?:fechas?|plazos?|duracion|vigencia|hitos|calendario)\b")),
    ("partes", re.compile(r"\b(?:partes|comparecen|reunidos)\b")),
    ("objeto", re.compile(r"\bobjeto\b")),
    ("normas", re.compile(r"\b(?:normas|normativa|certificaciones|nsn|codigos nato)\b")),
    ("resolucion", re.compile(r"\b(?:resolucion|extincion|penalidades|penalizaciones|incumplimiento)\b")),
    ("jurisdiccion", re.compile(r"\b(?:jurisdiccion|fuero|competente)\b")),
    ("obligaciones", re.compile(r"\b(?:obligaciones|facultades|prerrogativas|derechos)\b")),
    ("clausulas", re.compile(r"\b(?:clausulas?|confidencialidad|seguridad)\b")),
    ("firmas", re.compile(r"\bfirmas?\b")),
)


def contract(paragraphs: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    """The contract, or None for something else: it must call itself one and name a contractor."""
    opening = fold("\n".join(p.text for p in paragraphs[:HEAD]))
    if "contrato" not in opening:
        return None
    found = _fields(paragraphs)
    if not all(found.get(key) for key in _NEEDED):
        return None
    title = next((p.text for p in paragraphs[:HEAD] if fold(p.text).startswith("contrato")), _NEEDED[0])
    number = found["num_contrato"]
    signed = dates.parse(found.get("fecha_firma", "")) or dates.parse(found.get("fecha_inicio", ""))
    law = _named(number, name)
    return Norm(
        id=generated_ids.slug(number, generated_ids.NORM_LENGTH),
        collection=PAPERS if collection == LAW else collection,
        title=f"{_sentence(title)} ({law})" if law != number else _sentence(title),
        law=law,
        alias=number,
        rank=RANK,
        number=number,
        department=found.get("organo", ""),
        published=signed,
        valid_from=signed,
        extra=found | normalised(found),
    )


def _fields(paragraphs: Sequence[Paragraph]) -> dict[str, str]:
    found: dict[str, str] = {}
    for paragraph in paragraphs:
        match = _LABELLED.fullmatch(paragraph.text)
        if match is None:
            continue
        label = fold(match.group("label")).strip()
        key = next((key for key, pattern in _FIELDS if pattern.fullmatch(label)), "")
        if key:
            found.setdefault(key, match.group("value").strip())
    return found


def normalised(found: Mapping[str, str]) -> dict[str, str]:
    """The dates of these facts in ISO and their amount in euros, to go beside their own words (X.20)."""
    values = {
        f"{key}_iso": day.isoformat()
        for key, value in found.items()
        if key.startswith("fecha") and (day := dates.parse(value))
    }
    amount = dates.amount(found.get("importe", ""))
    return values | ({"importe_eur": str(amount)} if amount is not None else {})


def _named(number: str, name: str) -> str:
    """The number and the words that the file's name adds to it: the usual name of the contract."""
    words = re.split(r"[\s_]+", name.rpartition(".")[0])
    known = set(re.split(r"[\W_]+", number.lower()))
    extra = " ".join(word for word in words if word and word.lower() not in known)
    return f"{number} {extra}".strip()


def _sentence(title: str) -> str:
    return title.capitalize() if title.isupper() else title


def _subject(title: str) -> str:
    """Type of a section, from its heading: 'garantias', 'economicas'… or 'general'."""
    folded = fold(title)
    return next((kind for kind, pattern in _TYPES if pattern.search(folded)), GENERAL)


def tagged(blocks: Sequence[Block], norm: Norm) -> tuple[Block, ...]:
    """The sections of a contract with their types as attributes; blocks of another document as they are."""
    return tuple(
        block.model_copy(update={"attributes": {**block.attributes, SECTION_TYPE: _subject(block.title)}})
        if norm.rank == RANK and block.kind is BlockKind.SECTION
        else block
        for block in blocks
    )
