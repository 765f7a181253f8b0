"""Files that pages take in (`PUT /_stcore/upload_file/…`): those that a page's box asked for, within a share.

Streamlit takes a file under any name from whoever has a page open, and keeps it in memory until that page
is closed.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.types import Scope
from streamlit import runtime
from streamlit.runtime import memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadFileUrlInfo

from domain.accounts import Identity, Permission
from loading.ingestion.uploads import MAX_FILE_BYTES
from service.program.papers import MAX_BYTES
from web.base import access

MOST_HELD = 2 * MAX_FILE_BYTES
"""Bytes of all the files that the open pages of one account hold."""
MOST_ASKED = 2000
"""Addresses that one page may have for its files: a folder is chosen whole."""
FRAMING = 64 * 1024
"""Bytes of a request around its file."""
BOX = "file_uploader_state_value"

NOT_YOUR_PAGE = "Esta página ya no está abierta o no es suya: recárguela."
NOT_ASKED = "Esta página no ha pedido ningún archivo: elíjalo en su recuadro."
NO_SIZE = "La solicitud no dice cuánto ocupa el archivo."
TOO_LARGE = "El archivo pasa de {} MB: divídalo en partes."
TOO_MUCH = "Sus páginas abiertas guardan ya demasiados archivos: recárguelas o ciérrelas."

Owner = tuple[str, str]
"""Ids of an account and of its login session; that of the personal mode is empty."""


class AskedUploads(MemoryUploadedFileManager):
    """Streamlit's store, which gives addresses to pages with a box for files alone, and knows them again."""

    def __init__(self, upload_endpoint: str) -> None:
        super().__init__(upload_endpoint)
        self._asked: dict[str, deque[str]] = {}

    def get_upload_urls(self, session_id: str, file_names: Sequence[str]) -> list[UploadFileUrlInfo]:
        given = super().get_upload_urls(session_id, file_names[:MOST_ASKED] if has_box(session_id) else ())
        self._asked.setdefault(session_id, deque(maxlen=MOST_ASKED)).extend(one.file_id for one in given)
        return given

    def remove_session_files(self, session_id: str) -> None:
        super().remove_session_files(session_id)
        self._asked.pop(session_id, None)

    def has_asked(self, page: str, file: str) -> bool:
        """True if that page got an address for that file."""
        return file in self._asked.get(page, ())

    def held(self) -> dict[str, int]:
        """Bytes of the files of each page."""
        with self._lock:
            return {
                page: sum(len(one.data) for one in files.values())
                for page, files in self.file_storage.items()
            }


def install() -> None:
    """Have Streamlit keep uploads in `AskedUploads`; to be called before the application is made."""
    memory_uploaded_file_manager.MemoryUploadedFileManager = AskedUploads  # type: ignore[misc]


def store() -> AskedUploads:
    """The store of the running application."""
    return runtime.get_instance().uploaded_file_mgr  # type: ignore[return-value]


def has_box(session_id: str) -> bool:
    """True for a page session that has drawn a box for files."""
    found = runtime.get_instance()._session_mgr.get_active_session_info(session_id)
    drawn = found.session.session_state._new_widget_state.widget_metadata if found else {}
    return any(one.value_type == BOX for one in list(drawn.values()))


class Uploads:
    """The guard's look at uploads.

    Args:
        page_owner: gives the account and the login session that opened a Streamlit page session, by its id;
            None if not open.
        files: gives the store.
    """

    def __init__(self, page_owner: Callable[[str], Owner | None], files: Callable[[], AskedUploads]) -> None:
        self._page_owner = page_owner
        self._files = files
        self._coming: Counter[str] = Counter()

    def refusal(self, scope: Scope, who: Identity) -> tuple[int, str] | None:
        """Status and sentence for an upload that is not taken; None for one that is, and for all else."""
        page, file = _named(scope)
        if page and self._page_owner(page) != (who.id, who.session):
            return 403, NOT_YOUR_PAGE
        if not page or scope["method"] != "PUT":
            return None
        if not self._files().has_asked(page, file):
            return 403, NOT_ASKED
        return self._over(_size(scope), who)

    def _over(self, size: int | None, who: Identity) -> tuple[int, str] | None:
        most = MAX_FILE_BYTES if who.may(Permission.LOAD) else MAX_BYTES
        if size is None:
            return 411, NO_SIZE
        if size > most + FRAMING:
            return 413, TOO_LARGE.format(most // 2**20)
        return None if self._held(who) + size <= MOST_HELD else (413, TOO_MUCH)

    @contextmanager
    def coming(self, scope: Scope) -> Iterator[None]:
        """Count a file from its first byte on, until the store counts it."""
        page = _named(scope)[0]
        size = (_size(scope) or 0) if page else 0
        self._coming[page] += size
        try:
            yield
        finally:
            self._coming[page] -= size
            self._coming += Counter()

    def _held(self, who: Identity) -> int:
        held = self._coming + Counter(self._files().held())
        return sum(size for page, size in held.items() if (self._page_owner(page) or ("",))[0] == who.id)


def _named(scope: Scope) -> tuple[str, str]:
    """Ids of page and file in an address for uploads; empty for any other."""
    if scope["type"] != "http" or not scope["path"].startswith(access.UPLOAD):
        return "", ""
    page, _, file = scope["path"].removeprefix(access.UPLOAD).partition("/")
    return page or "?", file


def _size(scope: Scope) -> int | None:
    given = Headers(scope=scope).get("content-length", "")
    return int(given) if given.isascii() and given.isdigit() else None
