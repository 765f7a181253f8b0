"""Spanish words of the page «Registro»; pure functions."""

from collections.abc import Mapping

from domain.audit import AuditAction, AuditEntry
from pages.parts.common.words import Names, moment, number, owner_name, shortened
from service.oversight.usage import UsageLine

ACTIONS: Mapping[AuditAction, str] = {
    AuditAction.SIGNED_IN: "Entró",
    AuditAction.SIGN_IN_FAILED: "Intento de entrada fallido",
    AuditAction.SIGNED_OUT: "Salió",
    AuditAction.SESSION_REVOKED: "Cerró sesiones",
    AuditAction.TOKEN_MADE: "Creó un token",
    AuditAction.TOKEN_REVOKED: "Anuló un token",
    AuditAction.PASSWORD_CHANGED: "Cambió una contraseña",
    AuditAction.ACCOUNT_ADDED: "Creó una cuenta",
    AuditAction.ACCOUNT_CHANGED: "Cambió una cuenta",
    AuditAction.ACCOUNT_REMOVED: "Eliminó una cuenta",
    AuditAction.ASKED: "Preguntó",
    AuditAction.SEARCHED: "Buscó",
    AuditAction.CALCULATED: "Calculó",
    AuditAction.READ: "Consultó",
    AuditAction.VOTED: "Valoró una respuesta",
    AuditAction.JUDGED: "Revisó una respuesta",
    AuditAction.EVALUATED: "Evaluó",
    AuditAction.EXPORTED: "Exportó",
    AuditAction.LOADED: "Cargó documentos",
    AuditAction.CHANGED: "Cambió",
    AuditAction.DELETED: "Eliminó",
    AuditAction.ERASED: "Borró los datos de una persona",
    AuditAction.EXPIRED: "Caducó por antigüedad",
    AuditAction.REFUSED: "Rechazado",
}
TARGETS = {
    "audit": "el registro",
    "queue": "la cola de revisión",
    "brief": "un escrito",
    "certificate": "un certificado de fuentes",
    "citations": "las citas de un escrito",
    "inspector": "el inspector",
    "conversations": "consultas",
    "matters": "expedientes",
    "models": "los modelos",
}
DETAILS = {
    "address": "dirección",
    "active": "activa",
    "agent": "modo investigación",
    "aids": "uso de ayudas de búsqueda",
    "answers": "respuestas",
    "before": "anteriores a",
    "bytes": "bytes",
    "case": "caso",
    "cases": "casos",
    "characters": "caracteres",
    "collection": "colección",
    "command": "orden",
    "conversations": "consultas",
    "days": "días",
    "door": "por",
    "entries": "entradas",
    "format": "formato",
    "entry": "de la entrada",
    "fields": "campos",
    "files": "archivos",
    "hash": "huella",
    "matters": "expedientes",
    "name": "nombre",
    "norms": "normas",
    "permission": "permiso",
    "provider": "proveedor de identidad",
    "replaces": "otra versión de la pregunta",
    "reviews": "revisa las consultas de todos",
    "roles": "roles",
    "scopes": "permisos",
    "sessions": "sesiones",
    "source": "origen",
    "through": "hasta la",
    "token": "con el token",
    "username": "usuario",
    "verdict": "veredicto",
    "vote": "voto",
    "what": "qué",
    "why": "motivo",
}
VALUES = {
    "Forbidden": "sin permiso",
    "InputError": "no se pudo hacer",
    "NotFound": "no existe",
    "QuotaExceeded": "límite diario",
    "StorageError": "fallo de la base de datos",
    "StorageUnavailable": "fallo de la base de datos",
    "aids": "ayudas de búsqueda",
    "all": "total",
    "archive": "archivado",
    "answer": "una respuesta",
    "cancelled": "cancelación",
    "case": "un caso de evaluación",
    "cases": "casos de evaluación",
    "citations": "una comprobación de citas",
    "certificate": "un certificado de fuentes",
    "cli": "línea de órdenes",
    "conversation": "una consulta",
    "day": "fecha de las consultas nuevas",
    "evaluation": "una evaluación",
    "document": "un documento",
    "term": "un plazo",
    "terms": "los plazos",
    "fixed_day": "día fijo",
    "job": "un trabajo",
    "length": "extensión de las respuestas",
    "matter": "un expediente",
    "member": "una persona del expediente",
    "mixed": "parcial",
    "no": "no",
    "none": "ninguno",
    "norm": "una norma",
    "notice": "avisos",
    "opinion": "un dictamen",
    "letterhead": "una plantilla de dictamen",
    "personal data": "sus datos",
    "pin": "fijado",
    "preferences": "ajustes propios",
    "retried": "reintento",
    "shortcuts": "atajos de teclado",
    "theme": "tema",
    "table": "una tabla de revisión",
    "template": "un modelo de escrito",
    "title": "título",
    "toured": "primeros pasos",
    "trace": "una traza",
    "undone": "carga deshecha",
    "version": "versión mostrada de una pregunta",
    "alerts": "avisos",
    "watch": "una vigilancia",
    "correct": "correcta",
    "incomplete": "incompleta",
    "wrong": "incorrecta",
    "retrieval_miss": "fallo de búsqueda",
    "synthesis_error": "fallo de redacción",
    "citation_error": "fallo de citas",
    "withdrawn": "retirado",
    "yes": "sí",
}
SHORTEST_ID = 20
"""Identifiers of this length or more are cut on the page; the exported file holds them whole."""


def row_of(entry: AuditEntry, names: Names) -> tuple[str, ...]:
    """Number, moment, person, action, target and details of an entry."""
    who = owner_name(entry.actor, names) if entry.actor else "—"
    return (
        str(entry.number),
        moment(entry.at),
        who,
        ACTIONS[entry.action],
        target_of(entry, names),
        details_of(entry),
    )


def target_of(entry: AuditEntry, names: Names) -> str:
    """The target of an entry by name; a long identifier is cut to 8 characters."""
    found = names.get(entry.target) or TARGETS.get(entry.target) or entry.target
    return found if len(found) < SHORTEST_ID or " " in found else f"{found[:8]}…"


def details_of(entry: AuditEntry) -> str:
    """'motivo: límite diario · por: línea de órdenes'."""
    told = [
        f"{DETAILS.get(name, name)}: {VALUES.get(value, value)}"
        for name, value in sorted(entry.detail.items())
    ]
    return " · ".join(shortened(part, 80) for part in told)


def usage_row(line: UsageLine, name: str, currency: str) -> tuple[str, ...]:
    """Name, counts and cost of one line of use."""
    counts = (line.questions, line.calls, line.failures, line.prompt_tokens, line.completion_tokens)
    return (name, *(number(count) for count in counts), cost_of(line, currency))


def cost_of(line: UsageLine, currency: str) -> str:
    """'1,25 EUR', 'sin precio', or both when only part of it has a price."""
    told = f"{number(line.cost, 2)} {currency}".strip()
    if not line.unpriced:
        return told
    return f"{told} + sin precio" if line.cost else "sin precio"
