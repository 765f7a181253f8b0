"""Imports of a new process before its first page: whoever starts it waits for all of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.config import ROOT, Settings

SERVER_WITH_A_PAGE = """
import sys
import streamlit as st
from streamlit.testing.v1 import AppTest
from service.program import assembly
from service.config import ROOT, settings
from pages.parts.answer import copying, pane, passage
from web import server

routes = [*pane.routes(), *passage.routes(), *copying.routes()]
st.App("app.py", **server.parts(settings(), "127.0.0.1", routes))
page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
assembly.app().close()
print(len(page.chat_input), *sys.modules)
"""
FOR_PROGRAMS = {"mcp", "mcp_types", "fastapi", "web.api.application", "web.mcp.server"}
FOR_SIGNATURES = {"joserfc", "cryptography", "web.oidc"}
FOR_FILES = {"docx", "openpyxl", "reportlab", "PIL"}
FOR_MODELS_AND_SERVERS = {"openai", "qdrant_client", "psycopg"}
FOR_TABLES = {"pandas", "pyarrow", "altair"}


@pytest.mark.slow
def test_the_first_page_imports_only_what_it_needs(tmp_path: Path) -> None:
    """Each of these takes 50 ms to a second, and is imported by what first needs it."""
    ours = {name.upper() for name in Settings.model_fields}
    given = {name: value for name, value in os.environ.items() if name not in ours}
    given |= {"ARTICULADO_HOME": str(tmp_path / "home"), "EMBEDDINGS_PROVIDER": "none"}
    command = [sys.executable, "-c", SERVER_WITH_A_PAGE]
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=True)
    boxes, *names = done.stdout.splitlines()[-1].split()
    assert boxes == "1"
    late = FOR_PROGRAMS | FOR_SIGNATURES | FOR_FILES | FOR_MODELS_AND_SERVERS | FOR_TABLES
    assert late & set(names) == set()
