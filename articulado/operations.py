"""The operations of the API as requests, written once for the client that waits and the one that does not."""

import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from core.progress import OnProgress

Json = dict[str, Any]
Day = date | str | None
"""A day, or its text as 2019-03-01."""
OnEvent = Callable[[str, Json], Awaitable[None] | None]
"""Told the name and data of an event; what it gives is awaited by `AsyncClient` alone."""
Reply_co = TypeVar("Reply_co", covariant=True)

HEALTH = "/health"
DRAFT_SECONDS = 150.0
"""Longest silence while a model drafts: it is given ninety, and may be asked twice."""


@dataclass(frozen=True)
class Call:
    """One request.

    Attributes:
        on_event: called with each event of an answer that is streamed; None: it comes as one document.
        key: Idempotency-Key; with one, the request is sent again when the connection was cut.
        seconds: longest silence of the server; None: that of the client.
    """

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    on_event: OnEvent | None = None
    key: str = ""
    seconds: float | None = None

    @property
    def request(self) -> Json:
        """Arguments of `httpx.Client.stream`; what is None is left out."""
        headers = {"Accept": "text/event-stream" if self.on_event else "application/json"}
        if self.key:
            headers["Idempotency-Key"] = self.key
        made: Json = {"method": self.method, "url": self.path, "params": _given(self.params)}
        if self.body is not None:
            headers["Content-Type"] = "application/json"
            made["content"] = json.dumps(_given(self.body), default=str)
        if self.seconds is not None:
            made["timeout"] = self.seconds
        return made | {"headers": headers}


def _given(values: Mapping[str, Any]) -> Json:
    return {name: value for name, value in values.items() if value is not None}


