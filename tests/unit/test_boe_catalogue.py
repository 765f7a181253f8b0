"""The bundled list of norms of the BOE."""

import pytest

from loading.boe.boe_client import check_id
from loading.boe.boe_norms import entries
from loading.formats import load


def test_there_are_more_than_sixty_norms_each_once_with_title_and_matter():
    listed = entries()
    assert len(listed) > 60
    assert len({entry.id for entry in listed}) == len({entry.title for entry in listed}) == len(listed)
    assert all(entry.title and entry.matter and check_id(entry.id) == entry.id for entry in listed)


def test_the_norms_of_a_matter_stand_together():
    matters = [entry.matter for entry in entries()]
    assert [m for i, m in enumerate(matters) if i == 0 or matters[i - 1] != m] == list(dict.fromkeys(matters))


@pytest.mark.corpus
def test_titles_are_those_of_the_boe(boe):
    checked = 0
    for entry in entries():
        folder = boe / entry.id
        if folder.is_dir():
            assert load(folder)[0].norm.title == entry.title
            checked += 1
    assert checked > 40
