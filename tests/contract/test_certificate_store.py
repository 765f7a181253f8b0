"""Certificates that have been given out, in each database."""

import pytest

from core.errors import NotFound
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from storage.stores import open_database

pytest_plugins = ("tests.postgres",)


@pytest.fixture
def database(database_url):
    opened = open_database(database_url)
    yield opened
    opened.close()


def answered(database, owner="ana"):
    conversation = database.conversations.create(owner, "X").id
    _, answer = database.conversations.ask(owner, conversation, "¿Uno?")
    database.conversations.finish(answer.id, MessageState.COMPLETE, "R", Answer(answer="R"), None)
    return conversation, answer.id


def test_the_first_certificate_of_an_answer_is_the_one_that_is_kept(database):
    _, answer = answered(database)
    store = database.certificates
    assert store.kept("ana", answer) is None
    assert store.keep("ana", answer, b'{"uno":"\xc3\xb1"}') == b'{"uno":"\xc3\xb1"}'
    assert store.keep("ana", answer, b"{}") == b'{"uno":"\xc3\xb1"}'
    assert store.kept("ana", answer) == b'{"uno":"\xc3\xb1"}'


def test_nobody_else_has_it(database):
    _, answer = answered(database)
    database.certificates.keep("ana", answer, b"{}")
    for take in (
        lambda: database.certificates.kept("blas", answer),
        lambda: database.certificates.keep("blas", answer, b"{}"),
    ):
        with pytest.raises(NotFound):
            take()


def test_it_goes_with_its_conversation_and_with_its_person(database):
    conversation, answer = answered(database)
    _, other = answered(database)
    for one in (answer, other):
        database.certificates.keep("ana", one, b"{}")
    assert set(database.privacy.certificates("ana")) == {answer, other}
    database.conversations.delete("ana", conversation)
    assert set(database.privacy.certificates("ana")) == {other}
    database.privacy.erase("ana")
    assert database.privacy.certificates("ana") == {}
