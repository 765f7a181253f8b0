"""Personal data: retention, export and erasure."""

import io
import json
import logging
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from core.clock import SPAIN
from core.periodic import Periodic
from core.values import Value
from domain.audit import AuditAction
from domain.privacy import ErasureReport, PersonsConversation
from rag.answers.article_numbers import articles_of, numbered, with_numbers
from rag.answers.provenance import provenance, provenance_told
from rag.answers.quotation_check import quoted
from rag.shared.cited_answer import Citation
from rag.shared.messages import Message
from storage.people.audit import SqlAuditLog
from storage.people.privacy import SqlPrivacyStore
from storage.people.usage import SqlUsageStore

HOUSEKEEPING_HOURS = 24
SPEAKERS = {"user": "Pregunta", "assistant": "Respuesta"}
README = (
    "Copia de lo que Articulado guarda de {owner}, hecha el {day}.\n\n"
    "conversaciones/: cada conversación en JSON (todo lo guardado de ella) y en Markdown (para leerla).\n"
    "expedientes.json: los expedientes que creó, con sus notas, sus tablas de revisión y la lista de sus "
    "documentos, cuyos archivos no se repiten aquí.\n"
    "certificados/: los certificados de fuentes que ha descargado o que nombran sus dictámenes y copias.\n"
    "uso.json: preguntas y texto tratado por día y modelo.\n"
    "ajustes.json: lo que eligió en «Ajustes»; no está si no eligió nada.\n"
    "vigilancias.json: lo que vigila y cómo se le avisa.\n"
    "accesos.json: sus claves de acceso para programas (nombre, permisos y fechas), sin las claves mismas, "
    "que no se guardan.\n\n"
    "Las respuestas son de un sistema automático. De quién son sus palabras: «provenance» en el JSON, "
    "la cabecera del Markdown y una línea bajo cada respuesta.\n\n"
    "No se incluyen las trazas técnicas de cada respuesta ni el registro de auditoría, que se conserva por "
    "obligación y no contiene el texto de las preguntas.\n"
)

logger = logging.getLogger(__name__)


class Applied(Value):
    """Number of conversations, expedientes and audit entries that retention dropped."""

    conversations: int = 0
    matters: int = 0
    audit_entries: int = 0


