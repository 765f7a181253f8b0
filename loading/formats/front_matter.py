"""The YAML front matter of Markdown, with the names of our fields whatever a public collection calls them."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from core.errors import InputError
from law.boe_links import consolidated
from law.decisions import LAW
from law.labels import fold
from law.norms import Norm
from law.validity import ENDED
from lexicon.usual_names import known_norm
from loading.aids.packed_attributes import split_packed
from loading.formats.encoding import clean, decode, one_line
from loading.formats.generated_ids import slug
from loading.formats.norm_facts import rank_named
from loading.formats.source_file import Source

TEXTS = ("title", "law", "alias", "rank", "number", "department", "territory", "status", "url")
DATES = ("published", "valid_from", "repealed_on")
MAX_FRONT_MATTER, MAX_FRONT_DEPTH = 20_000, 20
NAMES = {
    "id": ("identifier", "identificador"),
    "title": ("titulo",),
    "rank": ("rango",),
    "number": ("official_number", "numero_oficial"),
    "department": ("departamento",),
    "status": ("estado",),
    "published": ("publication_date", "fecha_publicacion"),
    "valid_from": ("entry_into_force", "effective_date", "fecha_vigencia"),
    "url": ("url_html",),
    "ultima_modificacion": ("last_updated", "ultima_actualizacion"),
}
"""Other names of each field."""
FIRST_DAY_WITHOUT = ("repeal_date", "fecha_derogacion")
"""Names of the day after the last one in force, `repealed_on`."""
STATUSES = {
    "Vigente": ("vigente", "in force", "en vigor", "active"),
    "Derogado": ("derogado", "derogada", "repealed"),
    "Sustituido": ("sustituido", "sustituida", "superseded", "replaced"),
    "Anulado": ("anulado", "anulada", "annulled"),
    "Vigencia agotada": ("vigencia agotada", "expired"),
}
"""Spellings of each status, folded."""
UNKNOWN_STATUS = "Su cabecera le da el estado «{status}», que no se conoce: indíquelo en sus datos."
NO_LAST_DAY = "Su cabecera la da por no vigente y no dice desde cuándo: indique su último día de vigencia."
_SCANNER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPENS = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSES = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


def split_front_matter(source: Source) -> tuple[Mapping[str, Any], str]:
    """The fields of a file as it names them, and its text.

    Raises:
        InputError: the file is not text, or its front matter is not valid YAML.
    """
    try:
        text = decode(source.data, source.name)
        fields, body = frontmatter.parse(
            text, handler=_FrontMatter() if _FrontMatter().detect(text) else None
        )
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(
            f"{source.name}: no se puede leer su cabecera YAML ({one_line(str(error))[:200]}); corríjala o "
            "quítela."
        ) from error
    return fields, body


class _FrontMatter(YAMLHandler):
    """YAML without anchors and aliases: a few hundred bytes of them can say more than fits into memory."""

    def load(self, fm: str, **kwargs: object) -> Any:
        if len(fm) > MAX_FRONT_MATTER:
            raise ValueError(f"tiene más de {MAX_FRONT_MATTER} caracteres")
        depth = 0
        for token in yaml.scan(fm, _SCANNER):
            if isinstance(token, yaml.AnchorToken | yaml.AliasToken):
                raise ValueError("no se admiten anclas ni alias, «&» y «*»")
            depth += isinstance(token, _OPENS) - isinstance(token, _CLOSES)
            if depth > MAX_FRONT_DEPTH:
                raise ValueError(f"tiene más de {MAX_FRONT_DEPTH} niveles, uno dentro de otro")
        return super().load(fm, **kwargs)


def renamed(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields under our names; one that has ours beside it stays as it is.

    Raises:
        InputError: the day of repeal is not a date.
    """
    ours = {name: field for field, names in NAMES.items() for name in names if field not in given}
    fields = {ours.get(name, name): value for name, value in given.items()}
    for name in FIRST_DAY_WITHOUT:
        if "repealed_on" not in given and (first := date_of(name, fields.pop(name, None))):
            fields["repealed_on"] = first - timedelta(days=1)
    if "status" in fields:
        said = fold(_plain(fields["status"])).replace("_", " ")
        fields["status"] = next((one for one, names in STATUSES.items() if said in names), fields["status"])
    if "rank" in fields:
        fields["rank"] = rank_named(_plain(fields["rank"]))
    return fields


def norm_of(source: Source, fields: Mapping[str, Any], title: str, collection: str) -> Norm:
    """The norm that front matter describes; `collection` applies where it names none.

    Args:
        title: of a file whose front matter gives none; empty for that of its name.

    Raises:
        InputError: a date is not one.
    """
    texts: dict[str, Any] = {name: _plain(fields[name]) for name in TEXTS if fields.get(name) is not None}
    norm_id = str(fields.get("id") or slug(source.stem))
    texts.setdefault("title", title or source.stem)
    aliases = fields.get("aliases") or ""
    named = tuple(map(str, aliases)) if isinstance(aliases, list) else split_packed(str(aliases), ",")
    if norm_id.startswith("BOE-"):
        texts.setdefault("url", consolidated(norm_id))
        if known := known_norm(norm_id):
            texts = {"law": known.law, "alias": known.alias} | texts
            named = named or known.aliases
        elif texts.get("rank") and texts.get("number"):
            texts.setdefault("law", f"{texts['rank']} {texts['number']}")
    texts.setdefault("law", texts["title"])
    known_fields = {*TEXTS, *DATES, "id", "collection", "aliases", "official"}
    return Norm(
        id=norm_id,
        collection=str(fields.get("collection") or collection),
        aliases=named,
        official=fields.get("official", True) is not False,
        extra={str(key): _plain(value) for key, value in fields.items() if key not in known_fields},
        **{name: date_of(name, fields.get(name)) for name in DATES},
        **texts,
    )


def doubts(norm: Norm) -> tuple[str, ...]:
    """Spanish warnings about the status of a law."""
    if norm.collection != LAW:
        return ()
    if norm.status not in STATUSES:
        return (UNKNOWN_STATUS.format(status=norm.status),)
    return (NO_LAST_DAY,) if norm.status in ENDED and norm.repealed_on is None else ()


def _plain(value: object) -> str:
    """A front-matter value on one line, cleaned: YAML escapes can write characters that no file may hold."""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return one_line(clean(text))


def date_of(name: str, value: object) -> date | None:
    """A date of front matter or of an attribute; None without one. Raises InputError for anything else."""
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip())
    except ValueError:
        raise InputError(f"{name} debe ser una fecha escrita como 2015-10-24, no «{value}».") from None
