"""A page for the person at the browser, the view that its address names, and a part that is under way.

A page is drawn within `with opened(Permission.ASK) as app:`, which refuses whoever may not see it, shows the
notice that the last act left, and turns errors into sentences. Where its address may name a view, the views
stand within `with or_home(…):`, and one whose thing is gone gives way to the home. A view has its `back`,
`heading` and `section` from `layout`; what is under way in it (a load, a reading) is `followed`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.layout import not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from service.members.member import Member


@contextmanager
def opened(permission: Permission) -> Iterator[Member]:
    """The program for the person at this browser; the page stops if they may not open it."""
    with errors_as_sentences():
        app = member(permission)
        notice()
        yield app


@contextmanager
def or_home(home: Callable[[Member], object], app: Member) -> Iterator[None]:
    """Views of what the address names; the home of the page, and a notice, where there is no such thing."""
    # A link within the page changes the parameters but not the browser's address: writing them does.
    st.query_params.from_dict({name: st.query_params.get_all(name) for name in st.query_params})
    try:
        yield
    except NotFound as error:
        not_there(error)
        home(app)


def followed(under_way: Callable[[], bool], every: float, draw: Callable[[], object]) -> None:
    """Draw a part of the page, and again every so many seconds until what is under way ends: then the page.

    Nothing is asked for while nothing is under way: an open page alone must not keep a session alive.
    """
    waited = under_way()

    @errors_as_sentences()
    def again() -> None:
        if under_way() is not waited:
            st.rerun()
        draw()

    st.fragment(again, run_every=every if waited else None)()
