"""Our own plain pages: sign-in, password, setup, refusals. No script; whatever is filled in is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from starlette.responses import HTMLResponse

from web.access import ICON, STYLE

PASSWORD_HELP = "Una frase larga es mejor que muchos símbolos; evite su nombre de usuario."


@dataclass(frozen=True)
class Field:
    """An input of a form. `value` is shown again after an error; a password's never is."""

    name: str
    label: str
    autocomplete: str
    value: str = ""
    password: bool = False
    hint: str = ""
    shown: bool = True

    def html(self, focus: bool) -> str:
        kind = "password" if self.password else "text"
        value = "" if self.password else f' value="{escape(self.value)}"'
        hint = f'<p class="hint" id="{self.name}-hint">{escape(self.hint)}</p>' if self.hint else ""
        described = f' aria-describedby="{self.name}-hint"' if self.hint else ""
        plain = "" if self.password else ' autocapitalize="none" spellcheck="false"'
        hidden = "" if self.shown else ' class="aside"'
        read_only = "" if self.shown else ' readonly tabindex="-1"'
        return (
            f'<div{hidden}><label for="{self.name}">{escape(self.label)}</label>'
            f'<input id="{self.name}" name="{self.name}" type="{kind}"{value} required maxlength="1024" '
            f'autocomplete="{self.autocomplete}"{plain}{described}{read_only}{" autofocus" if focus else ""}>'
            f"{hint}</div>"
        )


@dataclass(frozen=True)
class Form:
    action: str
    button: str
    fields: Sequence[Field]
    hidden: Mapping[str, str]
    quiet: bool = False

    def html(self) -> str:
        first = next((f.name for f in self.fields if f.shown and (f.password or not f.value)), "")
        inputs = "".join(field.html(field.name == first) for field in self.fields)
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{escape(value)}">'
            for name, value in self.hidden.items()
        )
        style = ' class="quiet"' if self.quiet else ""
        return (
            f'<form method="post" action="{self.action}">{hidden}{inputs}'
            f"<button{style}>{escape(self.button)}</button></form>"
        )


def link(address: str, text: str, *, strong: bool = False) -> str:
    style = ' class="button"' if strong else ""
    return f'<p class="way"><a{style} href="{escape(address)}">{escape(text)}</a></p>'


def aside(summary: str, content: str, *, open_: bool = False) -> str:
    return f"<details{' open' if open_ else ''}><summary>{escape(summary)}</summary>{content}</details>"


def page(  # the parts of a page, each optional
    title: str,
    *content: str,
    lead: str = "",
    error: str = "",
    notice: str = "",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """A whole page. `content` is HTML made by this module; title, lead, error and notice are text."""
    alert = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    said = f'<p class="notice" role="status">{escape(notice)}</p>' if notice else ""
    text = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    name = f"{'Error: ' if error else ''}{title}"
    return HTMLResponse(
        '<!doctype html><html lang="es"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">'
        f"<title>{escape(name)} · Articulado</title>"
        f'<link rel="icon" type="image/svg+xml" href="{ICON}"><link rel="stylesheet" href="{STYLE}"></head>'
        '<body><main><p class="brand"><span aria-hidden="true">§</span>Articulado</p>'
        f"<h1>{escape(title)}</h1>{text}{said}{alert}{''.join(content)}</main></body></html>",
        status,
        headers=dict(headers or {}),
    )
