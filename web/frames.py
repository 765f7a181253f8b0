"""Messages of a browser to Streamlit: those that our pages send pass, all others are dropped.

Streamlit also obeys messages for developers from anybody with an open page: they read the git repository of
the server, empty the caches of everybody or run the callables of other pages.
"""

import logging

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Receive
from streamlit.proto.BackMsg_pb2 import BackMsg

OURS = frozenset({"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"})
"""Kinds of `BackMsg` that pass: redraw, stop, sign of life, addresses for an upload."""

logger = logging.getLogger(__name__)


def without_others(receive: Receive) -> Receive:
    """`receive` of a websocket, which skips what is none of OURS."""

    async def received() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive" or _kind(message.get("bytes")) in OURS:
                return message

    return received


def _kind(frame: bytes | None) -> str | None:
    try:
        kind: str | None = BackMsg.FromString(frame or b"").WhichOneof("type")
    except DecodeError:
        kind = None
    if kind not in OURS:
        logger.info("a message of the kind %s was dropped", kind)
    return kind
