"""The real law as loaded, questions as read, and what a model says of it are as they were frozen."""

import pytest

from tests.frozen.row_files import differences
from tests.frozen.seams import OF_LAW

pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(1800)]


@pytest.mark.parametrize("seam", ["corpus", "understanding", "findings", "deceits", "sentences", "walks"])
def test_the_seam_is_as_it_was_frozen(law, seam):
    if told := differences(seam, OF_LAW[seam](law)):
        pytest.fail(told, pytrace=False)
