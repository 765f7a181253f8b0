"""Verification repeated: each quotation of a stored answer looked up again in the wording that it names."""

from collections.abc import Callable, Iterable
from enum import StrEnum

from core.values import Value
from law.chunks import Chunk
from law.norms import Block, BlockVersion, dated, sha256_of
from rag.answers.doubts import without_told
from rag.answers.quoted_words import without_false_marks
from rag.answers.verbatim import locate
from rag.shared.cited_answer import Answer, Citation, Source


class Recheck(StrEnum):
    """Result of repeating the check of a quotation."""

    SAME = "comprobada"
    CHANGED = "otra redacción"
    NOT_THERE = "no consta"
    GONE = "no está en el corpus"


class Rechecked(Value):
    """A citation looked up again; `found_sha256` is of the wording in the corpus, empty without one."""

    citation: Citation
    outcome: Recheck
    found_sha256: str = ""


def wording(block: Block | None, cited: Source | Chunk) -> BlockVersion | None:
    """The wording that a citation, or a chunk, names by its first day; or that of no known day."""
    versions = block.versions if block else ()
    return next((one for one in versions if dated(one.valid_from) == dated(cited.valid_from)), None)


def recheck(citations: Iterable[Citation], read: Callable[[str, str], Block | None]) -> list[Rechecked]:
    """Each quotation held, letter by letter, against the wording that it names.

    Args:
        read: the block of a norm's id and a block's id, or None.
    """
    done = []
    for citation in citations:
        version = wording(read(citation.norm_id, citation.block_id), citation)
        found = sha256_of(version) if version else ""
        if version is None:
            outcome = Recheck.GONE
        elif locate(citation.quote, version.text) is None:
            outcome = Recheck.NOT_THERE
        elif citation.wording_sha256 not in {"", found}:
            outcome = Recheck.CHANGED
        else:
            outcome = Recheck.SAME
        done.append(Rechecked(citation=citation, outcome=outcome, found_sha256=found))
    return done


def false_marks(answer: Answer, read: Callable[[str, str], Block | None]) -> list[str]:
    """The words between quotation marks in an answer that stand in none of the wordings it names.

    The questions that head the parts of an answer are the person's and may quote whatever they like.
    """
    named: dict[str, list[str]] = {}
    names: list[str] = []
    for one in (*answer.citations, *answer.sources):
        names += [one.law, one.section]
        if version := wording(read(one.norm_id, one.block_id), one):
            named.setdefault(one.marker, []).append(version.text)
    said = [part.answer for part in answer.parts] or [answer.answer]
    return [words for text in said for words in without_false_marks(without_told(text), named, names)[1]]
