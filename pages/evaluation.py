"""The evaluation page; `run`, `run` and `case`, or `run` and `with` in its address name a view."""

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.layout import not_there
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.evaluation.case import show_case
from pages.parts.evaluation.compare import show_comparison
from pages.parts.evaluation.home import show_home
from pages.parts.evaluation.run import show_run

with errors_as_sentences():
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
