"""Spanish words of the page «Registro»; pure functions."""

from collections.abc import Mapping

from domain.audit import AuditAction, AuditEntry
from pages.parts.common.words import Names, moment, owner_name, shortened

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
    AuditAction.ASSIGNED: "Asignó una respuesta",
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
    "person": "a",
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
    "detail": "detalle técnico",
    "document": "un documento",
    "draft": "un borrador",
    "fact": "un hecho del expediente",
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
    "signed opinion": "un dictamen firmado",
    "letterhead": "una plantilla de dictamen",
    "ask": "preguntar",
    "read": "leer",
    "review": "revisar",
    "sign": "firmar",
    "evaluate": "evaluar",
    "inspect": "inspeccionar",
    "load": "cargar",
    "accounts": "administrar cuentas",
    "audit": "ver el registro",
    "api": "API",
    "mcp": "MCP",
    "boe": "BOE",
    "down": "negativo",
    "up": "positivo",
    "personal data": "sus datos",
    "pin": "fijado",
    "preferences": "ajustes propios",
    "queue": "la cola de revisión",
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
    "reused": "clave de un solo uso repetida",
    "program": "el propio programa",
    "yes": "sí",
}
ANSWER = "la respuesta"
KINDS = {
    AuditAction.ASKED: "la consulta",
    AuditAction.ASSIGNED: ANSWER,
    AuditAction.JUDGED: ANSWER,
    AuditAction.VOTED: ANSWER,
    AuditAction.SIGNED_IN: "la sesión",
    AuditAction.SIGNED_OUT: "la sesión",
    AuditAction.TOKEN_MADE: "el token",
    AuditAction.TOKEN_REVOKED: "el token",
}
OF_KIND = {
    "answer": ANSWER,
    "archive": "la consulta",
    "case": "el caso",
    "conversation": "la consulta",
    "document": "el documento",
    "evaluation": "la evaluación",
    "job": "el trabajo",
    "matter": "el expediente",
    "member": "el expediente",
    "pin": "la consulta",
    "title": "la consulta",
    "undone": "el trabajo",
    "version": "la consulta",
}
"""Kind of the target of an entry, by its action or by what it was done to."""
LONGEST_NAME = 80
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
        details_of(entry, names),
    )


def target_of(entry: AuditEntry, names: Names) -> str:
    """The target of an entry by name; a long identifier is cut to 8 characters.

    Of an answer its number: who reads the log may not read questions.
    """
    if found := names.get(entry.target) or TARGETS.get(entry.target):
        return shortened(found, LONGEST_NAME)
    kind = KINDS.get(entry.action) or OF_KIND.get(entry.detail.get("what", ""), "")
    if entry.target.isdecimal():
        return f"{kind or ANSWER} n.º {entry.target}"
    cut = entry.target if len(entry.target) < SHORTEST_ID or " " in entry.target else f"{entry.target[:8]}…"
    return f"{kind} {cut}".strip() if cut else ""


def details_of(entry: AuditEntry, names: Names) -> str:
    """'motivo: límite diario · por: línea de órdenes'."""
    told = [
        f"{DETAILS.get(name, name)}: {', '.join(_value(one, names) for one in value.split(', '))}"
        for name, value in sorted(entry.detail.items())
    ]
    return " · ".join(shortened(part, 80) for part in told)


def _value(value: str, names: Names) -> str:
    return VALUES.get(value) or names.get(value, value)
