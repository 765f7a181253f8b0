"""What the real law answers, without a model and with one, is as it was frozen."""

import pytest

from tests.frozen.rows import differences
from tests.frozen.seams import OF_LAW

pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(600)]


@pytest.mark.parametrize("seam", ["answers", "search", "walks"])
def test_the_seam_is_as_it_was_frozen(law, seam):
    assert not (told := differences(seam, OF_LAW[seam](law))), told
