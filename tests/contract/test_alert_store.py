"""Events of the law and whom they touch, on both databases: told once, to the right people, and no others."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from core.clock import today_in_spain
from core.errors import ChangedMeanwhile, InputError, NotFound
from domain.alerts import WatchKind
from domain.matters import MatterDocument
from law.changes import Fate
from law.norms import DOCUMENT
from rag.shared.cited_answer import Source
from storage.tables.alerts import (
    CitedArticleRow,
    DocumentReferenceRow,
    LawEventRow,
    NewsRow,
    WatchRow,
)
from tests.alerts import answered, change, cites, law
from tests.factories import SINCE, chunks_of

pytest_plugins = ("tests.postgres",)
TODAY = today_in_spain()
LATER = TODAY + timedelta(days=40)


def soon(days=0):
    return datetime.now(UTC) + timedelta(days=days, seconds=1)


def count(database, kind):
    with database.engines.read() as session:
        return session.scalar(select(func.count()).select_from(kind))


def told(database, owner, **how):
    """(article, fate, answers) of each of the person's news."""
    items = database.news.news(owner, **how).items
    return [(one.event.label, one.event.fate, one.answer_count) for one in items]


@pytest.fixture
def stored(database):
    """A database with the first wording of a norm of two articles, whose loading nobody is told of."""
    change(database, law())
    database.news.match(soon())
    return database


def amend(database, only="1", since=TODAY):
    change(database, law(since=since, only=only))
    return database.news.match(soon())


def test_an_answer_is_told_of_the_article_that_it_cites_and_of_no_other(stored):
    conversation, _, reply = answered(stored, "ana", cites("1"), question="¿Y el plazo?")
    answered(stored, "ana", cites("2"))
    assert amend(stored) == 1
    [item] = stored.news.news("ana").items
    assert (item.event.label, item.event.fate, item.event.on) == ("1", Fate.AMENDED, TODAY)
    assert (item.event.before, item.event.after) == (SINCE, TODAY)
    assert [(one.message_id, one.conversation_id, one.question) for one in item.answers] == [
        (reply, conversation, "¿Y el plazo?")
    ]
    assert (stored.news.news("ana").answers, stored.news.unread("ana"), stored.news.unread("blas")) == (
        1,
        1,
        0,
    )


def test_a_source_that_is_only_named_counts_and_a_document_of_the_case_does_not(stored):
    named = {"marker": "C1", "source": "x", "norm_id": "N-1", "block_id": "a1", "valid_from": SINCE}
    answered(stored, "ana", Source(**named))
    answered(stored, "blas", Source(**named, collection=DOCUMENT))
    amend(stored)
    assert (stored.news.unread("ana"), stored.news.unread("blas")) == (1, 0)


def test_an_answer_about_another_wording_and_one_given_afterwards_are_not_told(stored):
    answered(stored, "ana", cites("1", since=date(1980, 1, 1)))
    amend(stored)
    answered(stored, "ana", cites("1"))
    stored.news.match(soon())
    assert told(stored, "ana") == []


def test_saving_the_same_again_makes_no_event_and_matching_again_tells_nobody_twice(stored):
    answered(stored, "ana", cites())
    amend(stored)
    events = count(stored, LawEventRow)
    assert amend(stored) == 0
    assert (count(stored, LawEventRow), count(stored, NewsRow)) == (events, 1)


def test_a_write_that_is_refused_leaves_no_event(stored):
    events = count(stored, LawEventRow)
    document = law(since=TODAY)
    with pytest.raises(ChangedMeanwhile):
        stored.corpus_writer.save(document, chunks_of(document), {}, None, "another hash")
    assert count(stored, LawEventRow) == events


def test_events_that_a_killed_process_left_are_matched_by_the_next(stored):
    answered(stored, "ana", cites())
    change(stored, law(since=TODAY, only="1"))
    assert stored.news.due(soon()) and stored.news.unread("ana") == 0
    assert stored.news.match(soon()) == 1
    assert not stored.news.due(soon()) and stored.news.unread("ana") == 1


