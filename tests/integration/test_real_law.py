"""The real norms in ../shared/boe, whole: what a lawyer looks up is found, as it stood on the day."""

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from law import labels
from law.chunks import Chunk
from lexicon.ties import overtaken
from loading.formats import load
from rag.retrieval.hybrid import search_queries
from rag.retrieval.scope import plan
from rag.run.pipeline import retrieve
from rag.shared.hits import SubQuery
from service.program.assembly import App
from tests.conftest import BOE, ROOT, SHARED
from tests.homes import new_program
from tests.real_law import RealLaw

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]

ET, LGSS, LETA, LPRL, LRJS, LISOS, CE, LOLS, ETT = (
    "BOE-A-2015-11430",
    "BOE-A-2015-11724",
    "BOE-A-2007-13409",
    "BOE-A-1995-24292",
    "BOE-A-2011-15936",
    "BOE-A-2000-15060",
    "BOE-A-1978-31229",
    "BOE-A-1985-16660",
    "BOE-A-1994-12554",
)
TODAY = date(2026, 6, 1)
TEMPORAL = SHARED / "gold" / "temporal_dev.jsonl"
TOP = 10


class Law(RealLaw):
    def search(self, query: str, as_of: date = TODAY) -> list[Chunk]:
        services = self.program.services
        planned = plan(services, as_of, mode="lexical")
        (_, hits), *_ = asyncio.run(
            search_queries(services, [(None, SubQuery(text=query))], planned)
        ).searches
        return [hit.chunk for hit in hits]


@pytest.fixture(scope="module")
def law(real_law: RealLaw) -> Law:
    return Law(real_law.program, real_law.report, real_law.index)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[App]:
    """A home for one norm or two."""
    program = new_program(tmp_path / "home")
    yield program
    program.close()


def key(chunk: Chunk) -> tuple[str, str]:
    return (chunk.norm_id, chunk.label)


# Ingestion


def test_every_norm_goes_in_with_every_wording(law: Law) -> None:
    folders = sorted(path.name for path in BOE.iterdir())
    assert law.report.failures == ()
    assert sorted(done.norm.id for done in law.report.documents) == folders
    assert all(done.change.added and not done.skipped for done in law.report.documents)
    assert law.index.sparse == sum(len(done.change.added) for done in law.report.documents) > 5000
    assert law.program.doctor()["healthy"]


def test_loading_a_third_of_it_again_changes_nothing(law: Law) -> None:
    again = sorted(BOE.iterdir())[::3]
    report, index = law.program.loading.ingest(again)

    for done in report.documents:
        assert (done.change.added, done.change.changed, done.change.removed) == ((), (), ()), done.norm.id
        assert not done.skipped
    names = {path.name for path in again}
    first = [done for done in law.report.documents if done.norm.id in names]
    loaded = sum(len(done.change.added) for done in first)
    assert sum(done.change.unchanged for done in report.documents) == loaded > 1000
    assert (index.sparse, index.deleted, index.dense) == (0, 0, 0)


# References: the article that is named comes first

SPELLINGS = {
    ET: ("artículo {} ET", "art. {} del Estatuto de los Trabajadores", "¿qué dice el Art {} del ET?"),
    LGSS: (
        "art. {} LGSS",
        "artículo {} de la Ley General de la Seguridad Social",
        "artículo {} del RDL 8/2015",
    ),
    LETA: ("art. {} LETA", "artículo {} de la Ley 20/2007", "artículo {} del Estatuto del Trabajo Autónomo"),
    LPRL: (
        "art. {} LPRL",
        "ARTÍCULO {} DE LA LEY 31/1995",
        "el artículo {} de la ley de prevención de riesgos",
    ),
    LRJS: (
        "art. {} LRJS",
        "articulo {} ley 36/2011",
        "artículo {} de la Ley reguladora de la jurisdicción social",
    ),
    LISOS: ("art. {} LISOS", "artículo {} del Real Decreto Legislativo 5/2000", "artículo {} de la LISOS"),
    CE: ("art. {} CE", "artículo {} de la Constitución", "artículo {} de la Constitución Española"),
    LOLS: ("art. {} LOLS", "artículo {} de la Ley Orgánica 11/1985", "artículo {} LO 11/1985"),
}
ARTICLES = {
    ET: ("15", "34", "37", "48 bis", "56"),
    LGSS: ("169", "205", "221", "270", "318"),
    LETA: ("1", "11 bis", "26"),
    LPRL: ("14", "22", "26"),
    LRJS: ("63", "103"),
    LISOS: ("7", "40"),
    CE: ("28", "35"),
    LOLS: ("2", "10"),
}
NAMED = [
    (spelling.format(article), norm, article)
    for norm, spellings in SPELLINGS.items()
    for article in ARTICLES[norm]
    for spelling in spellings
] + [
    ("disposición adicional segunda del Estatuto de los Trabajadores", ET, "da 2"),
    ("disp. adicional 40.ª LGSS", LGSS, "da 40"),
    ("disposición transitoria cuarta LGSS", LGSS, "dt 4"),
    ("despido del artículo 54.2 ET", ET, "54"),
    ("vacaciones: 38.3 ET", ET, "38"),
]


