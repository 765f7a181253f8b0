"""What is loaded of the real law, read off questions and checked against it is as it was frozen."""

import pytest

from tests.frozen.rows import differences
from tests.frozen.seams import OF_LAW

pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(600)]


@pytest.mark.parametrize("seam", ["corpus", "understanding", "findings", "deceits", "sentences"])
def test_the_seam_is_as_it_was_frozen(law, seam):
    assert not (told := differences(seam, OF_LAW[seam](law))), told
