"""An article named in few words, as people type it into a box."""

import pytest

from law.norm_names import NormCatalogue
from law.short_reference import lookup
from lexicon.usual_names import known_norms
from tests.case_files import pairs

NAMES = {norm.id: norm.alias or norm.number for norm in known_norms()}


@pytest.fixture(scope="module")
def catalogue() -> NormCatalogue:
    return NormCatalogue(known_norms())


@pytest.mark.parametrize(("written", "article"), [*pairs("lookup"), ("  ET   art.  41 ", "ET 41")])
def test_an_article_is_found_in_whatever_order_it_is_written(
    catalogue: NormCatalogue, written: str, article: str
) -> None:
    found = lookup(written, catalogue)
    assert found is not None
    label = ".".join(filter(None, (found.label, found.apartado)))
    assert f"{NAMES[found.norm_id]} {label}" == article


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