def test_an_article_that_is_named_comes_first_however_it_is_written(law: Law) -> None:
    assert len(NAMED) >= 60
    assert all(law.program.database.corpus.find(norm, label, TODAY) for _, norm, label in NAMED)
    wrong = {}
    for query, norm, label in NAMED:
        found = law.search(query)
        if not found or key(found[0]) != (norm, label):
            wrong[query] = key(found[0]) if found else None
    assert wrong == {}


@pytest.mark.parametrize(
    ("query", "named"), [("artículo 48 bis ET", (ET, "48 bis")), ("art. 205 LGSS", (LGSS, "205"))]
)
def test_the_two_references_of_the_contract(law: Law, query: str, named: tuple[str, str]) -> None:
    assert key(law.search(query)[0]) == named


# Time


def wording(law: Law, norm: str, label: str, day: date) -> str:
    block = law.program.database.corpus.find(norm, label, day)[0].block_id
    found = law.program.database.corpus.block(norm, block)
    version = found.wording_on(day) if found else None
    assert version is not None
    return version.text


def test_a_named_article_is_given_as_it_stood_on_the_day(law: Law) -> None:
    day = date(2018, 3, 1)
    first = law.search("artículo 48 ET", day)[0]
    assert key(first) == (ET, "48")
    assert first.valid_from <= day and first.valid_to is not None and day <= first.valid_to
    assert first.text in wording(law, ET, "48", day)
    assert wording(law, ET, "48", day) != wording(law, ET, "48", TODAY)
    now = law.search("artículo 48 ET")[0]
    assert now.valid_to is None
    assert now.id != first.id


@pytest.mark.parametrize("day", [date(2016, 1, 1), date(2018, 3, 1), date(2022, 5, 10), TODAY])
def test_no_search_gives_a_wording_that_was_not_in_force(law: Law, day: date) -> None:
    for query in (
        "suspensión por nacimiento",
        "despido objetivo",
        "jubilación anticipada",
        "permisos retribuidos",
    ):
        found = law.search(query, day)
        assert found
        assert all(chunk.in_force_on(day) for chunk in found)


def temporal_cases() -> list[dict[str, object]]:
    if not TEMPORAL.is_file():
        return []
    return [json.loads(line) for line in TEMPORAL.read_text(encoding="utf-8").splitlines() if line.strip()]


@pytest.mark.parametrize("case", temporal_cases(), ids=lambda case: case["id"])
def test_a_question_about_a_day_finds_the_wording_of_that_day(law: Law, case: dict[str, object]) -> None:
    day = date.fromisoformat(str(case["as_of"]))
    relevant = [(str(r["norm"]), str(r["article"])) for r in case["relevant"]]  # type: ignore[attr-defined]
    found = law.search(str(case["question"]), day)[:TOP]
    for norm, label in relevant:
        text = wording(law, norm, label, day)
        assert str(case["must_contain"]) in text
        assert str(case["must_not_contain"]) not in text
        assert (norm, label) in map(key, found)


# Cross-references


def test_references_lead_to_what_they_name_in_force_on_the_day(law: Law) -> None:
    corpus = law.program.database.corpus
    for day in (date(2020, 1, 1), TODAY):
        sources = corpus.find(ET, "48", day)
        found = corpus.referenced([chunk.id for chunk in sources], day)
        targets = corpus.chunks(list(dict.fromkeys(target for ids in found.values() for target in ids)))
        assert {key(chunk) for chunk in targets} >= {(ET, "45")}
        assert all(chunk.valid_from <= day and (chunk.valid_to or day) >= day for chunk in targets)
        said = " ".join(labels.fold(chunk.text) for chunk in sources)
        for chunk in targets:
            assert re.search(rf"\b{chunk.label.split()[-1]}\b", said), chunk.id


