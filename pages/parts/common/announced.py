"""The box that tells who has come to read what everybody asks, until the person has taken notice."""

from domain.audit import AuditAction, AuditEntry
from pages.parts.common.html import show, warning
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button
from pages.parts.common.words import Names, moment, owner_name
from service.members.member import Member

READS = "leer y revisar las consultas de todas las personas"


def show_announced(app: Member) -> None:
    """A paragraph for each announcement, and a button to have them not shown again."""
    found = app.account.announced()
    if found:
        names = app.names()
        show(warning(*(sentence(entry, names) for entry in found)))
        button("Entendido", "announced", "check", attempt, "", app.account.take_notice, found[-1].number)


def sentence(entry: AuditEntry, names: Names) -> str:
    """'Desde el 21/11/2026, 10:32, Rosa Gil puede leer y revisar… Lo dispuso Rosa Gil.'"""
    who, when = owner_name(entry.target, names), moment(entry.at)
    by = owner_name(entry.actor, names)
    if entry.action is AuditAction.PASSWORD_CHANGED:
        return f"El {when}, {by} cambió la forma de entrar de {who}, que puede {READS}."
    by = "su organización" if "provider" in entry.detail else by
    return f"Desde el {when}, {who} puede {READS}. Lo dispuso {by}."
