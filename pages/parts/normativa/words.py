"""Spanish words and formats of the corpus pages; pure functions."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from law.changes import ArticleChange, Fate
from law.chunks import Chunk
from law.decisions import LAW
from law.document_records import DocumentRecord, DocumentSummary
from law.labels import title_of
from law.norms import Block, BlockKind, Norm, dated
from law.validity import Validity, state_of_block, state_of_norm
from loading.enrichment.written_aids import MODEL, ORIGIN
from loading.records.jobs import FileOutcome, Job, JobState, OutcomeState
from pages.parts.common.html import Tag
from pages.parts.common.words import (
    COLLECTIONS,
    Names,
    day,
    dotted,
    first_words,
    moment,
    number,
    owner_name,
    plural,
)

JOB_STATES: dict[JobState, Tag] = {
    JobState.QUEUED: ("en cola", ""),
    JobState.RUNNING: ("en curso", "art-mid"),
    JobState.DONE: ("terminado", "art-high"),
    JobState.FAILED: ("fallido", "art-low"),
    JobState.CANCELLED: ("cancelado", "art-mid"),
    JobState.UNDONE: ("deshecho", "art-mid"),
}
OUTCOMES: dict[OutcomeState, Tag] = {
    OutcomeState.DONE: ("cargado", "art-high"),
    OutcomeState.SKIPPED: ("omitido", "art-mid"),
    OutcomeState.FAILED: ("fallido", "art-low"),
}
FATES: dict[Fate, tuple[str, str]] = {
    Fate.NEW: ("nuevo", "nuevos"),
    Fate.AMENDED: ("modificado", "modificados"),
    Fate.REPEALED: ("derogado", "derogados"),
    Fate.CORRECTED: ("corregido", "corregidos"),
    Fate.REMOVED: ("eliminado", "eliminados"),
    Fate.UNCHANGED: ("sin cambios", "sin cambios"),
}
"""The change of an article, in singular and plural."""
VALIDITY_STYLE = {
    Validity.IN_FORCE: "art-high",
    Validity.FUTURE: "art-mid",
    Validity.REPEALED: "art-low",
    Validity.SUPERSEDED: "art-mid",
}
SORTS = {
    "title": "Título",
    "-loaded_at": "Última carga",
    "rank": "Rango",
    "collection": "Colección",
    "status": "Estado",
    "-versions": "Más redacciones",
    "-fragments": "Más pasajes",
}
STATUSES = ("Vigente", "Derogado", "Sustituido")


def collection_name(name: str) -> str:
    """The Spanish name of a collection; an unknown one in words."""
    return COLLECTIONS.get(name) or name.replace("_", " ").capitalize()


def size(count: int) -> str:
    """'820 B', '36 kB', '1,4 MB'."""
    if count < 1000:
        return f"{count} B"
    return f"{number(count / 1000)} kB" if count < 1_000_000 else f"{number(count / 1_000_000, 1)} MB"


def block_name(block: Block) -> str:
    """'Artículo 38' of 'Artículo 38. Vacaciones anuales.'"""
    return first_words(block.title) or block.label or title_of(block)


def norm_tags(norm: Norm, today: date) -> list[Tag]:
    """Vigencia and other states of a norm, as labels."""
    tags = [status_tag(norm, today)]
    if norm.collection == LAW and norm.lacks_day:
        tags = [("Sin fecha: no consta desde cuándo rige", "art-low")]
    if not norm.official:
        tags.append(("Resumen no oficial", "art-mid"))
    return tags


def status_tag(norm: Norm, today: date) -> Tag:
    """The vigencia of a norm; any other status («Firme», «Sustituido») unchanged."""
    if norm.status not in ("Vigente", "Derogado") and norm.repealed_on is None:
        return norm.status, "art-mid" if norm.status in STATUSES else ""
    state = state_of_norm(norm, today)
    return str(state), VALIDITY_STYLE[state.validity]


def block_tag(block: Block, today: date) -> Tag:
    """The vigencia of an article."""
    state = state_of_block(block, today)
    return str(state), VALIDITY_STYLE[state.validity]


def span(valid_from: date, valid_to: date | None) -> str:
    """'14/03/2019 – 30/03/2022', 'desde 14/03/2019', 'sin fecha'."""
    if not dated(valid_from):
        return f"sin fecha – {day(valid_to)}" if valid_to else "sin fecha"
    return f"{day(valid_from)} – {day(valid_to)}" if valid_to else f"desde {day(valid_from)}"


def norm_line(norm: Norm) -> str:
    """'Normativa · Ley · Comunidad de Madrid': collection, rank and territory."""
    place = "" if norm.territory == "estatal" else norm.territory
    return dotted(collection_name(norm.collection), norm.rank, place)


def summary_line(row: DocumentSummary, names: Names) -> str:
    """Fragments and wordings of a document, and its load."""
    return dotted(
        plural(row.fragments, "pasaje", "pasajes"),
        plural(row.versions, "redacción", "redacciones"),
        loaded_line(row.record, names),
    )


def loaded_line(record: DocumentRecord | None, names: Names) -> str:
    """'cargado el 21/11/2026, 10:32 por Ana'; empty without a record."""
    if record is None:
        return ""
    return f"cargado el {moment(record.loaded_at)} por {owner_name(record.loaded_by, names)}"


def fragment_tags(chunk: Chunk, today: date) -> list[Tag]:
    """The vigencia of a fragment, as a label."""
    if chunk.valid_from > today:
        return [(f"Entra en vigor el {day(chunk.valid_from)}", "art-mid")]
    if chunk.valid_to and chunk.valid_to < today:
        return [(f"Redacción del {span(chunk.valid_from, chunk.valid_to)}", "art-mid")]
    return [(f"Vigente {span(chunk.valid_from, chunk.valid_to)}", "art-high")]


def aid_tags(block: Block | None) -> list[Tag]:
    """Who wrote the search aids of an article, when it was a model."""
    if block is None or block.attributes.get(ORIGIN) != MODEL:
        return []
    return [("Ayudas de búsqueda escritas por un modelo: no son texto de la norma", "")]


def counts_line(outcome: FileOutcome) -> str:
    """'12 pasajes nuevos, 3 cambiados, 1 eliminado', or 'sin cambios'."""
    counts = {"nuevo": outcome.added, "cambiado": outcome.changed, "eliminado": outcome.removed}
    told = [(count, fate) for fate, count in counts.items() if count]
    if told:
        (count, fate), *rest = told
        first = plural(count, f"pasaje {fate}", f"pasajes {fate}s")
        return ", ".join([first, *(plural(count, fate, f"{fate}s") for count, fate in rest)])
    return "sin cambios" if outcome.unchanged else ""


def job_line(job: Job, names: Names) -> str:
    """Moment, owner and, once it ended, duration of a job."""
    took = ""
    if job.finished_at and job.started_at:
        took = f"duró {seconds((job.finished_at - job.started_at).total_seconds())}"
    return dotted(moment(job.created_at), owner_name(job.owner, names), took)


def seconds(value: float) -> str:
    """'4 s', '2 min 5 s', '1 h 4 min'."""
    whole = max(0, round(value))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def summed(outcomes: Sequence[FileOutcome]) -> str:
    """'18 cargados, 1 omitido, 1 fallido': the files of a job by result."""
    counts = Counter(one.state for one in outcomes)
    told = ((counts[state], word) for state, (word, _) in OUTCOMES.items())
    return ", ".join(plural(count, word, f"{word}s") for count, word in told if count)


def fates_line(articles: Sequence[ArticleChange]) -> str:
    """'3 artículos nuevos, 2 modificados', in the order of FATES."""
    counts = {fate: sum(one.fate is fate for one in articles) for fate in FATES}
    told = [plural(count, *FATES[fate]) for fate, count in counts.items() if count]
    if told:
        number_of, _, rest = told[0].partition(" ")
        divided = any(one.kind is not BlockKind.SECTION for one in articles)
        noun = "artículo" if divided else "apartado"
        told[0] = f"{number_of} {noun if number_of == '1' else f'{noun}s'} {rest}"
    return ", ".join(told)
