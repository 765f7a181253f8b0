"""The search of the real law is as it was frozen; a file of its own, for a worker of its own."""

import pytest

from tests.frozen.row_files import differences
from tests.frozen.seams import OF_LAW

pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(1800)]


@pytest.mark.parametrize("seam", ["search"])
def test_the_seam_is_as_it_was_frozen(law, seam):
    if told := differences(seam, OF_LAW[seam](law)):
        pytest.fail(told, pytrace=False)
