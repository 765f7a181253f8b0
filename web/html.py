"""Our own plain pages: sign-in, password, setup, refusals. They have no script, and all text is escaped.

Templates are Markup: `format` escapes its values, unless they are Markup too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import HTMLResponse

from web.base.access import ICON, STYLE

PASSWORD_HELP = "Una frase larga es mejor que muchos símbolos; evite su nombre de usuario."

PAGE = Markup(
    '<!doctype html><html lang="es"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">'
    "<title>{name} · Articulado</title>"
    '<link rel="icon" type="image/svg+xml" href="{icon}"><link rel="stylesheet" href="{style}"></head>'
    '<body><main><p class="brand"><span aria-hidden="true">§</span>Articulado</p>'
    "<h1>{title}</h1>{content}</main></body></html>"
)
LEAD = Markup('<p class="lead">{}</p>')
NOTICE = Markup('<p class="notice" role="status">{}</p>')
ERROR = Markup('<p class="error" role="alert">{}</p>')
FORM = Markup('<form method="post" action="{}">{}<button{}>{}</button></form>')
HIDDEN = Markup('<input type="hidden" name="{}" value="{}">')
INPUT = Markup(
    '<div><label for="{of.name}">{of.label}</label><input id="{of.name}" name="{of.name}"{kind} required '
    'maxlength="1024" autocomplete="{of.autocomplete}"{described}{focus}>{hint}</div>'
)
TEXT = Markup(' type="text" value="{}" autocapitalize="none" spellcheck="false"')
PASSWORD = Markup(' type="password"')
DESCRIBED = Markup(' aria-describedby="{}-hint"')
HINT = Markup('<p class="hint" id="{}-hint">{}</p>')


@dataclass(frozen=True)
class Field:
    """An input of a form. `value` is shown again after an error; a password's never is."""

    name: str
    label: str
    autocomplete: str
    value: str = ""
    password: bool = False
    hint: str = ""

    def html(self, focus: bool) -> Markup:
        """Label, input and hint; the cursor starts in the input if `focus`."""
        return INPUT.format(
            of=self,
            kind=PASSWORD if self.password else TEXT.format(self.value),
            described=DESCRIBED.format(self.name) if self.hint else "",
            focus=" autofocus" if focus else "",
            hint=HINT.format(self.name, self.hint) if self.hint else "",
        )


def form(
    action: str, button: str, fields: Sequence[Field], hidden: Mapping[str, str], *, quiet: bool = False
) -> Markup:
    """A form that posts to `action`; the cursor starts in its first empty field."""
    first = next((field.name for field in fields if field.password or not field.value), "")
    inputs = [HIDDEN.format(*pair) for pair in hidden.items()]
    inputs += [field.html(field.name == first) for field in fields]
    style = Markup(' class="quiet"') if quiet else ""
    return FORM.format(action, Markup().join(inputs), style, button)


def link(address: str, text: str, *, strong: bool = False) -> Markup:
    """A link on a line of its own; a strong one looks like a button."""
    style = Markup(' class="button"') if strong else ""
    return Markup('<p class="way"><a{} href="{}">{}</a></p>').format(style, address, text)


def aside(summary: str, content: Markup, *, open_: bool = False) -> Markup:
    """Content that opens on a click on its summary."""
    opened = " open" if open_ else ""
    return Markup("<details{}><summary>{}</summary>{}</details>").format(opened, summary, content)


def page(  # the parts of a page, each optional
    title: str,
    *content: Markup,
    lead: str = "",
    error: str = "",
    notice: str = "",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """A whole page; lead, notice and error come before the content."""
    said = [kind.format(text) for kind, text in ((LEAD, lead), (NOTICE, notice), (ERROR, error)) if text]
    name = f"Error: {title}" if error else title
    inside = Markup().join([*said, *content])
    made = PAGE.format(name=name, icon=ICON, style=STYLE, title=title, content=inside)
    return HTMLResponse(made, status, headers=dict(headers or {}))
