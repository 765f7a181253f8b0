"""A source as a lawyer cites it in a footnote, from the metadata that the corpus stores."""

import re
from collections.abc import Sequence
from datetime import date

from law import dates
from law.boe_links import consolidated
from law.norms import DOCUMENT, Block, Norm, dated
from law.parts import apartado_of
from law.provision_reading import read_provision
from rag.answers.recheck import wording
from rag.answers.verbatim import place_of
from rag.shared.cited_answer import Citation, Source

_SHORT = re.compile(r".*?\d+/\d{4}, de \d{1,2} de [a-zé]+(?: de \d{4})?")
_ACRONYM = re.compile(r"([A-ZÁÉÍÓÚ][\wÁÉÍÓÚ]*) (?:n\.º )?\d")
_ARTICLE = "Artículo "
UNCHECKED = "cita no comprobada"
NAMED = "fuente nombrada, sin cita comprobada"
UNOFFICIAL = "resumen no oficial"
GONE = "redacción que ya no está cargada"


def reference(sources: Sequence[Source], norm: Norm | None, block: Block | None) -> str:
    """«art. 59.3 ET (Real Decreto Legislativo 2/2015, de 23 de octubre; redacción vigente desde 1-1-2023)».

    A judgment is named by its court, number, day and ECLI as far as they are stored.

    Args:
        sources: quotations of one article, or a source that is only named.
        block: the article in the corpus, where the apartado of a quotation is read; None without it.
    """
    first, name = sources[0], named(sources, norm, block)
    if norm is not None and _is_judgment(norm):
        return _noted(name, _state(sources))
    if first.collection == DOCUMENT:
        return _noted(name, [f"documento del caso: {first.chapter}", *_state(sources)])
    title = _title(norm)
    titled = [title] if title and title != _law(first, norm) else []
    gone = [] if wording(block, first) else [GONE]
    return _noted(name, [*titled, _since(first), *_state(sources), *gone])


def named(sources: Sequence[Source], norm: Norm | None, block: Block | None) -> str:
    """«art. 59.3 ET», «Doc 1, p. 2» or the name of a judgment; see `reference`."""
    first = sources[0]
    if norm is not None and _is_judgment(norm):
        return _judgment(norm)
    if first.collection == DOCUMENT:
        return f"{first.law}, {first.section}"
    return f"{_place(sources, block)} {_law(first, norm)}".strip()


def address(source: Source, norm: Norm | None) -> str:
    """Where the text is published: its own address, that of its norm, or the BOE's; '' when none is known."""
    if source.url or (norm and norm.url):
        return source.url or (norm.url if norm else "")
    return consolidated(source.norm_id, source.block_id) if source.norm_id.startswith("BOE-") else ""


def by_wording(citations: Sequence[Citation]) -> list[list[Citation]]:
    """Citations grouped by the wording that they quote, in the order of the first of each."""
    groups: dict[tuple[str, str, date | None], list[Citation]] = {}
    for one in citations:
        groups.setdefault((one.norm_id, one.block_id, one.valid_from), []).append(one)
    return list(groups.values())


def spelled(day: date) -> str:
    """'1-1-2023'."""
    return f"{day.day}-{day.month}-{day.year}"


def _noted(name: str, remarks: Sequence[str]) -> str:
    told = "; ".join(filter(None, remarks))
    return f"{name} ({told})." if told else f"{name}."


def _is_judgment(norm: Norm) -> bool:
    return bool(norm.extra.get("ecli")) or norm.rank == "Sentencia"


def _law(source: Source, norm: Norm | None) -> str:
    return norm.name if norm else source.law or source.source


def _title(norm: Norm | None) -> str:
    if norm is None:
        return ""
    short = _SHORT.match(norm.title)
    return short.group() if short else norm.title.rstrip(". ")


def _since(source: Source) -> str:
    since = dated(source.valid_from)
    until = f" hasta {spelled(source.valid_to)}" if source.valid_to else ""
    return f"redacción vigente desde {spelled(since)}{until}" if since else ""


def _state(sources: Sequence[Source]) -> list[str]:
    quotes = [one for one in sources if isinstance(one, Citation)]
    told = [] if sources[0].official else [UNOFFICIAL]
    if not quotes:
        told.append(NAMED)
    elif not all(one.verified for one in quotes):
        told.append(UNCHECKED)
    return told


def _judgment(norm: Norm) -> str:
    """«STS (Sala de lo Social) n.º 140/2024, de 6 de noviembre de 2024 (ECLI:ES:TS:2024:140)»."""
    acronym = _ACRONYM.match(norm.alias)
    name = acronym[1] if acronym else f"Sentencia del {norm.extra.get('court', 'tribunal')}"
    chamber, ecli = norm.extra.get("chamber", ""), norm.extra.get("ecli", "")
    if not norm.number:
        return f"{norm.law} ({ecli})" if ecli else norm.law
    told = f"{name} ({chamber}) n.º {norm.number}" if chamber else f"{name} n.º {norm.number}"
    if norm.published:
        told += f", de {dates.spelled(norm.published)}"
    return f"{told} ({ecli})" if ecli else told


def _place(sources: Sequence[Source], block: Block | None) -> str:
    """'art. 59.3', 'disposición adicional tercera, apartado 2'; '' for a source without articles."""
    name = sources[0].section.split(". ")[0].rstrip(". ") or sources[0].article
    if not name:
        return ""
    within = {_apartado(one, block) for one in sources if isinstance(one, Citation)}
    apartado = within.pop() if len(within) == 1 else ""
    if name.startswith(_ARTICLE):
        number = name.removeprefix(_ARTICLE)
        return f"art. {number}.{apartado}" if apartado else f"art. {number}"
    name = name[0].lower() + name[1:]
    return f"{name}, apartado {apartado}," if apartado else f"{name},"


def _apartado(citation: Citation, block: Block | None) -> str:
    """'3' for a quotation that stands whole in apartado 3 of its wording; '' when that is not known."""
    version = wording(block, citation)
    found = place_of(citation.quote, version.text, citation.start) if version else None
    return apartado_of(read_provision(version.text), *found) if version and found else ""
