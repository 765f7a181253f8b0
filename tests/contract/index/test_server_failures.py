"""A Qdrant server that is dead, refuses, or holds something else."""

import pytest

from core.errors import IndexMismatch, IndexUnavailable
from tests.contract.index.conftest import EAST, PRINT, near, point, served
from tests.qdrant_stub import qdrant_stub, running_stub


def test_a_dead_server_is_told_apart(free_url: str) -> None:
    with pytest.raises(IndexUnavailable, match="QDRANT_URL"):
        served(free_url).open(PRINT)


@pytest.fixture
def free_url() -> str:
    with qdrant_stub() as url:
        return url


def test_a_server_that_stops_answers_with_a_clear_error() -> None:
    with qdrant_stub() as url:
        index = served(url)
        index.open(PRINT)
    with pytest.raises(IndexUnavailable, match="QDRANT_URL"):
        index.count()
    index.close()


def test_a_collection_that_vanished_says_reindex() -> None:
    with running_stub() as stub:
        index = served(stub.url)
        index.open(PRINT)
        stub.client.delete_collection(stub.aliases["articulado"])
        for call in (
            index.count,
            lambda: index.search([near(EAST)]),
            lambda: index.upsert([point("1")]),
        ):
            with pytest.raises(IndexUnavailable, match=r"python cli\.py reindex"):
                call()
        index.close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_a_rejected_key_is_named_but_not_shown() -> None:
    with qdrant_stub(api_key="buena") as url:
        with pytest.raises(IndexUnavailable, match="QDRANT_API_KEY") as caught:
            served(url, api_key="mala-123").open(PRINT)
        assert "mala-123" not in str(caught.value)
        index = served(url, api_key="buena")
        index.open(PRINT)
        assert index.count() == 0
        index.close()


def test_a_collection_of_someone_else_is_not_touched() -> None:
    from qdrant_client import QdrantClient

    with qdrant_stub() as url:
        QdrantClient(url=url, check_compatibility=False).create_collection("articulado", vectors_config={})
        with pytest.raises(IndexMismatch, match=r"python cli\.py reindex"):
            served(url).open(PRINT)
