"""Documents of expedientes: from an upload to an answer from it, a far too long one, and plain questions.

Without a model: what is measured is reading, indexing by words and searching. The plain questions are asked
of a program without any document and of the same one with the 40-page document in an expediente, turn about.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import program
from benchmarks.table import Row, Tables, Watch, percentile
from domain.accounts import LOCAL
from domain.matters import DocumentState, MatterDocument
from service.members.member import Member
from service.program.assembly import DEMO, App
from tests.office_files import paged, pdf, wrapped

PAGES, FAR_TOO_MANY = 40, 5000
SENTENCE = (
    "La empresa comunica a la persona trabajadora que el complemento del puesto {} asciende a {} euros desde "
    "el día {} y que se abonará con la nómina del mes siguiente. "
)
FACT = "El plus de nocturnidad pactado en la cláusula adicional asciende a 99,01 euros al mes."
QUESTION = "¿A cuánto asciende el plus de nocturnidad pactado?"
PLAIN = "¿Qué plazo hay para impugnar un despido y desde cuándo se cuenta?"
ROUNDS = 20
"""Of plain questions, on each side."""


def document(pages: int) -> bytes:
    """A PDF of so many pages, the last with the fact that is asked for."""
    lines = [SENTENCE.format(n, n * 3, n % 28 + 1) for n in range(pages * 23)]
    found = paged(wrapped(lines))[:pages]
    return pdf([*found[:-1], [*found[-1], *wrapped([FACT])]])


def answered(who: Member, question: str, matter: str | None = None) -> tuple[float, str]:
    """(seconds, text) of an answer."""
    conversation = who.conversations.create("x", matter).id
    watch = Watch()
    run = who.runs.start(conversation, question)
    run.done.wait()
    return watch.wall, run.text


def read(who: Member, document_id: str) -> MatterDocument:
    """The document once it has been read, or could not be."""
    while (found := who.papers.document(document_id)).state is DocumentState.WAITING:
        time.sleep(0.05)
    return found


def _rows(app: App) -> Iterator[Row]:
    who = Member(app, LOCAL)
    answered(who, PLAIN)
    before = [answered(who, PLAIN)[0] * 1000 for _ in range(ROUNDS)]
    matter = who.matters.create("Medida").id
    content = document(PAGES)
    watch = Watch()
    stored = who.papers.upload(matter, "carta.pdf", content)
    kept = watch.wall
    pages = read(who, stored.id).pages
    _, text = answered(who, QUESTION, matter)
    if "99,01" not in text:
        raise RuntimeError(f"the fact of the last page is not in the answer: {text}")
    yield Row(f"PDF of {pages} pages, from its upload to an answer", watch.wall, "s", 10.0)
    yield Row("  until it is stored", kept, "s")
    after = [answered(who, PLAIN)[0] * 1000 for _ in range(ROUNDS)]
    own = [answered(who, QUESTION, matter)[0] * 1000 for _ in range(ROUNDS)]
    yield Row("plain question, p50, no document anywhere", percentile(before, 50), "ms")
    yield Row(
        "  p50, with documents in an expediente ÷ without",
        percentile(after, 50) / percentile(before, 50),
        "×",
        1.1,
    )
    yield Row("question in the expediente, p50", percentile(own, 50), "ms")
    huge = document(FAR_TOO_MANY)
    watch = Watch()
    refused = read(who, who.papers.upload(matter, "enorme.pdf", huge).id)
    yield Row(f"PDF of {FAR_TOO_MANY} pages, until its sentence", watch.wall, "s", 40.0)
    print(refused.problem)
    watch = Watch()
    who.matters.delete(matter)
    yield Row("deleting the expediente, files and index included", watch.wall, "s")


def tables(folder: Path) -> Tables:
    with program(folder / "home", embeddings_provider="none") as app:
        app.loading.ingest([DEMO])
        app.background.start(worker=False)
        yield "Expedientes", list(_rows(app))
