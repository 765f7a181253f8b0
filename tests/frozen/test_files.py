"""The seams that need no law are as they were frozen."""

import pytest

from tests.frozen.row_files import differences
from tests.frozen.samples import SHARED
from tests.frozen.seams import OF_FILES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seam", OF_FILES)
def test_the_seam_is_as_it_was_frozen(seam, tmp_path):
    if seam == "files" and not SHARED.is_dir():
        pytest.skip("some of the files (../shared) are not here")
    if told := differences(seam, OF_FILES[seam](tmp_path)):
        pytest.fail(told, pytrace=False)
