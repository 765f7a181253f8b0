"""Alerts in a whole program: real loads, real answers, the pass in the background, and the doors."""

from argparse import Namespace

import pytest

from articulado.library import Articulado
from commands.operations import operation
from core.clock import today_in_spain
from core.errors import Forbidden, NotFound
from domain.accounts import LOCAL, Identity, Role, Scope
from domain.audit import AuditAction
from service.members.member import Member
from tests.api_app import api_over
from tests.conftest import DATA
from tests.office_files import word
from tests.processes import wait_until

QUESTION = "¿Cuántos días de vacaciones anuales corresponden según el artículo 2 LTF?"
TODAY = today_in_spain()
LTF = DATA / "ltf.md"
OTHER = {"2": ("treinta y un días", "treinta y dos días"), "7": ("veinte días", "treinta días")}


def ask(program, question=QUESTION, owner="local", matter_id=None):
    """The id of a conversation with the program's own answer."""
    conversation = program.database.conversations.create(owner, question, matter_id).id
    assert program.runs.start(owner, conversation, question).done.wait(60)
    _, reply = program.database.conversations.messages(owner, conversation)
    assert {one.block_id for one in reply.answer.citations} >= {"a2"} or question != QUESTION
    return conversation


def amend(program, *labels, since=TODAY):
    """Load the invented law with another wording of these articles from that day on, as the page would."""
    text = LTF.read_text("utf-8")
    for label in labels:
        assert OTHER[label][0] in text
        text = text.replace(*OTHER[label])
    changed = program.home / "ltf.md"
    changed.write_text(text, "utf-8")
    report, _ = program.loading.ingest([changed], since=since)
    assert not report.failures
    return program.alerts.work()


def articles(program, owner="local"):
    return [
        (one.event.label, one.answer_count, one.watched) for one in program.database.news.news(owner).items
    ]


@pytest.fixture
def settled(program):
    """The program, once nobody is told of what it was first loaded with."""
    program.alerts.work()
    return program


def test_loading_a_new_wording_tells_whose_answer_cites_the_article(settled):
    conversation = ask(settled)
    assert amend(settled, "2", "7") == 2
    assert articles(settled) == [("2", 1, False)]
    [item] = settled.database.news.news("local").items
    assert (item.event.law, item.event.on) == ("LTF", TODAY)
    assert item.answers[0].conversation_id == conversation
    assert settled.alerts.work() == 0


def test_a_watched_expediente_tells_of_the_article_that_its_document_names(settled):
    member = Member(settled, LOCAL)
    matter = member.matters.create("Dimisión", "EXP-1").id
    member.papers.upload(matter, "carta.docx", word([("", "Según el artículo 7 de la LTF, dimito.")]))
    member.watches.watch_matter(matter)
    settled.alerts.work()
    amend(settled, "2", "7")
    [item] = settled.database.news.news("local").items
    assert (item.event.label, [one.name for one in item.documents]) == ("7", ["carta.docx"])


def test_a_document_of_a_norm_that_was_loaded_later_is_looked_through_again(make_program):
    program = make_program([DATA])
    member = Member(program, LOCAL)
    program.corrections.delete("local", "X-LTF")
    matter = member.matters.create("Dimisión").id
    member.papers.upload(matter, "carta.docx", word([("", "Según el artículo 7 de la LTF, dimito.")]))
    member.watches.watch_matter(matter)
    program.alerts.work()
    program.loading.ingest([LTF])
    program.alerts.work()
    amend(program, "7")
    assert [one.event.label for one in program.database.news.news("local").items] == ["7"]


def stranger(*scopes):
    roles = (Role.LAWYER,)
    return Identity(id="eva", username="eva", name="Eva", roles=roles, scopes=scopes or None)


def test_strangers_get_the_sentence_of_what_does_not_exist_at_every_door(settled):
    member = Member(settled, LOCAL)
    matter = member.matters.create("Secreto").id
    watch = member.watches.watch_matter(matter)
    eva = Member(settled, stranger())
    for forged in (
        lambda: eva.watches.watch_matter(matter),
        lambda: eva.watches.watch_law("NO-NORM"),
        lambda: eva.watches.watch_law("X-LTF", "999"),
        lambda: eva.watches.pause(watch.id, True),
        lambda: eva.watches.unwatch(watch.id),
    ):
        with pytest.raises(NotFound):
            forged()
    assert eva.watches.watches() == [] and eva.news.news().items == ()


def test_a_token_that_may_only_read_opens_no_door_of_watches_and_news(settled):
    eva = Member(settled, stranger(Scope.READ))
    for door in (
        eva.news.news,
        eva.news.unread,
        eva.news.read,
        eva.watches.watches,
        lambda: eva.watches.watch_law("X-LTF"),
        eva.watches.settings,
    ):
        with pytest.raises(Forbidden):
            door()


def test_watches_are_named_by_norm_and_article_and_leave_entries_in_the_log(settled):
    eva = Member(settled, stranger())
    norm, article = eva.watches.watch_law("X-LTF"), eva.watches.watch_law("X-LTF", "6 bis")
    assert norm.name == "Ley del Trabajo Ficticio (LTF)"
    assert article.name == "LTF · Artículo 6 bis"
    eva.watches.pause(norm.id, True)
    eva.watches.unwatch(article.id)
    entries = settled.audit.log.entries(limit=4)
    assert [(one.actor, one.action, one.detail["what"]) for one in entries] == [
        ("eva", AuditAction.DELETED, "watch"),
        ("eva", AuditAction.CHANGED, "watch"),
        ("eva", AuditAction.CHANGED, "watch"),
        ("eva", AuditAction.CHANGED, "watch"),
    ]


def test_the_thread_tells_by_itself_and_ends_with_the_program(settled):
    ask(settled)
    settled.alerts.passes.start()
    text = LTF.read_text("utf-8").replace(*OTHER["2"])
    (settled.home / "ltf.md").write_text(text, "utf-8")
    settled.loading.ingest([settled.home / "ltf.md"], since=TODAY)
    settled.alerts.passes.soon()
    wait_until(lambda: settled.database.news.unread("local"))
    settled.alerts.passes.stop()
    assert settled.database.news.unread("local") == 1


def test_the_api_and_the_command_line_tell_ones_own_news(settled, capsys):
    ask(settled)
    amend(settled, "2")
    with api_over(settled) as api:
        found = api("GET", "/news", params={"unread": True}).json()
        assert api("GET", "/news", params={"limit": 501}).status_code == 422
    assert found["unread"] == 1 and found["answers"] == 1
    [one] = found["news"]
    assert (one["law"], one["title"], one["change"]) == ("LTF", "Artículo 2. Vacaciones anuales.", "amended")
    assert one["text"].startswith("Nueva redacción desde el") and one["answers"][0]["question"] == QUESTION
    library = Articulado.over(settled, "cli", print)
    assert library.news() == found
    operation(library, Namespace(command="news", json=False, unread=True))
    assert "LTF · Artículo 2. Vacaciones anuales.: Nueva redacción" in capsys.readouterr().out
    settled.database.news.read("local")
    operation(library, Namespace(command="news", json=False, unread=True))
    assert capsys.readouterr().out == "No hay novedades.\n"
