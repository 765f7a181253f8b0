"""Expedientes; the address names one (`e`), a review table of it (`t`) or a passage of a document (`d`)."""

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.layout import not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.matters.listed import show_list
from pages.parts.matters.matter import show_matter
from pages.parts.matters.passage import show_passage
from pages.parts.matters.table import show_table
from pages.parts.matters.table_form import show_new
from pages.parts.matters.tables import NEW

with errors_as_sentences():
    app = member(Permission.ASK)
    matter_id, table_id = st.query_params.get("e"), st.query_params.get("t")
    document_id, quotes = st.query_params.get("d"), st.query_params.get_all("q")
    # A link within the page changes the parameters but not the browser's address: writing them does.
    st.query_params.from_dict(st.query_params.to_dict() | ({"q": quotes} if quotes else {}))
    notice()
    try:
        if document_id:
            show_passage(app, document_id, st.query_params.get("n", ""), quotes)
        elif matter_id and table_id == NEW:
            show_new(app, matter_id)
        elif matter_id and table_id:
            show_table(app, table_id)
        elif matter_id:
            show_matter(app, matter_id)
        else:
            show_list(app)
    except NotFound as error:
        not_there(error)
        show_list(app)
