"""Reading the corpus before anybody asks."""

import logging

from core.errors import StorageError
from service.program.warmup import WarmUp
from tests.texts import eventually


def test_what_is_in_force_is_read_before_the_first_question(program, caplog):
    caplog.set_level(logging.INFO)
    program.background.start(worker=False)
    in_force = program.database.corpus.counts().chunks
    eventually(lambda: f"{in_force} fragments read beforehand" in caplog.text)
    program.background.stop()


def test_a_database_that_is_away_only_leaves_it_undone(program, caplog, monkeypatch):
    def away():
        raise StorageError("La base de datos no está disponible.")

    monkeypatch.setattr(program.database.corpus, "norms", away)
    program.keeper.start()
    warm_up = WarmUp(program.database.corpus, program.keeper, program.demo)
    warm_up.start()
    eventually(lambda: "could not be read beforehand" in caplog.text)
    warm_up.stop()
    program.keeper.stop()


def test_a_program_that_closes_at_once_does_not_wait_for_it(program, caplog):
    caplog.set_level(logging.INFO)
    warm_up = WarmUp(program.database.corpus, program.keeper, program.demo)
    warm_up._stop.set()
    program.keeper.start()
    warm_up.start()
    warm_up.stop()
    assert "beforehand" not in caplog.text
    program.keeper.stop()
