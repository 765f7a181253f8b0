"""Collections of a Qdrant server behind one alias: finds the one in use and replaces it with the next.

An alias and a collection cannot share a name, and aliases that change in one request change atomically. An
installation older than aliases has a plain collection under that name. It is deleted when the first rebuilt
one is ready; that one is marked as complete beforehand, so a reader finds it between the two steps.
"""

import re
from datetime import UTC, datetime
from uuid import uuid4

from qdrant_client import QdrantClient, models

from index.payload import DENSE, FIELDS, QUESTIONS, WORDS
from index.points import Fingerprint
from index.server_options import ServerOptions

_FINGERPRINT = "articulado"
_COMPLETE = "articulado-complete"


def create(client: QdrantClient, options: ServerOptions, fingerprint: Fingerprint) -> str:
    """Create an empty collection that no alias names yet; returns its name."""
    name = f"{options.collection}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid4().hex[:4]}"
    size, exact = fingerprint.dimensions, options.quantization == "none"
    several = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
    eight_bits = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
    dense = {
        field: models.VectorParams(
            size=size,
            distance=models.Distance.COSINE,
            multivector_config=multivector,
            on_disk=options.on_disk,
            # Without a graph nothing is built that an exact search would not use.
            hnsw_config=models.HnswConfigDiff(m=0) if exact else None,
            quantization_config=None if exact else models.ScalarQuantization(scalar=eight_bits),
        )
        for field, multivector in ((DENSE, None), (QUESTIONS, several))
    }
    sparse = models.SparseVectorParams(
        modifier=models.Modifier.IDF, index=models.SparseIndexParams(on_disk=options.on_disk)
    )
    client.create_collection(
        name,
        vectors_config=dense if size else {},
        sparse_vectors_config=dict.fromkeys(WORDS, sparse),
        shard_number=options.shards,
        replication_factor=options.replicas,
        write_consistency_factor=options.write_consistency,
        on_disk_payload=options.on_disk,
        metadata={_FINGERPRINT: fingerprint.model_dump()},
    )
    if not options.memory:
        for field, kind in FIELDS.items():
            client.create_payload_index(name, field, models.PayloadSchemaType(kind), wait=True)
    return name


def fingerprint_of(client: QdrantClient, name: str) -> Fingerprint | None:
    """Fingerprint stored with a collection; None if it has no valid one."""
    try:
        return Fingerprint.model_validate(_metadata(client, name).get(_FINGERPRINT))
    except ValueError as error:
        if "not found" in str(error):
            raise
        return None


def current(client: QdrantClient, alias: str) -> str | None:
    """The collection in use, or None: the target of the alias, else the plain collection of that name, else
    the complete one that was about to replace it."""
    named = _aliases(client).get(alias)
    if named is not None:
        return named
    collections = _collections(client)
    if alias in collections:
        return alias
    complete = [name for name in _builds(collections, alias) if _metadata(client, name).get(_COMPLETE)]
    return max(complete, default=None)


def publish(client: QdrantClient, alias: str, name: str) -> None:
    """Point the alias at this collection."""
    change: list[models.AliasOperations] = []
    if alias in _aliases(client):
        change.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias)))
    elif alias in _collections(client):
        client.update_collection(name, metadata={_COMPLETE: True})
        client.delete_collection(alias)
    created = models.CreateAlias(collection_name=name, alias_name=alias)
    client.update_collection_aliases([*change, models.CreateAliasOperation(create_alias=created)])


def is_published(client: QdrantClient, alias: str, name: str) -> bool:
    """True if the alias names the collection, or it is a plain collection of that name."""
    return name == alias or _aliases(client).get(alias) == name


def sweep(client: QdrantClient, alias: str) -> None:
    """Delete our collections that are not in use: replaced ones, and leftovers of a killed rebuild."""
    kept = {current(client, alias), *_aliases(client).values()}
    for name in _builds(_collections(client), alias):
        if name not in kept:
            client.delete_collection(name)


def _builds(collections: set[str], alias: str) -> list[str]:
    ours = re.compile(re.escape(alias) + r"-\d{8}T\d{6}-[0-9a-f]{4}")
    return sorted(name for name in collections if ours.fullmatch(name))


def _collections(client: QdrantClient) -> set[str]:
    return {found.name for found in client.get_collections().collections}


def _aliases(client: QdrantClient) -> dict[str, str]:
    return {found.alias_name: found.collection_name for found in client.get_aliases().aliases}


def _metadata(client: QdrantClient, name: str) -> models.Payload:
    return client.get_collection(name).config.metadata or {}
