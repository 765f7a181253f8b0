"""The theme is looked up once, and what a page is told of it stays the same."""

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession

from web import server

SECTIONS = ("light", "dark", "sidebar", "light.sidebar", "dark.sidebar")


def told(fill) -> NewSession:
    """As Streamlit fills it in."""
    message = NewSession()
    fill(message.custom_theme)
    for name in SECTIONS:
        part = message.custom_theme
        for step in name.split("."):
            part = getattr(part, step)
        fill(part, f"theme.{name}")
    return message


def test_a_page_is_told_the_theme_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    server._theme.cache_clear()
    fresh = told(server._streamlit_theme)
    assert fresh.custom_theme.dark.sidebar.background_color == "#10151a"
    assert told(server.fill_theme) == fresh
    monkeypatch.setattr(config, "get_options_for_section", lambda section: pytest.fail("looked up again"))
    assert told(server.fill_theme) == fresh
