"""The evaluation page. Its address says which view it shows: `run`, `run` and `case`, `run` and `with`."""

from __future__ import annotations

import streamlit as st

from pages._evaluation_case import show_case
from pages._evaluation_compare import show_comparison
from pages._evaluation_home import show_home
from pages._evaluation_run import show_run
from pages._evaluation_ui import not_there
from pages._session import member
from pages._ui import errors_as_sentences
from rag.accounts_types import Permission
from rag.errors import NotFound


def page() -> None:
    app = member(Permission.EVALUATE)
    run, other, case = (st.query_params.get(name) for name in ("run", "with", "case"))
    try:
        if run and other:
            show_comparison(app, run, other)
        elif run and case:
            show_case(app, run, case)
        elif run:
            show_run(app, run)
        else:
            show_home(app)
    except NotFound as error:
        not_there(error)
        show_home(app)


with errors_as_sentences():
    page()
