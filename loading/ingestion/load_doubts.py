"""Doubts about a document that is loaded: what it lacks, when it applies. Pure functions."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from law import dates
from law.agreement_names import term_over
from law.chunks import Chunk
from law.decisions import LAW, PAPERS
from law.norms import BlockKind, Document
from loading.formats.norm_facts import is_rank
from loading.formats.papers import DRAFT, PAPER

NO_NORM = (
    "No dice qué norma es (rango, número y fecha): se guarda en «Documentos» y no responde como ley. Si lo "
    "es, indique su rango."
)
NO_LAW_YET = "Es un borrador: se guarda en «Documentos» y no responde como ley."
LATER = "Rige desde el {day}: hasta entonces no se aplica."


def load_doubts(document: Document, chunks: Sequence[Chunk], today: date) -> list[str]:
    """Spanish sentences about what a document lacks, or when it applies."""
    norm, kinds = document.norm, Counter(block.kind for block in document.blocks)
    said = []
    if not chunks:
        said.append("No tiene ningún fragmento con texto: no se podrá encontrar. Revise el archivo.")
    elif norm.collection == LAW and not kinds[BlockKind.ARTICLE]:
        said.append("No se ha reconocido ningún artículo: se dividirá por longitud y se citará sin artículo.")
    if norm.collection == PAPERS and norm.rank in (DRAFT, PAPER):
        said.append(NO_LAW_YET if norm.rank == DRAFT else NO_NORM)
    if norm.lacks_day:
        said.append("No tiene fecha de publicación ni de vigencia: indíquela antes de cargarlo.")
    elif norm.collection == LAW and norm.valid_from and norm.valid_from > today:
        said.append(LATER.format(day=dates.spelled(norm.valid_from)))
    if over := term_over(norm, today):
        said.append(over)
    if norm.collection == LAW and not is_rank(norm.rank):
        said.append(
            f"No se conoce el rango «{norm.rank}»: revíselo." if norm.rank else "No tiene rango: indíquelo."
        )
    return said
