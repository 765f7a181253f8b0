"""«Comprobar citas»: the state of each citation of a brief on a day, or whether a certificate is ours."""

from domain.accounts import Permission
from pages.parts.citations.brief import show_brief
from pages.parts.citations.certificate import show_check
from pages.parts.citations.report import show_report
from pages.parts.citations.words import CERTIFICATE, CHECKS
from pages.parts.common.detail import opened
from pages.parts.common.html import note, show
from pages.parts.common.layout import heading
from pages.parts.common.widgets import named, segments

with opened(Permission.READ) as app:
    heading("Comprobar citas")
    check = segments(None, "Comprobación", named(CHECKS), "citations-of", label_visibility="collapsed")
    show(note(CHECKS[check]))
    if check == CERTIFICATE:
        show_check(app)
    elif (checked := show_brief(app)) is not None:
        show_report(app, checked)
