"""Expedientes; `e` in the address names one."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.layout import not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.matters.listed import show_list
from pages.parts.matters.matter import show_matter
from rag.errors import NotFound

with errors_as_sentences():
    app = member(Permission.ASK)
    matter_id = st.query_params.get("e")
    # A link within the page changes the parameters but not the browser's address: writing them does.
    st.query_params.from_dict(st.query_params.to_dict())
    notice()
    try:
        if matter_id:
            show_matter(app, matter_id)
        else:
            show_list(app)
    except NotFound as error:
        not_there(error)
        show_list(app)
