"""A table that a text announces and does not have is told."""

import pytest

from law.provision_reading import read_provision
from law.tables import lacking
from tests.case_files import pairs


@pytest.mark.parametrize(("text", "found"), pairs("announced_tables"))
def test_an_announcement_without_rows_or_a_list_after_it_lacks_its_table(text: str, found: str) -> None:
    assert "; ".join(lacking(read_provision(text))) == found
