"""The modules that the processes of tests have imported when they start."""

from importlib import import_module

for name in (
    "streamlit.web.bootstrap",
    "streamlit.web.cli",
    "service.program.assembly",
    "pages.parts.answer.copying",
    "pages.parts.answer.pane",
    "pages.parts.answer.passage",
    "pages.parts.common.navigation",
    "service.backup",
    "tests.factories",
    "tests.killed",
    "web.server",
):
    import_module(name)