def test_a_wording_of_a_later_day_is_told_when_it_is_found_and_on_its_first_day(stored):
    answered(stored, "ana", cites())
    amend(stored, since=LATER)
    assert [one.event.ahead for one in stored.news.news("ana").items] == [True]
    answered(stored, "blas", cites())
    assert stored.news.match(soon(38)) == 0
    assert stored.news.match(soon(41)) == 1
    assert [one.event.ahead for one in stored.news.news("ana").items] == [False, True]
    assert [one.event.ahead for one in stored.news.news("blas").items] == [False]
    assert stored.news.match(soon(80)) == 0


def test_a_later_wording_that_is_withdrawn_is_not_told_on_its_day(stored):
    answered(stored, "ana", cites())
    amend(stored, since=LATER)
    change(stored, law())
    stored.news.match(soon(80))
    assert [one.event.on for one in stored.news.news("ana").items if not one.event.ahead] == []


def test_a_norm_that_is_deleted_is_one_event_for_all_that_cites_it(stored):
    answered(stored, "ana", cites("1"), cites("2"))
    stored.corpus_writer.remove("N-1")
    stored.news.match(soon())
    assert told(stored, "ana") == [("", Fate.REMOVED, 1)]
    change(stored, law())
    stored.news.match(soon())
    assert told(stored, "ana") == [("", Fate.REMOVED, 1)], "loading it again is no news for an answer"


def test_read_news_stay_in_the_list_and_count_no_more(stored):
    answered(stored, "ana", cites())
    amend(stored, only="")
    page = stored.news.news("ana")
    stored.news.read("ana", [page.items[0].id])
    assert stored.news.unread("ana") == 0
    assert [one.read for one in stored.news.news("ana").items] == [True]
    assert stored.news.news("ana", unread=True).items == ()
    assert stored.news.news("ana").answers == 0


def test_somebody_else_cannot_mark_news_as_read(stored):
    answered(stored, "ana", cites())
    amend(stored)
    stored.news.read("eva", [one.id for one in stored.news.news("ana").items])
    stored.news.read("eva")
    assert stored.news.unread("ana") == 1


def test_a_watch_tells_of_its_article_or_norm_whether_or_not_an_answer_cites_it(stored):
    stored.watches.watch_law("ana", "N-1", "", "Ley N-1")
    stored.watches.watch_law("blas", "N-1", "1", "Ley N-1 · Artículo 1")
    paused = stored.watches.watch_law("eva", "N-1", "1", "Ley N-1 · Artículo 1")
    stored.watches.pause("eva", paused.id, True)
    amend(stored, only="")
    assert told(stored, "ana") == [("1", Fate.AMENDED, 0), ("2", Fate.AMENDED, 0)]
    assert told(stored, "blas") == [("1", Fate.AMENDED, 0)]
    assert told(stored, "eva") == []


def test_a_watch_set_after_a_change_is_not_told_of_it(stored):
    change(stored, law(since=TODAY, only="1"))
    stored.watches.watch_law("ana", "N-1", "1", "Ley N-1 · Artículo 1")
    stored.news.match(soon())
    assert told(stored, "ana") == []


def test_a_paused_watch_keeps_what_it_has_told_and_a_removed_one_does_not(stored):
    watch = stored.watches.watch_law("ana", "N-1", "1", "Ley N-1 · Artículo 1")
    amend(stored)
    stored.watches.pause("ana", watch.id, True)
    assert len(told(stored, "ana")) == 1
    stored.watches.unwatch("ana", watch.id)
    assert told(stored, "ana") == [] and stored.news.unread("ana") == 0


def test_the_same_watch_twice_is_one_and_there_are_limits(stored, monkeypatch):
    monkeypatch.setattr("storage.alerts.watches.MOST", 2)
    first = stored.watches.watch_law("ana", "N-1", "1", "x")
    stored.watches.pause("ana", first.id, True)
    again = stored.watches.watch_law("ana", "N-1", "1", "x")
    assert (again.id, again.paused) == (first.id, False)
    stored.watches.watch_law("ana", "N-1", "2", "x")
    with pytest.raises(InputError, match="quite antes alguna"):
        stored.watches.watch_law("ana", "N-1", "", "x")


@pytest.fixture
def matter(stored):
    """Ana's, with Blas as a member, and a document that refers to article 1."""
    found = stored.matters.create("ana", "Despido de F. Z.", "EXP-1")
    stored.matters.add_member("ana", found.id, "blas")
    refer(stored, "d-1", matter_id=found.id)
    return found