class PersonalData:
    """Retention, erasure and a person's copy of their data."""

    def __init__(
        self,
        store: SqlPrivacyStore,
        usage: SqlUsageStore,
        audit: SqlAuditLog,
        *,
        retention_days: int = 0,
        audit_retention_days: int = 0,
        after: Callable[[], object] = lambda: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Wire it; 0 days = kept for ever.

        Args:
            after: called once rows are gone, to remove the files and index entries that belonged to them.
        """
        self._store = store
        self._usage = usage
        self._audit = audit
        self._days = retention_days
        self._audit_days = audit_retention_days
        self._now = now
        self._after = after
        self._retention = Periodic("retention", self._retain, lambda: HOUSEKEEPING_HOURS * 3600.0)

    def apply(self) -> Applied:
        """Drop what is older than the settings allow, and record it.

        Raises:
            StorageError: what was not recorded was not dropped.
        """
        dropped: dict[str, int] = {}
        if self._days:
            store, before = self._store, self._now() - timedelta(days=self._days)
            for what, count, expire in (
                ("matters", store.old_matters, store.expire_matters),
                ("conversations", store.old_conversations, store.expire),
            ):
                if old := count(before):
                    told = {what: str(old), "before": before.isoformat(timespec="seconds")}
                    self._audit.append("", AuditAction.EXPIRED, what, told)
                    dropped[what] = expire(before)
            self._after()
        if self._audit_days:
            dropped["audit_entries"] = self._audit.cut(self._now() - timedelta(days=self._audit_days))
        return Applied(**dropped)

    def erase(self, owner: str, actor: str) -> ErasureReport:
        """Erase what is kept of a person; the audit log stays, which knows them by their opaque id alone.

        Raises:
            StorageError: nothing was erased, or (told so) it was not recorded and nothing was erased.
        """
        self._audit.append(actor, AuditAction.ERASED, owner)
        report = self._store.erase(owner)
        self._after()
        logger.info("erased %s: %d conversations", owner, report.conversations)
        return report

    def export(self, owner: str, actor: str) -> bytes:
        """A ZIP of a person's conversations, as JSON and as Markdown, what they used, chose
        for themselves and their API tokens."""
        self._audit.append(actor, AuditAction.EXPORTED, owner, {"what": "personal data"})
        now = self._now()
        with io.BytesIO() as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                day = now.astimezone(SPAIN).strftime("%d/%m/%Y")
                archive.writestr("LEAME.txt", README.format(owner=owner, day=day))
                for number, one in enumerate(self._store.conversations(owner), start=1):
                    name = f"conversaciones/{number:04d}"
                    archive.writestr(f"{name}.json", json.dumps(whole(one), ensure_ascii=False, indent=2))
                    archive.writestr(f"{name}.md", readable(one))
                used = self._usage.rows(datetime.min.date(), now.date() + timedelta(days=1), owner)
                rows = [usage.model_dump(mode="json", exclude={"owner"}) for usage in used]
                archive.writestr("uso.json", json.dumps(rows, ensure_ascii=False, indent=2))
                for message_id, content in self._store.certificates(owner).items():
                    archive.writestr(f"certificados/certificado-{message_id}.json", content)
                matters = [one.model_dump(mode="json") for one in self._store.matters(owner)]
                archive.writestr("expedientes.json", json.dumps(matters, ensure_ascii=False, indent=2))
                if chosen := self._store.preferences(owner):
                    archive.writestr("ajustes.json", chosen.model_dump_json(indent=2))
                tokens = [one.model_dump(mode="json") for one in self._store.tokens(owner)]
                alerts = {
                    "vigilancias": [one.model_dump(mode="json") for one in self._store.watches(owner)],
                    "avisos": self._store.alert_settings(owner).model_dump(mode="json"),
                }
                archive.writestr("vigilancias.json", json.dumps(alerts, ensure_ascii=False, indent=2))
                archive.writestr("accesos.json", json.dumps(tokens, ensure_ascii=False, indent=2))
            return file.getvalue()

    def start(self) -> None:
        """Apply retention now and once a day, for as long as this program is open."""
        if self._days or self._audit_days:
            self._retention.start()

    def stop(self) -> None:
        """End that."""
        self._retention.stop()

    def _retain(self) -> None:
        logger.info("retention: %s", self.apply())


def whole(one: PersonsConversation) -> dict[str, Any]:
    """A conversation as JSON: all that is stored of it, and whose words each answer has."""
    return one.model_dump(mode="json") | {"provenance": _provenance(one)}


def _provenance(one: PersonsConversation) -> list[dict[str, Any]]:
    """Whose words each answer has, by the id of its message; the name of the model is in the trace alone."""
    return [
        {"message": message.id} | provenance(message.answer).model_dump(mode="json", exclude={"model"})
        for message in one.messages
        if message.answer
    ]


def readable(one: PersonsConversation) -> str:
    """A conversation as Markdown: a front matter for machines, questions, answers and what they cite."""
    # JSON is YAML too: a front matter of it needs no other escaping.
    parts = [
        f"---\nprovenance: {json.dumps(_provenance(one))}\n---",
        f"# {one.conversation.title or 'Conversación'}",
    ]
    for message in one.messages:
        when = message.created_at.astimezone(SPAIN).strftime("%d/%m/%Y %H:%M")
        speaker = SPEAKERS.get(message.role, message.role)
        if message.versions:
            place = message.versions.index(message.id) + 1
            speaker += f" (versión {place} de {len(message.versions)})"
        parts += [f"## {speaker} · {when}", *_said(message)]
        vote = one.votes.get(message.id)
        if vote is not None:
            parts.append(f"Su valoración: {vote.vote.value} {vote.comment}".strip())
    return "\n\n".join(parts) + "\n"


def _said(message: Message) -> list[str]:
    """Its text and, of an answer, whose words it has and the articles that it cites."""
    answer = message.answer
    if answer is None:
        return [message.text.strip()]
    numbers = numbered(answer)
    parts = [with_numbers(message.text.strip(), numbers), f"_{provenance_told(answer)}_"]
    lines = [
        f"- [{number}] {source.source}{_quoted(quotes)} {source.url}".rstrip()
        for number, source, quotes in articles_of(answer, numbers)
    ]
    return [*parts, "### Fuentes", "\n".join(lines)] if lines else parts


def _quoted(quotes: Sequence[Citation]) -> str:
    return f": {' '.join(map(quoted, quotes))}" if quotes else " (fuente nombrada, sin cita comprobada)"
