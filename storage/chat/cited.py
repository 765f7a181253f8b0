"""The wordings that an answer cites, kept beside it so that a change of the law finds the answer."""

from sqlalchemy.orm import Session

from law.norms import DOCUMENT
from rag.shared.cited_answer import Answer
from storage.tables.alerts import CitedArticleRow


def keep_cited(session: Session, message_id: int, answer: Answer | None) -> None:
    """Record the wordings that a new answer cites or names, once each; documents of a case are none."""
    sources = (*answer.citations, *answer.sources) if answer else ()
    found = dict.fromkeys(
        (one.norm_id, one.block_id, one.valid_from)
        for one in sources
        if one.collection != DOCUMENT and one.norm_id and one.block_id
    )
    session.add_all(
        CitedArticleRow(
            message_id=message_id, ordinal=ordinal, norm_id=norm_id, block_id=block_id, valid_from=since
        )
        for ordinal, (norm_id, block_id, since) in enumerate(found)
    )
