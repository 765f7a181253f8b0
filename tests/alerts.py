"""Answers that cite invented articles, and the changes of the law that touch them."""

from datetime import date, timedelta

from law.norms import Document
from rag.shared.cited_answer import Answer, Citation, Source
from rag.shared.messages import MessageState
from storage.stores import Database
from tests.factories import SINCE, make_block, make_norm, make_version, save

OLD, NEW = "Artículo {0}. Plazo.\nDiez días.", "Artículo {0}. Plazo.\nVeinte días."


def law(
    *labels: str, norm_id: str = "N-1", since: date | None = None, only: str = "", **fields: object
) -> Document:
    """A norm with these articles; with `since`, of `only` (or of all) a new wording from that day on."""
    blocks = []
    for label in labels or ("1", "2"):
        first = make_version(OLD.format(label))
        if since is None or only not in ("", label):
            blocks.append(make_block(label, first))
            continue
        ended = first.model_copy(update={"valid_to": since - timedelta(days=1)})
        blocks.append(make_block(label, ended, make_version(NEW.format(label), since=since)))
    return make_norm(norm_id, *blocks, **fields)


def cites(label: str = "1", norm_id: str = "N-1", since: date = SINCE) -> Citation:
    return Citation(
        marker="C1",
        source=f"Ley {norm_id} · Artículo {label}",
        norm_id=norm_id,
        block_id=f"a{label}",
        article=label,
        law=f"Ley {norm_id}",
        valid_from=since,
        quote="Diez días.",
        verified=True,
    )


def answered(
    database: Database,
    owner: str,
    *sources: Source,
    question: str = "¿Qué plazo hay?",
    matter_id: str | None = None,
) -> tuple[str, int, int]:
    """A conversation with an answer that cites these: its id, the question's and the answer's."""
    conversation = database.conversations.create(owner, question, matter_id).id
    asked, reply = database.conversations.ask(owner, conversation, question)
    cited = tuple(one for one in sources if isinstance(one, Citation))
    named = tuple(one for one in sources if not isinstance(one, Citation))
    answer = Answer(answer=f"R: {question}", citations=cited, sources=named, confidence=0.8)
    database.conversations.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, None)
    return conversation, asked.id, reply.id


def change(database: Database, document: Document) -> None:
    save(database.corpus_writer, document)
