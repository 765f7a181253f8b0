"""Reads `metadatos.xml` into a norm, and finds the day on which a repealed norm ceased to be in force."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from lxml import etree

from core.errors import InputError
from law import dates
from law.boe_links import consolidated
from law.norms import STATE_LEVEL, Norm
from lexicon.territories import comunidad
from lexicon.ties import effect
from lexicon.usual_names import known_norm
from loading.formats.boe_text import day

_REPLACED = re.compile(rf"con fecha ({dates.SPELLED}),? se ha publicado ")
_PERIOD = re.compile(rf"efectos durante el per[ií]odo comprendido entre .{{1,60}}? y el ({dates.SPELLED})")


def metadata(root: etree._Element) -> dict[str, str]:
    """The fields of `metadatos.xml` by name.

    Raises:
        InputError: there is no identifier or title.
    """
    found = root.find(".//metadatos")
    fields = (
        {}
        if found is None
        else {str(e.tag): " ".join("".join(map(str, e.itertext("*"))).split()) for e in found}
    )
    if not fields.get("identificador") or not fields.get("titulo"):
        raise InputError(
            "los metadatos de la norma no tienen identificador o título; descárguela del BOE otra vez."
        )
    return fields


def norm(fields: Mapping[str, str], collection: str) -> Norm:
    """The norm, with its usual names when `lexicon` knows them, else derived from rank and number."""
    norm_id = fields["identificador"]
    rank, number = fields.get("rango", ""), fields.get("numero_oficial", "")
    known = known_norm(norm_id)
    published = day(fields.get("fecha_publicacion"))
    effective = effect(norm_id, "", published)
    return Norm(
        id=norm_id,
        collection=collection,
        title=fields["titulo"].rstrip("."),
        law=known.law if known else f"{rank} {number}".strip() or fields["titulo"],
        alias=known.alias if known else "",
        aliases=known.aliases if known else (),
        rank=rank,
        number=number,
        department=fields.get("departamento", ""),
        territory=_territory(fields),
        published=published,
        valid_from=effective.since if effective else day(fields.get("fecha_vigencia")) or published,
        status=_status(fields),
        url=fields.get("url_html_consolidada") or consolidated(norm_id),
        extra=known.extra if known else {},
    )


def journal(fields: Mapping[str, str]) -> str:
    """'Boletín Oficial del Estado, núm. 185'."""
    number = fields.get("diario_numero", "")
    return ", ".join(filter(None, (fields.get("diario", "BOE"), number and f"núm. {number}")))


def _territory(fields: Mapping[str, str]) -> str:
    """'estatal', or the comunidad autónoma of its department; 'autonómico' when the department names none."""
    scope = fields.get("ambito", "").lower()
    if scope == STATE_LEVEL:
        return scope
    return comunidad(fields.get("departamento", "")) or scope or STATE_LEVEL


def _status(fields: Mapping[str, str]) -> str:
    if fields.get("estatus_derogacion") == "S":
        return "Derogado"
    if "S" in (fields.get("estatus_anulacion"), fields.get("judicialmente_anulada")):
        return "Anulado"
    return "Vigencia agotada" if fields.get("vigencia_agotada") == "S" else "Vigente"


def last_day(fields: Mapping[str, str], texts: Sequence[str]) -> tuple[date | None, str]:
    """Last day in force of an ended norm (else None), and a warning when the day is an assumption.

    A norm that sets its own end has it in `lexicon/ties.toml`. The metadata may say only that the norm is
    repealed (the yearly minimum wage decrees do). Then the day comes from the BOE's note on the norm that
    replaced it, from the period that the norm set itself, or,
    failing both, is the end of the year of publication: a repealed norm must not appear as in force today.
    """
    if _status(fields) == "Vigente":
        return None, ""
    published = day(fields.get("fecha_publicacion"))
    effective = effect(fields["identificador"], "", published)
    ended = day(fields.get("fecha_derogacion")) or day(fields.get("fecha_anulacion"))
    known = effective.until if effective and effective.until else ended and ended - timedelta(days=1)
    if known:
        return known, ""
    whole = "\n".join(texts)
    if (replaced := _REPLACED.search(whole)) and (found := dates.parse(replaced[1])):
        return found - timedelta(days=1), ""
    if (period := _PERIOD.search(whole)) and (found := dates.parse(period[1])):
        return found, ""
    if published is None:
        return None, "no está en vigor, pero ninguna fecha dice desde cuándo"
    supposed = date(published.year, 12, 31)
    return supposed, f"no está en vigor y ninguna fecha dice desde cuándo: se supone el {supposed:%d/%m/%Y}"
