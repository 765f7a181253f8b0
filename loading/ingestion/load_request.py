"""Requests to load documents, and their staged files between preview and confirmation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from core.errors import InputError
from core.values import Value
from law import labels
from loading.ingestion.intake import NO_DAY, Wordings
from loading.ingestion.preview import Preview
from loading.ingestion.rewording import NO_START, check_start
from loading.ingestion.uploads import Upload
from loading.records.jobs import JobPayload

Details = Mapping[str, Mapping[str, str]]
"""By norm id what its document lacks and whoever loads it tells: see `metadata_corrections`."""
NO_DETAILS: Details = MappingProxyType({})


@dataclass(frozen=True)
class UploadRequest:
    """Documents to load, and how.

    Attributes:
        files: names and contents; a name may have '/' for a file inside a folder.
        metadata: corrections to what the loaders find (`loading.ingestion.metadata_corrections`).
        merge: the documents are articles for stored norms, whose other articles stay.
    """

    files: Sequence[Upload]
    collection: str = "normativa"
    metadata: Mapping[str, str] = field(default_factory=dict)
    merge: bool = False

    @staticmethod
    def of_text(
        text: str, metadata: Mapping[str, str], collection: str = "normativa", *, merge: bool = False
    ) -> UploadRequest:
        """Pasted text: a document titled `metadata["title"]`, or (merge) articles of `metadata["id"]`.

        Raises:
            InputError: the title or the text is missing.
        """
        return UploadRequest([_pasted(text, metadata)], collection, metadata, merge)


class AidsCost(Value):
    """Estimated cost of search aids by a model.

    Attributes:
        tokens: sent and received, estimated; when the model `reasons`, what it thinks comes on top.
        money: in `currency`; None when the model has no price.
        within: True if the budget is enough now.
    """

    model: str
    calls: int
    tokens: int
    reasons: bool
    money: float | None = None
    currency: str = ""
    within: bool = True


@dataclass(frozen=True)
class Staged:
    """Files that were staged and read, but not loaded yet.

    Attributes:
        key: names the staged files, and the job that loads them.
        owner: user who uploaded them.
        payload: input of the job, with only the files that could be read.
        found: file name with its preview, or with the reason why it cannot be read; one a document.
        aids: what the search aids of the documents would take; None when none would be written.
    """

    key: str
    owner: str
    payload: JobPayload
    found: Sequence[tuple[str, Preview | str]]
    aids: AidsCost | None = None

    def to_load(self, wordings: Wordings, details: Details = NO_DETAILS) -> JobPayload:
        """The payload with the first day of each new wording, and what new documents lack.

        Raises:
            InputError: a document that asks for that day has none, or one that is not after the stored ones;
                a new law is without a day.
        """
        shown = [one for _, one in self.found if isinstance(one, Preview)]
        asking = [one for one in shown if one.asks_since and not one.refused]
        for one in asking:
            if one.norm.id not in wordings:
                raise InputError(NO_START.format(title=one.norm.title))
            check_start(one.norm.title, wordings[one.norm.id], one.after)
        told = {one.norm.id: wordings[one.norm.id] for one in asking}
        lacking = {one.norm.id: one for one in shown if one.lacks_day or one.lacks_rank}
        given = {norm_id: details[norm_id] for norm_id in lacking if details.get(norm_id)}
        for norm_id, one in lacking.items():
            if one.must_be_dated and not given.get(norm_id, {}).get("valid_from"):
                raise InputError(NO_DAY.format(title=one.norm.title))
        return self.payload.model_copy(update={"wordings": told, "details": given})


def _pasted(text: str, metadata: Mapping[str, str]) -> Upload:
    title = metadata.get("title", "").strip()
    if not title:
        raise InputError("Escriba el título del documento.")
    if not text.strip():
        raise InputError("Pegue el texto del documento.")
    lines = text.split("\n")
    headings = [n for n, line in enumerate(lines) if _is_heading(line)]
    if len(headings) != 1:
        return f"{title[:60]}.txt", text.encode("utf-8", "ignore")
    # Alone, the words «Artículo 5.» may be anything in a text; as a heading they cannot.
    lines[headings[0]] = f"#### {lines[headings[0]].strip()}\n"
    return f"{title[:60]}.md", "\n".join([f"# {title}", "", *lines]).encode("utf-8", "ignore")


def _is_heading(line: str) -> bool:
    return line.strip()[:1].isupper() and labels.of_heading(line) is not None
