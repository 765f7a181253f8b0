"""Another text of a loaded agreement is known by its code or title, its term and its articles."""

import pytest

from law.agreement_names import LAST_DAY, RANK
from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.formats.agreement_facts import CODE
from loading.ingestion import agreement_identity
from loading.ingestion.loaded_norms import LoadedNorms
from loading.ingestion.preview import Comparison
from tests.factories import make_block, make_norm
from tests.fakes import MemoryCorpus

TITLE = "Convenio colectivo de almazaras de la provincia de Jaén"
ARTICLES = [make_block(label) for label in ("1", "2", "3", "4")]


def agreement(norm_id: str, code: str = "23000995011982", until: str = "2028-12-31", **fields) -> Document:
    blocks = fields.pop("blocks", ARTICLES)
    extra = {key: value for key, value in ((CODE, code), (LAST_DAY, until)) if value}
    return make_norm(norm_id, *blocks, **({"title": TITLE, "rank": RANK, "extra": extra} | fields))


@pytest.fixture
def corpus() -> MemoryCorpus:
    store = MemoryCorpus()
    load(agreement("almazaras"), store)
    return store


def recognised(document: Document, store: MemoryCorpus) -> Document:
    loaded = LoadedNorms(store)
    loaded.refresh()
    return agreement_identity.recognised(document, store, loaded.agreements)


def load(document: Document, store: MemoryCorpus) -> None:
    store.save(document, chunk_document(document), {})


@pytest.mark.parametrize(
    "given",
    [
        agreement("almazaras-v2"),
        agreement("almazaras-v2", title="Convenio de almazaras de Jaén, corregido"),
        agreement("almazaras-v2", until=""),
        agreement("almazaras-v2", code="", title=TITLE.upper()),
    ],
    ids=["same code", "same code, other title", "same code, no term", "same title and term, no code"],
)
def test_another_text_of_a_loaded_agreement_gets_its_identifier(given, corpus) -> None:
    assert recognised(given, corpus).norm.id == "almazaras"
    seen = Comparison(corpus).preview(recognised(given, corpus))
    assert (seen.stored.id, [one for one in seen.warnings if "se citarán los dos" in one]) == (
        "almazaras",
        [],
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (agreement("sucesor", until="2031-12-31"), "último día de vigencia"),
        (agreement("tablas", blocks=[make_block("1")]), "el mismo código de convenio"),
        (agreement("otro", code="", until=""), "el mismo título"),
    ],
    ids=["later term", "few of its articles", "same title alone"],
)
def test_what_may_be_another_document_keeps_its_identifier_and_the_preview_warns(given, said, corpus) -> None:
    assert recognised(given, corpus) == given
    [warning] = [one for one in Comparison(corpus).preview(given).warnings if "se citarán los dos" in one]
    assert (said in warning, TITLE in warning, "Nueva versión" in warning) == (True, True, True)


def test_a_title_is_not_told_as_a_code_when_neither_has_one() -> None:
    store = MemoryCorpus()
    load(agreement("primero", code=""), store)
    later = agreement("segundo", code="", until="2031-12-31")
    assert any("el mismo título" in one for one in Comparison(store).preview(later).warnings)


@pytest.mark.parametrize(
    "given",
    [
        agreement("aceitunas", code="23000995011983"),
        agreement("ley", rank="Ley"),
        agreement("olivar", code="", title="Convenio colectivo del olivar de Jaén"),
    ],
    ids=["other code", "no agreement", "other title"],
)
def test_other_documents_are_new_without_a_warning(given, corpus) -> None:
    assert recognised(given, corpus) == given
    assert not [one for one in Comparison(corpus).preview(given).warnings if "se citarán los dos" in one]


def test_one_of_two_loaded_texts_is_not_chosen(corpus) -> None:
    load(agreement("almazaras-bis"), corpus)
    assert recognised(agreement("almazaras-v2"), corpus).norm.id == "almazaras-v2"


def test_a_loaded_document_keeps_its_identifier(corpus) -> None:
    load(agreement("almazaras-bis"), corpus)
    assert recognised(agreement("almazaras-bis"), corpus).norm.id == "almazaras-bis"


def test_of_two_texts_of_one_agreement_in_an_upload_only_the_first_is_loaded() -> None:
    comparison = Comparison(MemoryCorpus())
    first = comparison.preview(agreement("v1"), "v1.docx")
    second = comparison.preview(agreement("v2"), "v2.docx")
    assert (first.refused, "«v1.docx»" in second.refused) == ("", True)


def test_an_agreement_that_has_changed_its_title_or_is_gone_is_no_longer_found_by_it() -> None:
    before, after = agreement("a", code="").norm, agreement("a", code="", title="Convenio de otro").norm
    loaded = LoadedNorms(MemoryCorpus())
    loaded.add(before)
    assert loaded.agreements.named_as(agreement("b", code="").norm) == [before]
    loaded.add(after)
    assert loaded.agreements.named_as(agreement("b", code="").norm) == []
    assert loaded.agreements.named_as(agreement("b", title="Convenio de otro").norm) == [after]
    with pytest.raises(ZeroDivisionError), loaded.including(before):
        raise ZeroDivisionError
    assert loaded.agreements.named_as(agreement("b", code="").norm) == []
