"""Spanish words of the page «Novedades»; pure functions."""

from collections.abc import Sequence

from core.clock import spanish_day
from domain.alerts import NewsItem, Watch, WatchKind
from pages.parts.common.words import day, dotted, plural

KINDS = {
    WatchKind.NORM: "Norma",
    WatchKind.ARTICLE: "Artículo",
    WatchKind.MATTER: "Expediente",
}


def summary(answers: int, items: Sequence[NewsItem]) -> str:
    """«3 respuestas suyas citan un artículo que ha cambiado.»; empty without any.

    Args:
        answers: number of them; `items` are the unread news that touch them.
    """
    if not answers:
        return ""
    told = {one.event.ahead for one in items if one.answer_count and not one.read}
    change = {
        frozenset({True}): "va a cambiar",
        frozenset({True, False}): "ha cambiado o va a cambiar",
    }.get(frozenset(told), "ha cambiado")
    subject = plural(answers, "respuesta suya cita", "respuestas suyas citan")
    return f"{subject} un artículo que {change}."


def reasons(item: NewsItem) -> str:
    """Why the person is told, beside what is listed under it."""
    told = []
    if item.answer_count:
        count = plural(item.answer_count, "respuesta suya", "respuestas suyas")
        told.append(f"{'Lo cita' if item.answer_count == 1 else 'Lo citan'} {count}")
    if item.watched:
        told.append("Usted lo vigila")
    return dotted(*told)


def watch_line(watch: Watch) -> str:
    """«Artículo · en pausa», under its name."""
    since = f"desde el {day(spanish_day(watch.created_at))}"
    return dotted(KINDS[watch.kind], since, "en pausa" if watch.paused else "")
