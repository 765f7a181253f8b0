"""An article named in few words, as people type it into a box."""

import pytest

from law.norm_names import NormCatalogue
from law.short_reference import lookup
from lexicon.usual_names import known_norms

ET, LGSS, LISOS, LRJS = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-2000-15060", "BOE-A-2011-15936"


@pytest.fixture(scope="module")
def catalogue() -> NormCatalogue:
    return NormCatalogue(known_norms())


@pytest.mark.parametrize(
    ("written", "norm", "label", "apartado"),
    [
        ("41 ET", ET, "41", None),
        ("et 41", ET, "41", None),
        ("  ET   art.  41 ", ET, "41", None),
        ("59.3 et", ET, "59", "3"),
        ("ET 59.3", ET, "59", "3"),
        ("49.1.c ET", ET, "49", "1"),
        ("49.1 c) ET", ET, "49", "1"),
        ("ET 49.1.c)", ET, "49", "1"),
        ("48 bis ET", ET, "48 bis", None),
        ("48bis ET", ET, "48 bis", None),
        ("DT 11 ET", ET, "dt 11", None),
        ("ET DT 11", ET, "dt 11", None),
        ("da 3 lgss", LGSS, "da 3", None),
        ("lgss da 3", LGSS, "da 3", None),
        ("disposición transitoria 11 ET", ET, "dt 11", None),
        ("anexo I LGSS", LGSS, "anexo I", None),
        ("LISOS 40", LISOS, "40", None),
        ("artículo uno LISOS", LISOS, "1", None),
        ("Ley 36/2011 art 103", LRJS, "103", None),
        ("103 de la Ley 36/2011", LRJS, "103", None),
        ("Estatuto de los Trabajadores 38", ET, "38", None),
        ("vacaciones 38 et", ET, "38", None),
    ],
)
def test_an_article_is_found_in_whatever_order_it_is_written(
    catalogue: NormCatalogue, written: str, norm: str, label: str, apartado: str | None
) -> None:
    found = lookup(written, catalogue)
    assert found is not None
    assert (found.norm_id, found.label, found.apartado) == (norm, label, apartado)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "   ",
        "41",
        "vacaciones",
        "ET",
        "Ley 36/2011",
        "Ley 20/2007",
        "2015",
        "etop 3",
        "ET " * 200,
        "\x00 7",
        "41 XYZ",
    ],
)
def test_what_names_no_article_of_a_known_norm_finds_none(catalogue: NormCatalogue, written: str) -> None:
    assert lookup(written, catalogue) is None