def refer(database, document_id, **place):
    values = {"number": 0, "name": "carta.pdf", "content_hash": document_id, "bytes": 1, "added_by": "ana"}
    letter = MatterDocument(id=document_id, added_at=datetime.now(UTC), **values, **place)
    database.matter_documents.add("ana", letter)
    with database.engines.write() as session:
        session.add(DocumentReferenceRow(document_id=document_id, norm_id="N-1", label="1"))


def test_a_watched_expediente_tells_of_the_articles_that_its_documents_refer_to(stored, matter):
    stored.watches.watch_matter("blas", matter.id)
    amend(stored, only="")
    assert told(stored, "ana") == []
    [item] = stored.news.news("blas").items
    assert item.event.label == "1"
    assert [(one.matter_id, one.matter, one.name) for one in item.documents] == [
        (matter.id, "Despido de F. Z.", "carta.pdf")
    ]


def test_a_document_of_one_conversation_alone_tells_the_other_members_nothing(stored, matter):
    conversation, _, _ = answered(stored, "ana", cites("2"), matter_id=matter.id)
    stored.watches.watch_matter("blas", matter.id)
    refer(stored, "d-2", conversation_id=conversation)
    amend(stored, only="1")
    [item] = stored.news.news("blas").items
    assert [one.name for one in item.documents] == ["carta.pdf"]
    assert item.answers == (), "and answers of another member are not theirs to know of"


def test_who_leaves_an_expediente_is_told_no_more_and_sees_nothing_of_it(stored, matter):
    answered(stored, "blas", cites("1"), matter_id=matter.id)
    stored.watches.watch_matter("blas", matter.id)
    amend(stored)
    assert stored.news.unread("blas") == 1
    stored.matters.remove_member("ana", matter.id, "blas")
    assert stored.news.news("blas").items == () and stored.news.unread("blas") == 0
    assert stored.watches.watches("blas") == []
    assert stored.watches.watching("blas", WatchKind.MATTER, matter.id) is None
    change(stored, law(since=TODAY, only=""))
    change(stored, law())
    stored.news.match(soon())
    assert stored.news.unread("blas") == 0


def test_news_end_with_the_conversation_that_they_touch(stored):
    conversation, _, _ = answered(stored, "ana", cites())
    amend(stored)
    stored.conversations.delete("ana", conversation)
    assert count(stored, CitedArticleRow) == 0
    assert stored.news.news("ana").items == () and stored.news.unread("ana") == 0


def test_strangers_can_neither_set_nor_see_nor_change_watches_of_others(stored, matter):
    watch = stored.watches.watch_matter("ana", matter.id)
    for forged in (
        lambda: stored.watches.watch_matter("eva", matter.id),
        lambda: stored.watches.watch_matter("eva", "no-such-matter"),
        lambda: stored.watches.pause("eva", watch.id, True),
        lambda: stored.watches.unwatch("eva", watch.id),
    ):
        with pytest.raises(NotFound):
            forged()
    assert stored.watches.watches("eva") == []
    assert [one.name for one in stored.watches.watches("ana")] == ["Despido de F. Z."]


def test_a_stranger_is_told_the_same_of_an_expediente_that_is_there_and_of_none(stored, matter):
    sentences = set()
    for target in (matter.id, "no-such-matter"):
        with pytest.raises(NotFound) as refused:
            stored.watches.watch_matter("eva", target)
        sentences.add(str(refused.value))
    assert len(sentences) == 1


def test_erasure_takes_watches_news_and_addresses_and_a_copy_has_them(stored, matter):
    answered(stored, "blas", cites())
    stored.watches.watch_matter("blas", matter.id)
    stored.watches.watch_law("ana", "N-1", "1", "Ley N-1 · Artículo 1")
    amend(stored)
    assert [one.name for one in stored.privacy.watches("blas")] == ["Despido de F. Z."]
    stored.privacy.erase("blas")
    with stored.engines.read() as session:
        assert set(session.scalars(select(WatchRow.owner))) == {"ana"}
        assert set(session.scalars(select(NewsRow.owner))) == {"ana"}
