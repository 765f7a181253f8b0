"""A copy of a loaded ruling under another name of file is that ruling."""

from datetime import date

import pytest

from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.ingestion.loaded_norms import LoadedNorms
from loading.ingestion.preview import Comparison
from loading.ingestion.ruling_identity import recognised_ruling
from tests.factories import make_block, make_norm
from tests.fakes import MemoryCorpus

DAY = date(2031, 3, 12)
ECLI, COURT = "ECLI:ES:TS:2031:4321", "Tribunal Supremo"
KNOWN = {"ecli": ECLI, "court": COURT, "recurso": "900/2029", "roj": "STS 4321/2031"}


def ruling(norm_id: str, alias: str = "STS 77/2031", day: date | None = DAY, **extra: str) -> Document:
    number = alias.rpartition(" ")[2]
    return make_norm(
        norm_id, make_block("1"), collection="sentencias", title=alias, law=alias, alias=alias,
        rank="Sentencia", number=number, published=day, valid_from=day, extra=extra,
    )  # fmt: skip


@pytest.fixture
def corpus() -> MemoryCorpus:
    store = MemoryCorpus()
    stored = ruling("ecli-es-ts-2031-4321", **KNOWN)
    store.save(stored, chunk_document(stored), {})
    return store


def recognised(document: Document, store: MemoryCorpus) -> Document:
    loaded = LoadedNorms(store)
    loaded.refresh()
    return recognised_ruling(document, store, loaded.rulings)


@pytest.mark.parametrize(
    "copy",
    [
        ruling("copia", alias="", ecli=ECLI.lower()),
        ruling("copia", court=COURT),
        ruling("copia", court=COURT, day=None),
        ruling("copia", alias="", court=COURT, recurso="900/2029"),
        ruling("copia", alias="", roj="STS 4321/2031"),
    ],
    ids=["ECLI", "number and day", "number", "appeal and day", "Roj"],
)
def test_a_copy_of_a_loaded_ruling_is_that_ruling_with_all_that_is_known(copy: Document, corpus) -> None:
    norm = recognised(copy, corpus).norm
    assert (norm.id, norm.published, norm.extra["recurso"]) == ("ecli-es-ts-2031-4321", DAY, "900/2029")


@pytest.mark.parametrize(
    "other",
    [
        ruling("otra", ecli="ECLI:ES:TS:2031:9999", court=COURT),
        ruling("otra", day=date(2031, 3, 13), court=COURT),
        ruling("otra", court="Audiencia Nacional"),
        ruling("otra", alias="STS 78/2031", court=COURT),
    ],
    ids=["other ECLI", "other day", "other court", "other number"],
)
def test_another_ruling_stays_another(other: Document, corpus) -> None:
    assert recognised(other, corpus) == other


def test_a_copy_asks_for_no_day_from_which_it_rules(corpus) -> None:
    copy = ruling("copia", court=COURT)
    longer = copy.model_copy(update={"blocks": (make_block("1"), make_block("2"))})
    seen = Comparison(corpus).preview(recognised(longer, corpus))
    assert (seen.stored.id, seen.asks_since, seen.refused) == ("ecli-es-ts-2031-4321", False, "")


def test_of_two_copies_in_one_upload_only_the_first_is_loaded() -> None:
    comparison = Comparison(MemoryCorpus())
    first = comparison.preview(ruling("ecli-es-ts-2031-4321", **KNOWN), "cendoj.pdf")
    second = comparison.preview(ruling("sts-77-2031", court=COURT), "copia.pdf")
    assert (first.refused, second.refused) == ("", "Es la misma resolución que la de «cendoj.pdf».")
