"""The evaluation page; `run`, `run` and `case`, or `run` and `with` in its address name a view."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened, or_home
from pages.parts.evaluation.case import show_case
from pages.parts.evaluation.compare import show_comparison
from pages.parts.evaluation.home import show_home
from pages.parts.evaluation.run import show_run

with opened(Permission.EVALUATE) as app, or_home(show_home, app):
    run, other, case = (st.query_params.get(name) for name in ("run", "with", "case"))
    if run and other:
        show_comparison(app, run, other)
    elif run and case:
        show_case(app, run, case)
    elif run:
        show_run(app, run)
    else:
        show_home(app)
