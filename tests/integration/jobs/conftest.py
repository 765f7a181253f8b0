"""Uploads done by one worker in this process, and what the index then finds."""

import pytest

from index.points import IndexQuery
from index.sparse import query_vector
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import Job
from tests.conftest import Maker
from tests.homes import work
from tests.texts import law

ONE = law("una", {"1": "Las vacaciones duran un mes.", "2": "El descanso semanal es de dos días."})
TWO = law("dos", {"1": "El artículo 2 de la Ley una se aplica al personal del mar."})


@pytest.fixture
def program(make_program: Maker):
    return make_program()


def loaded(program, *files, owner="local", **options) -> Job:
    """The ended job of an upload."""
    job = program.loading.upload(UploadRequest(files, **options), owner)
    work(program)
    return program.database.jobs.job(job.id)


def found(program, words: str) -> list[str]:
    """Norms whose chunks the index finds by these words."""
    program.keeper.step()
    vector = query_vector(words)
    (hits,) = program.index.search([IndexQuery(sparse=vector)])
    return [chunk.norm_id for chunk in program.database.corpus.chunks([hit.id for hit in hits])]


def settle(program) -> None:
    while program.keeper.step():
        pass
