"""The data of a document as a form with the fields of its collection."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from law.norms import Norm
from pages.parts.common.widgets import choose, choose_day, named
from pages.parts.common.words import OLDEST, YEARS_AHEAD, today
from pages.parts.normativa.words import STATUSES

UNSET = ""


@dataclass(frozen=True)
class Field:
    """One field of a form.

    Attributes:
        key: its name in `loading.ingestion.metadata_corrections`.
        kind: text | date | status.
        shared: True if documents loaded together may share the value.
    """

    key: str
    label: str
    kind: str = "text"
    shared: bool = False
    help: str | None = None


ALIAS = Field("alias", "Siglas", help="El nombre más corto con que se cita: «ET».")
NAMES = Field("aliases", "Otros nombres", help="Separados por comas: «Estatuto, TRET».")
LAW = Field("law", "Cómo se cita", help="«Estatuto de los Trabajadores», «Ley 10/2021».")
TITLE, NUMBER = Field("title", "Título"), Field("number", "Número")
TERRITORY = Field("territory", "Territorio", shared=True, help="«estatal» o la comunidad autónoma.")
START = Field("valid_from", "Primer día de vigencia", "date")
STATUS = Field("status", "Estado", "status", shared=True)
END = Field("repealed_on", "Último día de vigencia", "date", shared=True)

TOGETHER = (TERRITORY, Field("published", "Publicación", "date"), START, STATUS, END)
"""Fields that may be changed for several documents at once, besides their collection."""

FORMS: dict[str, tuple[Field, ...]] = {
    "normativa": (
        TITLE,
        LAW,
        ALIAS,
        NAMES,
        Field("rank", "Rango", shared=True, help="«Ley», «Real Decreto», «Convenio colectivo»…"),
        NUMBER,
        TERRITORY,
        Field("department", "Órgano emisor", shared=True),
        Field("published", "Publicación", "date"),
        START,
        STATUS,
        END,
    ),
    "sentencias": (
        TITLE,
        LAW,
        Field("extra.court", "Órgano judicial", shared=True),
        Field("extra.chamber", "Sala", shared=True),
        NUMBER,
        Field("published", "Fecha de la sentencia", "date"),
        Field("extra.ecli", "ECLI"),
        Field("extra.ponente", "Ponente", shared=True),
        ALIAS,
        TERRITORY,
    ),
    "criterios_inss": (
        TITLE,
        LAW,
        NUMBER,
        Field("published", "Fecha", "date", shared=True),
        Field("department", "Emisor", shared=True),
        ALIAS,
        STATUS,
        END,
    ),
    "documentos": (TITLE, LAW, Field("rank", "Clase", shared=True, help="«Documento», «Borrador»…"), NUMBER),
}


def fields_of(collection: str) -> tuple[Field, ...]:
    """The form of a collection; an unknown collection has that of the law."""
    return FORMS.get(collection, FORMS["normativa"])


def values_of(norm: Norm) -> dict[str, str]:
    """The stored values of a document, by the key of each field."""
    dates = {
        key: value.isoformat()
        for key in ("published", "valid_from", "repealed_on")
        if (value := getattr(norm, key))
    }
    texts = {
        key: getattr(norm, key)
        for key in ("title", "law", "alias", "rank", "number", "department", "territory", "status")
    }
    extra = {f"extra.{key}": value for key, value in norm.extra.items()}
    return {**texts, "aliases": ", ".join(norm.aliases), **dates, **extra}


def show_fields(
    fields: tuple[Field, ...],
    key: str,
    values: Mapping[str, str] | None = None,
    unset: str = "El que diga el documento",
) -> dict[str, str]:
    """Draw the fields in two columns and return the values written.

    Args:
        values: initial values; without it the fields start empty, and empty ones are not returned.
        unset: the choice of no status.
    """
    columns = st.columns(2)
    written = {
        field.key: _show(
            columns[place % 2], field, f"{key}-{field.key}", (values or {}).get(field.key, UNSET), unset
        )
        for place, field in enumerate(fields)
    }
    return {name: text for name, text in written.items() if values is not None or text}


def _show(where: DeltaGenerator, field: Field, key: str, value: str, unset: str) -> str:
    if field.kind == "date":
        before = date.fromisoformat(value) if value else None
        limits = {"min_value": OLDEST.replace(year=1800), "max_value": today() + YEARS_AHEAD}
        chosen = choose_day(where, field.label, before, key, help=field.help, **limits)
        return chosen.isoformat() if chosen else UNSET
    if field.kind == "status":
        states = ({value: value} if value else {UNSET: unset}) | named(STATUSES)
        return choose(where, field.label, states, key, keep=False, help=field.help)
    return where.text_input(field.label, value=value, key=key, help=field.help, max_chars=1000).strip()
