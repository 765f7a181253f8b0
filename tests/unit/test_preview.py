"""Effects of an upload, article by article, before it is committed."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import pytest

from law.agreement_names import LAST_DAY
from law.changes import Fate, article_changes
from law.norms import BlockKind, Document
from loading.chunking.chunk import chunk_document
from loading.ingestion.preview import Comparison, Preview
from tests.factories import make_block, make_norm, make_version
from tests.fakes import MemoryCorpus

LONG = "Artículo 1. Prueba.\n" + "1. Texto inventado y largo que no se repite en ninguna otra parte. " * 8
GOOD = {"published": date(2001, 1, 1), "rank": "Ley"}


def article(label: str, *wordings: tuple[str, str], **fields):
    versions = [make_version(f"Artículo {label}. Prueba.\n{text}", since=since) for since, text in wordings]
    closed = [
        version.model_copy(update={"valid_to": following.valid_from.replace(day=1)})
        for version, following in pairwise(versions)
    ]
    return make_block(label, *closed, versions[-1], **fields)


ONE = article("1", ("2001-01-02", "Uno."))


@pytest.fixture
def corpus() -> MemoryCorpus:
    return MemoryCorpus()


def preview(document: Document, corpus: MemoryCorpus, name: str = "", **options: object) -> Preview:
    return Comparison(corpus, **options).preview(document, name)


def preview_all(items: Sequence[tuple[str, Document]], corpus: MemoryCorpus) -> list[Preview]:
    comparison = Comparison(corpus)
    return [comparison.preview(document, name) for name, document in items]


def store(corpus: MemoryCorpus, document) -> None:
    corpus.save(document, chunk_document(document), {})


@pytest.mark.parametrize(
    ("before", "after", "fate", "on"),
    [
        ([ONE], [ONE], Fate.UNCHANGED, None),
        ([], [ONE], Fate.NEW, date(2001, 1, 2)),
        ([ONE], [], Fate.REMOVED, None),
        (
            [ONE],
            [article("1", ("2001-01-02", "Uno."), ("2020-05-01", "Dos."))],
            Fate.AMENDED,
            date(2020, 5, 1),
        ),
        (
            [ONE],
            [article("1", ("2001-01-02", "Uno."), ("2020-05-01", "(Derogado)"))],
            Fate.REPEALED,
            date(2020, 5, 1),
        ),
        ([ONE], [article("1", ("2001-01-02", "Uno y medio."))], Fate.CORRECTED, None),
        (
            [ONE],
            [
                make_block(
                    "1", make_version("Artículo 1. Prueba.\nUno.", since="2001-01-02", until="2020-04-30")
                )
            ],
            Fate.REPEALED,
            date(2020, 5, 1),
        ),
    ],
)
def test_the_fate_of_an_article(before, after, fate, on):
    (change,) = article_changes(before, after)
    assert (change.fate, change.on) == (fate, on)


def test_several_wordings_at_once_are_all_told():
    (change,) = article_changes(
        [ONE], [article("1", ("2001-01-02", "Uno."), ("2010-05-01", "Dos."), ("2020-05-01", "Tres."))]
    )
    assert change.wordings == (date(2010, 5, 1), date(2020, 5, 1))


def test_an_article_that_a_loader_numbered_otherwise_is_the_same_by_its_label():
    renamed = ONE.model_copy(update={"id": "b7"})
    assert [change.fate for change in article_changes([ONE], [renamed])] == [Fate.UNCHANGED]


def test_a_preamble_without_a_title_is_told_by_its_name():
    preamble = make_block("", "Texto.", id="preambulo", kind=BlockKind.PREAMBLE, title="")
    assert [change.title for change in article_changes([], [preamble])] == ["Preámbulo"]


def test_headings_and_signatures_are_not_articles():
    heading = make_block("", id="ti", kind=BlockKind.HEADING)
    assert article_changes([], [heading]) == []


def test_a_norm_that_is_new_says_so(corpus):
    seen = preview(make_norm("N-1", ONE, **GOOD), corpus, "ley.md")
    assert (seen.name, seen.stored, seen.count(Fate.NEW), seen.chunks, seen.warnings) == (
        "ley.md",
        None,
        1,
        1,
        (),
    )


def test_a_norm_that_is_there_is_compared_with_it(corpus):
    store(corpus, make_norm("N-1", ONE, article("2", ("2001-01-02", "Dos.")), **GOOD))
    new = make_norm(
        "N-1", article("1", ("2001-01-02", "Otro.")), article("3", ("2001-01-02", "Tres.")), **GOOD
    )
    seen = preview(new, corpus)
    assert seen.stored is not None
    assert [(a.label, a.fate) for a in seen.articles] == [
        ("1", Fate.CORRECTED),
        ("3", Fate.NEW),
        ("2", Fate.REMOVED),
    ]
    assert not seen.changes_nothing


def test_the_same_norm_again_changes_nothing_and_a_preview_writes_nothing(corpus):
    document = make_norm("N-1", ONE, **GOOD)
    store(corpus, document)
    before = dict(corpus.stored)
    assert preview(document, corpus).changes_nothing
    assert corpus.stored == before


@pytest.mark.parametrize(
    ("fields", "block", "warning"),
    [
        ({"published": None}, ONE, "No tiene fecha de publicación"),
        ({"rank": ""}, ONE, "No tiene rango"),
        ({"rank": "Ukase"}, ONE, "No se conoce el rango «Ukase»"),
        ({}, make_block("", LONG, id="s1", kind=BlockKind.SECTION), "No se ha reconocido ningún artículo"),
        ({}, make_block("", "Título", id="s1", kind=BlockKind.HEADING), "ningún fragmento"),
    ],
)
def test_what_an_admin_should_know_is_a_warning(corpus, fields, block, warning):
    (said,) = preview(make_norm("N-1", block, **(GOOD | fields)), corpus).warnings
    assert warning in said


@pytest.mark.parametrize("rank", ["Ley Orgánica", "Orden Foral", "Real Decreto-ley"])
def test_the_ranks_of_the_boe_are_known(corpus, rank):
    assert preview(make_norm("N-1", ONE, **(GOOD | {"rank": rank})), corpus).warnings == ()


def test_a_judgment_needs_neither_articles_nor_rank(corpus):
    block = make_block("", LONG, id="s1", kind=BlockKind.SECTION)
    document = make_norm("S-1", block, collection="sentencias", published=date(2020, 1, 1), rank="")
    assert preview(document, corpus).warnings == ()


def test_what_the_loader_noticed_comes_with_it(corpus):
    assert preview(make_norm("N-1", ONE, warnings=("a1: raro",), **GOOD), corpus).warnings == ("a1: raro",)


def test_the_text_of_another_norm_is_noticed(corpus):
    store(corpus, make_norm("N-1", make_block("1", LONG), **GOOD))
    (said,) = preview(make_norm("N-2", make_block("1", LONG), **GOOD), corpus).warnings
    assert "Tiene el mismo texto que Ley N-1 (N-1)" in said


def test_a_new_version_of_a_norm_is_no_copy_of_itself(corpus):
    document = make_norm("N-1", make_block("1", LONG), **GOOD)
    store(corpus, document)
    assert preview(document, corpus).warnings == ()


@pytest.mark.parametrize("name", ["a.md", "b.md"])
def test_one_identifier_twice_in_an_upload_is_refused(corpus, name):
    document = make_norm("N-1", ONE, **GOOD)
    first, second = preview_all([("a.md", document), (name, document)], corpus)
    assert (first.warnings, first.refused) == ((), "")
    assert "identificador «N-1» es también el de «a.md»" in second.refused


@pytest.mark.parametrize(
    ("own", "proposed"), [("2020-05-01", date(2020, 5, 1)), ("2000-01-01", None), (None, None)]
)
def test_another_text_of_a_norm_asks_from_when_it_is_in_force(corpus, own, proposed):
    store(corpus, make_norm("N-1", ONE, **GOOD))
    fields = GOOD | {"published": None, "valid_from": own and date.fromisoformat(own)}
    seen = preview(make_norm("N-1", article("1", ("2001-01-02", "Otro.")), **fields), corpus)
    assert (seen.asks_since, seen.after, seen.proposed) == (True, date(2001, 1, 2), proposed)


def test_the_last_of_several_wordings_has_nothing_to_load(corpus):
    first, second = make_version("Uno.", since="2001-01-02", until="2020-04-30"), make_version("Dos.")
    gone = make_block("2", make_version("Fue.", until="2020-04-30"))
    store(corpus, make_norm("N-1", make_block("1", first, second), gone, **GOOD))
    seen = preview(make_norm("N-1", make_block("1", "Dos."), **GOOD), corpus)
    assert (seen.asks_since, "no hay nada que cargar" in seen.refused) == (False, True)


def test_the_same_text_and_merged_articles_ask_for_no_day(corpus):
    store(corpus, make_norm("N-1", ONE, **GOOD))
    other = make_norm("N-1", article("1", ("2001-01-02", "Otro.")), **GOOD)
    assert not preview(make_norm("N-1", ONE, title="Otro título", **GOOD), corpus).asks_since
    assert not preview(other, corpus, merge=True).asks_since


def test_a_summary_of_a_norm_that_is_stored_is_refused(corpus):
    store(corpus, make_norm("N-1", ONE, **GOOD))
    summary = make_norm("N-2", ONE, official=False, extra={"source_norm": "N-1"}, **GOOD)
    assert "el texto oficial (N-1) ya está en el corpus" in preview(summary, corpus).refused


def test_one_wording_in_place_of_several_is_refused(corpus):
    versions = (
        make_version(since="2001-01-02", until="2020-04-30"),
        make_version("Dos.", since="2020-05-01"),
    )
    given = [version.model_copy(update={"amended_by": "BOE-A-2001-1"}) for version in versions]
    store(corpus, make_norm("N-1", make_block("1", *given), **GOOD))
    assert "con todas sus redacciones" in preview(make_norm("N-1", ONE, **GOOD), corpus).refused


def test_one_text_under_two_names_in_an_upload_is_noticed(corpus):
    items = [("a.md", make_norm("N-1", ONE, **GOOD)), ("b.md", make_norm("N-2", ONE, **GOOD))]
    assert "el mismo que el de «a.md»" in preview_all(items, corpus)[1].warnings[0]


def test_the_text_is_shown_as_long_as_there_is_room_for_it(corpus):
    comparison = Comparison(corpus, room=60)
    seen = [comparison.preview(make_norm(f"N-{n}", make_block("1", f"{n}" * 40))) for n in range(2)]
    assert [[block.versions[0].text for block in one.blocks] for one in seen] == [["0" * 40], []]


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        (date(2027, 12, 31), "", "Rige desde el 31 de diciembre de 2027: hasta entonces no se aplica."),
        (
            date(2020, 1, 1),
            "2024-12-31",
            "La vigencia pactada terminó el 31 de diciembre de 2024: "
            "compruebe la ultraactividad (art. 86.3 ET).",
        ),
        (date(2026, 6, 1), "2026-06-01", None),
    ],
)
def test_a_first_day_to_come_and_a_term_that_has_passed_are_told(corpus, since, until, said):
    document = make_norm("N-1", ONE, **GOOD, valid_from=since, extra={LAST_DAY: until} if until else {})
    shown = Comparison(corpus, today=date(2026, 6, 1)).preview(document)
    assert shown.warnings == ((said,) if said else ())
    assert not shown.refused
