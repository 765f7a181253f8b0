"""Particulars of a Qdrant server: an address and a key, a cluster, and an alias that changes over."""

import ipaddress
import ssl
import threading
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from qdrant_client import models

from core.errors import ConfigurationError, IndexMismatch, IndexUnavailable
from index.payload import DENSE, FIELDS, QUESTIONS, SPARSE
from index.server import ServerIndex
from index.server_options import ServerOptions
from tests.contract.index.conftest import EAST, PRINT, found, lexical, name, near, point, served
from tests.qdrant_stub import QdrantStub, Refused, running_stub

OTHER = PRINT.model_copy(update={"embedding": "otra"})
SECRET = "clave-muy-secreta"


@pytest.fixture
def stub() -> Iterator[QdrantStub]:
    with running_stub() as running:
        yield running


@pytest.fixture
def index(stub: QdrantStub) -> Iterator[ServerIndex]:
    made = served(stub.url)
    made.open(PRINT)
    made.upsert([point("1"), point("2", "vacaciones")])
    yield made
    made.close()


def another(stub: QdrantStub, fingerprint=PRINT) -> ServerIndex:
    made = served(stub.url)
    made.open(fingerprint)
    return made


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"url": "http://qdrant.example:6333", "api_key": SECRET}, "QDRANT_URL usa http"),
        ({"url": "http://10.0.0.7:6333", "api_key": SECRET}, "QDRANT_URL usa http"),
        ({"url": "HTTP://localhost.example", "api_key": SECRET}, "QDRANT_URL usa http"),
        ({"url": "http://127.0.0.1@evil.example", "api_key": SECRET}, "QDRANT_URL usa http"),
        ({"url": "qdrant.example:6333"}, "QDRANT_URL no es"),
        ({"url": "http://127.0.0.1:notaport"}, "QDRANT_URL no es"),
        ({"url": "ftp://qdrant.example"}, "QDRANT_URL no es"),
        ({"url": "https://"}, "QDRANT_URL no es"),
        ({"url": "https://qdrant.example", "api_key": f"{SECRET}\n"}, "QDRANT_API_KEY contiene"),
        ({"url": "https://qdrant.example", "api_key": f"{SECRET}ñ"}, "QDRANT_API_KEY contiene"),
        ({"url": "https://qdrant.example", "ca_file": "/no/existe.pem"}, "QDRANT_CA_FILE"),
        (
            {"url": "https://qdrant.example", "replicas": 2, "write_consistency": 3},
            "QDRANT_WRITE_CONSISTENCY",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_refused_in_one_sentence_without_the_key(
    options: dict[str, object], says: str
) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        ServerOptions.model_validate(options)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "url",
    [
        "https://qdrant.example",
        "http://localhost:6333",
        "http://127.0.0.1",
        "http://127.9.9.9",
        "http://[::1]:1",
    ],
)
def test_a_key_may_travel_encrypted_or_within_the_machine(url: str) -> None:
    options = ServerOptions(url=url, api_key=SECRET)
    assert SECRET not in repr(options)


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("esto no es un certificado")
    with pytest.raises(ConfigurationError, match="QDRANT_CA_FILE"):
        served("https://127.0.0.1:1", ca_file=tmp_path / "ca.pem").open(PRINT)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate for 127.0.0.1 signed by itself, and a server's side of it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "prueba")])
    now = datetime.now(UTC)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, both = tmp_path / "ca.pem", tmp_path / "both.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    both.write_bytes(private + pem.read_bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return pem, context


def test_a_server_with_a_certificate_of_ones_own_is_trusted_by_its_file_only(certificate) -> None:
    pem, context = certificate
    with running_stub(api_key=SECRET, tls=context) as stub:
        with pytest.raises(IndexUnavailable, match="QDRANT_CA_FILE"):
            served(stub.url, api_key=SECRET).open(PRINT)
        trusting = served(stub.url, api_key=SECRET, ca_file=pem)
        trusting.open(PRINT)
        trusting.upsert([point("1")])
        assert found(trusting, lexical("despido")) == [name("1")]
        trusting.close()


