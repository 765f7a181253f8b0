"""Expedientes; the address names one (`e`), a review table of it (`t`) or a passage of a document (`d`)."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened, or_home
from pages.parts.matters.listed import show_list
from pages.parts.matters.matter import show_matter
from pages.parts.matters.passage import show_passage
from pages.parts.matters.table import show_table
from pages.parts.matters.tables import NEW, show_new

with opened(Permission.ASK) as app, or_home(show_list, app):
    matter_id, table_id = st.query_params.get("e"), st.query_params.get("t")
    if document_id := st.query_params.get("d"):
        show_passage(app, document_id, st.query_params.get("n", ""), st.query_params.get_all("q"))
    elif matter_id and table_id == NEW:
        show_new(app, matter_id)
    elif matter_id and table_id:
        show_table(app, table_id)
    elif matter_id:
        show_matter(app, matter_id)
    else:
        show_list(app)