class Operations(ABC, Generic[Reply_co]):
    """Operations of a client; each method returns one document of `service.contract`.

    Attributes:
        repeats: a question whose connection is cut goes on and is asked for once more; False: whoever leaves
            stops it.

    Raises (all methods): ApiProblem: it was refused, or failed. Unreachable: nobody answers, or not whole.
    """

    repeats = True

    @abstractmethod
    def _send(self, call: Call) -> Reply_co: ...

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        limit: int = 10,
        collection: str | None = None,
        as_of: Day = None,
    ) -> Reply_co:
        """The fragments that a query finds, the best first; `mode` is hybrid, lexical or semantic."""
        asked = {"query": query, "mode": mode, "limit": limit, "collection": collection, "as_of": as_of}
        return self._send(Call("GET", "/search", asked))

    def ask(
        self,
        question: str,
        *,
        as_of: Day = None,
        agent: bool = False,
        conversation: str | None = None,
        on_event: OnEvent | None = None,
        key: str | None = None,
    ) -> Reply_co:
        """An answer with its verified citations.

        Args:
            conversation: id of one's own, or 'new'; without it the personal mode keeps nothing.
            on_event: called with the name and data of each `stage` and `text` event.
            key: repeating a question with its key gives the same answer; None makes a new one if `repeats`.
        """
        asked = {"question": question, "as_of": as_of, "agent": agent, "conversation": conversation}
        made = uuid.uuid4().hex if self.repeats else ""
        return self._send(Call("POST", "/ask", body=asked, on_event=on_event or _unheard, key=key or made))

    def norms(self, offset: int = 0, limit: int = 100) -> Reply_co:
        """A page of the norms of the corpus."""
        return self._send(Call("GET", "/norms", {"offset": offset, "limit": limit}))

    def norm(self, norm_id: str) -> Reply_co:
        return self._send(Call("GET", f"/norms/{quote(norm_id, safe='')}"))

    def article(self, reference: str, as_of: Day = None) -> Reply_co:
        """The article that «art. 48 ET» names, on a day; today if None."""
        return self._send(Call("GET", "/articles", {"reference": reference, "as_of": as_of}))

    def article_of(self, norm_id: str, label: str, as_of: Day = None) -> Reply_co:
        """An article by norm id and label («48 bis», «da 3»), on a day; today if None."""
        path = f"/norms/{quote(norm_id, safe='')}/articles/{quote(label, safe='')}"
        return self._send(Call("GET", path, {"as_of": as_of}))

    def diff(self, article: str, since: Day = None, until: Day = None) -> Reply_co:
        """Two wordings of an article: of two days; by default that of today and the one before it."""
        return self._send(Call("GET", "/diff", {"article": article, "from": since, "to": until}))

    def news(self, limit: int = 100, *, unread: bool = False) -> Reply_co:
        """Changes of the law that touch the person, the latest first; `unread`: only those not read yet."""
        return self._send(Call("GET", "/news", {"limit": limit, "unread": unread}))

    def verify(self, answer: Mapping[str, Any]) -> Reply_co:
        """The quotations of a document of `ask`, checked again."""
        return self._send(Call("POST", "/verify", body=answer))

    def citations(self, text: str, as_of: Day = None) -> Reply_co:
        """The state of each norm, provision, quotation and ruling that a brief cites."""
        return self._send(Call("POST", "/citations", body={"text": text, "as_of": as_of}))

    def certificate(self, certificate: str, text: str = "") -> Reply_co:
        """Check that this installation signed a certificate of sources as it is, and that a text names it."""
        asked = {"certificate": certificate, "text": text}
        return self._send(Call("POST", "/certificates/verify", body=asked))

    def tool(self, calls: str, *, question: str = "", as_of: Day = None) -> Reply_co:
        """The outcomes of calls of the document tools, written as a model writes them."""
        asked = {"calls": calls, "question": question, "as_of": as_of}
        return self._send(Call("POST", "/tool", body=asked))

    def calculate(self, name: str, data: Mapping[str, Any]) -> Reply_co:
        """A term or an amount with its steps; a wrong call is told which data it takes."""
        return self._send(Call("POST", f"/calculations/{quote(name, safe='')}", body={"data": data}))

    def answers(self, conversation: str) -> Reply_co:
        """The finished answers of a conversation by their ids, and the templates of the firm."""
        return self._send(Call("GET", f"/conversations/{quote(conversation, safe='')}/answers"))

    def opinion(
        self,
        conversation: str,
        answers: Sequence[int] = (),
        *,
        format: str = "docx",
        letterhead: str = "",
        draft: bool = False,
    ) -> Reply_co:
        """An opinion of answers of a conversation as a file; `content` is base64.

        Args:
            answers: their ids; none: all of them.
            format: docx, pdf, md or json.
            letterhead: name of a template of the firm, for docx.
            draft: a model drafts antecedentes and conclusiones.
        """
        asked: Json = {"conversation": conversation, "answers": list(answers), "format": format}
        asked |= {"letterhead": letterhead, "draft": draft}
        return self._send(Call("POST", "/opinions", body=asked, seconds=DRAFT_SECONDS if draft else None))

    def templates(self) -> Reply_co:
        """The templates of briefs."""
        return self._send(Call("GET", "/templates"))

    def template(self, name: str) -> Reply_co:
        """A template with the data it takes and the state of its provisions today."""
        return self._send(Call("GET", f"/templates/{quote(name, safe='')}"))

    def fill(self, name: str, data: Mapping[str, Any]) -> Reply_co:
        """A draft of a template: its text, its term, and a Word file, whose `content` is base64."""
        return self._send(Call("POST", f"/templates/{quote(name, safe='')}", body={"data": data}))

    def evaluate(
        self,
        cases: Sequence[Mapping[str, Any]],
        *,
        aids: str = "all",
        name: str = "api",
        sha256: str = "",
        save: bool = False,
        tell: OnProgress | None = None,
    ) -> Reply_co:
        """The figures of questions with known answers; see `service.contract.evaluations.EvaluateRequest`."""
        asked = {"cases": cases, "aids": aids, "name": name, "sha256": sha256, "save": save}
        return self._send(Call("POST", "/evaluate", body=asked, on_event=_told(tell)))

    def reindex(self, *, tell: OnProgress | None = None) -> Reply_co:
        """The counts of a rebuilt index."""
        return self._send(Call("POST", "/reindex", on_event=_told(tell)))

    def health(self) -> Reply_co:
        """Readiness of each thing that an answer needs, by name."""
        return self._send(Call("GET", HEALTH))


def _unheard(_name: str, _data: Json) -> None:
    """A listener that ignores all; with one the answer is streamed, so that silence means a cut."""


def _told(tell: OnProgress | None) -> OnEvent:
    def progress(name: str, data: Json) -> None:
        if tell is not None and name == "progress":
            tell(data["phase"], data["done"], data["total"])

    return progress
