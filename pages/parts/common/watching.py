"""The button «Vigilar», wherever one reads what can be watched."""

from collections.abc import Callable
from typing import Any

from domain.alerts import Watch, WatchKind
from pages.parts.common.layout import tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.widgets import button
from service.members.member import Member

HELP = {
    WatchKind.NORM: "Le avisaremos en «Novedades» cuando cambie cualquiera de sus artículos.",
    WatchKind.ARTICLE: "Le avisaremos en «Novedades» cuando cambie.",
    WatchKind.MATTER: "Le avisaremos en «Novedades» cuando cambie un artículo al que se refieran sus "
    "documentos.",
}
WATCHED = "Vigilancia activada: verá los cambios en «Novedades»."
UNWATCHED = "Ya no se vigila."


def watch_norm(app: Member, norm_id: str) -> None:
    """The button for a norm of the corpus."""
    _show(app, WatchKind.NORM, norm_id, lambda: app.watches.watch_law(norm_id))


def watch_article(app: Member, norm_id: str, label: str, key: str = "") -> None:
    """The button for an article.

    Args:
        label: of the article, or the id of a block without one.
        key: tells apart the buttons of one page for the same article.
    """
    _show(app, WatchKind.ARTICLE, f"{norm_id} {label}", lambda: app.watches.watch_law(norm_id, label), key)


def watch_matter(app: Member, matter_id: str) -> None:
    """The button for an expediente."""
    _show(app, WatchKind.MATTER, matter_id, lambda: app.watches.watch_matter(matter_id))


def _show(app: Member, kind: WatchKind, target: str, watch: Callable[[], Watch], key: str = "") -> None:
    """The button that watches, or that stops; what is paused is watched again."""
    found, name = app.watches.watching(kind, target), f"{target}{key}"
    look: dict[str, Any] = {"type": "tertiary", "help": HELP[kind]}
    if found is None or found.paused:
        button("Vigilar", f"watch-{kind.value}-{name}", "notification_add", _do, WATCHED, watch, **look)
    else:
        stop = (_do, UNWATCHED, lambda: app.watches.unwatch(found.id))
        button("Dejar de vigilar", f"watch-{kind.value}-{name}", "notifications_active", *stop, **look)


@errors_as_toasts()
def _do(said: str, action: Callable[[], object]) -> None:
    action()
    tell(said)
