"""Files that pages hand out (`/media/…`), each with the pages that made it.

Streamlit names a file by a hash of its content and gives it to every request for that name.
"""

from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner import get_script_run_ctx


class OwnMedia(MemoryMediaFileStorage):
    """Streamlit's store, which also keeps who made what; Streamlit calls it under a lock of its own."""

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._makers: dict[str, tuple[str, ...]] = {}

    def load_and_get_id(
        self, path_or_data: str | bytes, mimetype: str, kind: MediaFileKind, filename: str | None = None
    ) -> str:
        file_id = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        drawing = get_script_run_ctx(suppress_warning=True)
        known = self._makers.get(file_id, ())
        if drawing is not None and drawing.session_id not in known:
            self._makers[file_id] = (*known, drawing.session_id)
        return file_id

    def delete_file(self, file_id: str) -> None:
        super().delete_file(file_id)
        self._makers.pop(file_id, None)

    def makers(self, name: str) -> tuple[str, ...]:
        """Ids of the page sessions that made the file of that name, as it stands in an address."""
        return self._makers.get(name.partition(".")[0], ())


def install() -> None:
    """Have Streamlit keep its files in an `OwnMedia`; to be called before the application is made."""
    memory_media_file_storage.MemoryMediaFileStorage = OwnMedia  # type: ignore[misc]