def test_references_cross_from_one_norm_to_another(law: Law) -> None:
    corpus = law.program.database.corpus
    crossing: dict[str, int] = {}
    for norm in (ET, LGSS, LETA):
        chunks = [chunk.id for batch in corpus.all_chunks() for chunk in batch if chunk.norm_id == norm]
        found = corpus.referenced(chunks, TODAY)
        targets = {target for ids in found.values() for target in ids}
        crossing[norm] = sum(not target.startswith(f"{norm}/") for target in targets)
    assert all(count > 5 for count in crossing.values()), crossing


# Amendments


def amended(folder: Path) -> Path:
    """A copy of the workers' statute with one wording corrected and one article given a later wording."""
    copy = shutil.copytree(BOE / ET, folder / ET)
    path = copy / "texto.xml"
    path.chmod(0o644)
    text = path.read_text(encoding="utf-8")
    article = re.search(r'<bloque id="a38".*?</bloque>', text, re.DOTALL)
    other = re.search(r'<bloque id="a40".*?</bloque>', text, re.DOTALL)
    assert article and other
    corrected = re.sub(
        r"</p>(?=\s*</version>\s*</bloque>)", " Frase inventada de corrección.</p>", article[0]
    )
    later = (
        '<version id_norma="BOE-A-2026-99999" fecha_publicacion="20260301" fecha_vigencia="20260401">'
        '<p class="articulo">Artículo 40. Movilidad inventada.</p>'
        '<p class="parrafo">Redacción inventada para esta prueba.</p></version></bloque>'
    )
    path.write_text(
        text.replace(article[0], corrected).replace(other[0], other[0].replace("</bloque>", later)),
        encoding="utf-8",
    )
    return copy


def test_an_amended_norm_replaces_exactly_what_changed(small: App, tmp_path: Path) -> None:
    small.loading.ingest([BOE / ET])
    before = small.database.corpus.ids()
    last = small.database.corpus.find(ET, "40", TODAY)
    corrected = {chunk.id for chunk in small.database.corpus.find(ET, "38", TODAY)[-1:]}

    report, index = small.loading.ingest([amended(tmp_path)])

    change = report.documents[0].change
    added = {chunk.id for chunk in small.database.corpus.find(ET, "40", TODAY)}
    assert set(change.added) == added and len(added) == 1
    assert set(change.changed) == corrected | {chunk.id for chunk in last}
    assert change.removed == ()
    assert change.unchanged == len(before) - len(change.changed)
    assert (index.sparse, index.deleted) == (len(change.added) + len(change.changed), 0)
    assert small.doctor()["healthy"]
    ended = small.database.corpus.find(ET, "40", date(2026, 3, 31))
    assert {chunk.id for chunk in ended} == {chunk.id for chunk in last}
    assert {chunk.valid_to for chunk in ended} == {date(2026, 3, 31)}
    assert "Frase inventada de corrección." in small.database.corpus.find(ET, "38", TODAY)[-1].text

    back, index = small.loading.ingest([BOE / ET])
    assert set(back.documents[0].change.removed) == added
    assert index.deleted == 1
    assert small.database.corpus.ids() == before
    assert small.doctor()["healthy"]


def test_an_official_norm_replaces_its_summary_and_the_summary_then_stays_out(small: App) -> None:
    demo = ROOT / "data" / "demo" / "normativa" / "et.md"
    small.loading.ingest([demo])
    assert [norm.id for norm in small.database.corpus.norms()] == ["demo-et"]

    _, index = small.loading.ingest([BOE / ET])
    assert [norm.id for norm in small.database.corpus.norms()] == [ET]
    assert index.deleted > 20

    report, index = small.loading.ingest([demo])
    assert ET in report.documents[0].skipped
    assert [norm.id for norm in small.database.corpus.norms()] == [ET]
    assert (index.sparse, index.deleted) == (0, 0)
    assert small.doctor()["healthy"]
    assert not any(small.database.corpus.find("demo-et", "38"))


def test_a_folder_loads_the_same_whatever_it_is_called(small: App, tmp_path: Path) -> None:
    copy = shutil.copytree(BOE / LOLS, tmp_path / "otra carpeta")
    assert load(copy) == load(BOE / LOLS)


def test_durations_that_a_later_law_displaced_do_not_come_first(law: Law) -> None:
    question = "duración del subsidio por paternidad"
    state, _ = asyncio.run(retrieve(question, law.program.services, as_of=TODAY, today=TODAY))
    displaced = [
        place
        for place, hit in enumerate(state.ranked)
        if (entry := overtaken(hit.chunk.norm_id, hit.chunk.block_id, TODAY)) and entry.whole
    ]
    assert displaced and min(displaced) >= TOP