def test_what_is_meant_for_this_machine_goes_through_no_proxy(
    stub: QdrantStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    index = another(stub)
    assert index.count() == 0
    index.close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
@pytest.mark.parametrize("trouble", ["gone", 401, 429, 500, 503])
def test_no_failure_shows_the_key(stub: QdrantStub, trouble: object) -> None:
    index = served(stub.url, api_key=SECRET)
    if trouble == "gone":
        stub.stop()
    else:
        stub.before = refusing(int(str(trouble)))
    with pytest.raises(IndexUnavailable) as caught:
        index.open(PRINT)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def refusing(status: int, method: str = "", ending: str = ""):
    def before(asked: str, path: str) -> None:
        if asked.startswith(method) and path.endswith(ending):
            raise Refused(status)

    return before


def test_a_collection_is_laid_out_as_the_settings_say(stub: QdrantStub) -> None:
    index = served(stub.url, shards=2, replicas=3, write_consistency=2, quantization="scalar", on_disk=True)
    index.open(PRINT)
    (body,) = stub.created.values()
    assert (body["shard_number"], body["replication_factor"], body["write_consistency_factor"]) == (2, 3, 2)
    assert body["on_disk_payload"] is True
    assert body["sparse_vectors"][SPARSE]["index"]["on_disk"] is True
    for field in (DENSE, QUESTIONS):
        assert body["vectors"][field]["on_disk"] is True
        assert body["vectors"][field]["quantization_config"]["scalar"]["type"] == "int8"
        assert body["vectors"][field].get("hnsw_config") is None
    index.close()


def test_an_exact_index_builds_no_graph(index: ServerIndex, stub: QdrantStub) -> None:
    (body,) = stub.created.values()
    assert body["vectors"][DENSE]["hnsw_config"]["m"] == 0
    assert body["vectors"][DENSE].get("quantization_config") is None


def test_every_field_that_is_filtered_by_has_its_index(index: ServerIndex, stub: QdrantStub) -> None:
    (collection,) = stub.collections
    assert set(stub.indexed) == {(collection, field, kind) for field, kind in FIELDS.items()}


@pytest.mark.parametrize("trouble", ["gone", 503, 429, 500])
def test_a_server_that_is_gone_and_comes_back_needs_no_restart(
    index: ServerIndex, stub: QdrantStub, trouble: object
) -> None:
    if trouble == "gone":
        stub.stop()
    else:
        stub.before = refusing(int(str(trouble)))
    for call in (lambda: index.search([near(EAST)]), index.count, lambda: index.upsert([point("3")])):
        with pytest.raises(IndexUnavailable, match="Qdrant"):
            call()
    stub.before = lambda method, path: None
    if trouble == "gone":
        stub.start()
    assert found(index, lexical("despido")) == [name("1")]
    index.upsert([point("3")])
    assert index.count() == 3


def test_a_server_that_hangs_is_given_up_after_the_time_set(stub: QdrantStub) -> None:
    index = served(stub.url, timeout=1)
    index.open(PRINT)
    released = threading.Event()
    stub.before = lambda method, path: released.wait(20)
    with pytest.raises(IndexUnavailable, match="QDRANT_TIMEOUT"):
        index.search([near(EAST)])
    released.set()
    assert index.count() == 0
    index.close()


def test_what_is_being_built_is_not_searched_until_it_is_published(
    index: ServerIndex, stub: QdrantStub
) -> None:
    reader = another(stub)
    old = stub.aliases["articulado"]
    staged = index.stage(PRINT)
    staged.upsert([point("9")])
    assert found(reader, lexical("despido")) == [name("1")]

    assert staged.publish()

    assert stub.aliases["articulado"] != old
    assert found(index, lexical("despido")) == [name("9")]
    # A search that is under way in another process still has what it began with.
    assert found(reader, lexical("despido")) == [name("1")]
    index.sweep()
    assert found(reader, lexical("despido")) == [name("9")]
    assert stub.collections == set(stub.aliases.values())
    reader.close()


def test_the_alias_changes_over_in_one_request(index: ServerIndex, stub: QdrantStub) -> None:
    staged = index.stage(PRINT)
    asked: list[str] = []
    stub.before = lambda method, path: asked.append(path) if method != "GET" else None
    staged.publish()
    assert asked == ["/collections/aliases"]


def test_opening_again_follows_the_alias(index: ServerIndex, stub: QdrantStub) -> None:
    writer = another(stub)
    index.stage(PRINT).publish()
    writer.open(PRINT)
    writer.upsert([point("7")])
    assert found(index, lexical("despido")) == [name("7")]
    writer.close()


def test_one_that_runs_with_the_old_model_goes_on_with_the_old_index_and_is_then_told_to_restart(
    index: ServerIndex, stub: QdrantStub
) -> None:
    staged = another(stub).stage(OTHER)
    staged.upsert([point("9", dense=(0.0, 0.0, 0.0, 1.0))])
    assert not staged.publish()

    assert [hit.id for hit in index.search([near(EAST)])[0]] == [name("1"), name("2")]
    with pytest.raises(IndexMismatch, match="reinicie la aplicación"):
        index.open(PRINT)
    assert found(index, lexical("despido")) == [name("1")]
    with pytest.raises(IndexMismatch, match=r"python cli\.py reindex"):
        another(stub)

    newer = another(stub, OTHER)
    newer.sweep()
    with pytest.raises(IndexMismatch, match="reinicie la aplicación"):
        index.search([near(EAST)])
    newer.close()


def test_what_a_killed_rebuild_left_goes_with_the_next_and_nothing_else_does(
    index: ServerIndex, stub: QdrantStub
) -> None:
    others = {"otra", "articulado-copia", "articulado-copia-20261121T101500-ab12", "articulado-20261121"}
    for other in others:
        stub.client.create_collection(other, vectors_config={})
    named = "articulado-20200101T000000-beef"
    stub.client.create_collection(named, vectors_config={})
    alias = models.CreateAlias(collection_name=named, alias_name="mia")
    stub.client.update_collection_aliases([models.CreateAliasOperation(create_alias=alias)])
    left = index.stage(PRINT)

    index.stage(PRINT).publish()
    index.sweep()

    assert left.name not in stub.collections
    assert named in stub.collections
    assert stub.collections == others | set(stub.aliases.values())


@pytest.fixture
def plain(index: ServerIndex, stub: QdrantStub) -> ServerIndex:
    """An installation from before there were aliases."""
    stub.client.delete_collection(stub.aliases["articulado"])
    body = models.CreateCollection.model_validate(next(iter(stub.created.values())))
    stub.client.create_collection(
        "articulado",
        vectors_config=body.vectors,
        sparse_vectors_config=body.sparse_vectors,
        metadata=body.metadata,
    )
    index.open(PRINT)
    index.upsert([point("1")])
    return index


def test_a_plain_collection_is_used_as_it_is_and_replaced_by_the_first_rebuild(
    plain: ServerIndex, stub: QdrantStub
) -> None:
    reader = another(stub)
    assert stub.collections == {"articulado"}
    staged = plain.stage(PRINT)
    staged.upsert([point("1"), point("5")])

    staged.publish()

    assert stub.collections == set(stub.aliases.values()) == {staged.name}
    assert found(reader, lexical("despido")) == found(plain, lexical("despido")) == [name("1"), name("5")]
    reader.close()


def test_one_with_the_old_model_does_not_search_what_took_the_place_of_a_plain_collection(
    plain: ServerIndex, stub: QdrantStub
) -> None:
    another(stub).stage(OTHER).publish()
    with pytest.raises(IndexMismatch, match="reinicie la aplicación"):
        plain.search([near(EAST)])


def test_a_change_over_from_a_plain_collection_that_is_cut_short_is_found_complete(
    plain: ServerIndex, stub: QdrantStub
) -> None:
    reader = another(stub)
    staged = plain.stage(PRINT)
    staged.upsert([point("1"), point("5")])
    stub.before = refusing(500, "POST", "/collections/aliases")
    with pytest.raises(IndexUnavailable):
        staged.publish()
    assert stub.collections == {staged.name}
    assert not stub.aliases
    stub.before = lambda method, path: None

    assert found(reader, lexical("despido")) == [name("1"), name("5")]
    assert stub.aliases == {"articulado": staged.name}
    assert found(another(stub), lexical("despido")) == [name("1"), name("5")]
    reader.close()


def test_a_cut_short_change_over_is_not_swept_away(plain: ServerIndex, stub: QdrantStub) -> None:
    staged = plain.stage(PRINT)
    staged.upsert([point("5")])
    stub.before = refusing(500, "POST", "/collections/aliases")
    with pytest.raises(IndexUnavailable):
        staged.publish()
    stub.before = lambda method, path: None
    newer = served(stub.url)
    newer.stage(PRINT)
    assert staged.name in stub.collections
    newer.close()
