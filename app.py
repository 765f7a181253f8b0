"""The web application: `streamlit run app.py`.

Streamlit imports this file once, in the server, to find `app`; then it executes it on every rerun of
a page, as the router.
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx

PAGES = ("/", "/normativa", "/review", "/evaluation", "/inspector")

if get_script_run_ctx(suppress_warning=True) is None:
    import contextlib
    import gc
    from collections.abc import AsyncIterator
    from typing import Any

    import streamlit as st
    from starlette.concurrency import run_in_threadpool
    from streamlit.runtime.pages_manager import PagesManager

    import bootstrap
    from rag.errors import ConfigurationError
    from web import front, guard

    # Until the router has run once, Streamlit would serve any file in pages/ by its name.
    PagesManager.uses_pages_directory = False

    try:
        guard.require_loopback(st.get_option("server.address"))
    except ConfigurationError as error:
        raise SystemExit(str(error)) from None

    @contextlib.asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
        """Wire the application before the first page asks for it, and close it with the server."""
        application = await run_in_threadpool(bootstrap.app)
        await run_in_threadpool(application.ensure_corpus)
        application.start_background()
        # Streamlit collects garbage after every rerun: frozen, what was imported costs it nothing.
        gc.collect()
        gc.freeze()
        yield {}
        await run_in_threadpool(application.close)

    app = st.App(
        __file__,
        routes=front.routes(PAGES),
        middleware=guard.middleware([*PAGES, *front.FILES], front.script_hashes()),
        lifespan=lifespan,
    )
else:
    import streamlit as st

    st.set_page_config(page_title="Articulado", layout="centered", initial_sidebar_state="auto")
    st.navigation(
        [
            st.Page("pages/chat.py", title="Consultas", icon=":material/forum:", default=True),
            st.Page("pages/normativa.py", title="Normativa", icon=":material/library_books:"),
            st.Page("pages/review.py", title="Revisión", icon=":material/rate_review:"),
            st.Page("pages/evaluation.py", title="Evaluación", icon=":material/analytics:"),
            st.Page("pages/inspector.py", title="Inspector", icon=":material/troubleshoot:"),
        ],
        position="top",
    ).run()
