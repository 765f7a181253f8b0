"""Days of effect that differ from those of the BOE's file."""

from datetime import date, timedelta

import pytest
from lxml import etree

from law.norms import BlockVersion
from loading.formats import boe_norm
from loading.formats.boe_blocks import BlockReader

WORKERS, WAGE_2025, WAGE_2026 = "BOE-A-2015-11430", "BOE-A-2025-2576", "BOE-A-2026-3815"
SOCIAL_SECURITY, SELF_EMPLOYED, PROCEDURE = "BOE-A-2015-11724", "BOE-A-2007-13409", "BOE-A-2011-15936"


def versions(norm_id: str, block_id: str, *wordings: tuple[str, str]) -> tuple[BlockVersion, ...]:
    """The wordings of a block, each given as the BOE's (published, fecha_vigencia)."""
    texts = "".join(
        f'<version fecha_publicacion="{published}" fecha_vigencia="{since}">'
        f'<p class="articulo">Artículo 15.</p><p>Texto {published}.</p></version>'
        for published, since in wordings
    )
    reader = BlockReader(norm_id)
    reader.read(etree.fromstring(f'<bloque id="{block_id}" tipo="precepto">{texts}</bloque>'))
    return reader.blocks[0].versions


def first_days(norm_id: str, block_id: str, *wordings: tuple[str, str]) -> list[tuple[date, date | None]]:
    return [(one.valid_from, one.valid_to) for one in versions(norm_id, block_id, *wordings)]


def fields(norm_id: str, published: str, **more: str) -> dict[str, str]:
    return {
        "identificador": norm_id,
        "titulo": "Real Decreto inventado",
        "fecha_publicacion": published,
        "fecha_vigencia": published,
    } | more


@pytest.mark.parametrize("block_id", ["a48", "a1"])
def test_the_other_articles_of_the_same_reform_begin_when_the_file_says(block_id: str) -> None:
    assert first_days(WORKERS, block_id, ("20211230", "20211231")) == [(date(2021, 12, 31), None)]


@pytest.mark.parametrize(
    ("norm_id", "block_id", "published", "since"),
    [
        (WORKERS, "a15", "20211230", date(2022, 3, 30)),
        (WORKERS, "a50", "20250103", date(2025, 4, 3)),
        (PROCEDURE, "a82", "20250103", date(2025, 4, 3)),
        (PROCEDURE, "a191", "20231220", date(2024, 3, 20)),
        (SOCIAL_SECURITY, "a215", "20241224", date(2025, 4, 1)),
        (WORKERS, "a12", "20241224", date(2025, 4, 1)),
        (SELF_EMPLOYED, "a38ter", "20220802", date(2023, 1, 1)),
    ],
)
def test_a_reform_that_starts_months_after_its_publication_leaves_the_earlier_law_until_then(
    norm_id: str, block_id: str, published: str, since: date
) -> None:
    days = first_days(norm_id, block_id, ("20160202", "20160203"), (published, published))
    assert days == [(date(2016, 2, 3), since - timedelta(days=1)), (since, None)]


def test_an_effect_before_entry_into_force_is_of_the_whole_norm_and_is_told() -> None:
    assert first_days(WAGE_2026, "a1", ("20260219", "20260220")) == [(date(2026, 1, 1), None)]
    assert boe_norm.norm(fields(WAGE_2026, "20260219"), "normativa").valid_from == date(2026, 1, 1)
    (wording,) = versions(WAGE_2026, "a1", ("20260219", "20260220"))
    assert "disposición final tercera" in wording.notes[0]


@pytest.mark.parametrize(
    ("norm_id", "published", "amended", "since"),
    [
        ("BOE-A-2000-15060", "20000808", ("20001230", "20001231"), date(2001, 1, 1)),
        ("BOE-A-2021-21007", "20211221", ("20211229", "20211230"), date(2022, 1, 1)),
    ],
)
def test_what_amends_a_norm_before_it_is_in_force_starts_with_it_and_replaces_the_first_text(
    norm_id: str, published: str, amended: tuple[str, str], since: date
) -> None:
    assert first_days(norm_id, "a4", (published, published), amended) == [(since, None)]
    later = ("20240301", "20240302")
    assert first_days(norm_id, "a4", (published, published), amended, later) == [
        (since, date(2024, 3, 1)),
        (date(2024, 3, 2), None),
    ]


SUBSIDY = [
    ("20220302", "20220303"),
    ("20231220", "20231221"),
    ("20240112", "20240113"),
    ("20240522", "20240523"),
]


@pytest.mark.parametrize("block_id", ["a269", "a274", "a280"])
def test_a_reform_that_was_never_applied_has_no_day_and_the_next_waits_for_its_own(block_id: str) -> None:
    assert first_days(SOCIAL_SECURITY, block_id, *SUBSIDY) == [
        (date(2022, 3, 3), date(2024, 1, 12)),
        (date(2024, 1, 13), date(2024, 10, 31)),
        (date(2024, 11, 1), None),
    ]


def test_the_wording_that_ended_the_reform_is_the_one_of_that_day() -> None:
    texts = [one.text.split()[-1] for one in versions(SOCIAL_SECURITY, "a277", *SUBSIDY)]
    assert texts == ["20220302.", "20240112.", "20240522."]


def test_a_norm_that_sets_its_own_end_ends_then() -> None:
    ended = fields(WAGE_2025, "20250212", estatus_derogacion="S")
    replaced = ["con fecha 19 de febrero de 2026, se ha publicado el Real Decreto inventado"]
    assert boe_norm.last_day(ended, replaced) == (date(2025, 12, 31), "")
    assert boe_norm.last_day(fields(WAGE_2025, "20250212"), replaced) == (None, "")


@pytest.mark.parametrize(
    ("cites", "since"),
    [
        ("en la redacción del Real Decreto-ley 6/2019, de 1 de marzo,", date(2019, 3, 2)),
        ("según la Ley 8/1980, de 10 de marzo, y la Ley 1/2021, de 5 de enero,", date(2021, 1, 6)),
        ("según la Ley 8/1980, de 10 de marzo,", date(2015, 10, 24)),
        ("según la Ley 6/2019, de 45 de marzo,", date(2015, 10, 24)),
        ("sin cita alguna", date(2015, 10, 24)),
    ],
)
def test_no_wording_is_older_than_a_norm_that_it_cites(cites: str, since: date) -> None:
    version = (
        '<version fecha_publicacion="20151024" fecha_vigencia="20151024">'
        '<p class="articulo">Disposición transitoria trece. Regla.</p>'
        f"<p>Texto inventado {cites} aquí.</p></version>"
    )
    reader = BlockReader(WORKERS)
    reader.read(etree.fromstring(f'<bloque id="dttrece" tipo="precepto">{version}</bloque>'))
    assert [one.valid_from for one in reader.blocks[0].versions] == [since]
