"""Adapters made from the settings: models, embedders, index.

The clients of a model endpoint and of a Qdrant server are imported where they are used: without them a
process starts in less than half the time, and most installations and every worker need neither.
"""

from core.errors import ConfigurationError, EmbedderUnavailable
from index.edge import EdgeIndex
from index.vector_index import VectorIndex
from masking.masked import MaskedChat, MaskedEmbedder
from models.chat import ChatModel
from models.embedder import Embedder
from models.local_bulk_embedder import BulkEmbedder
from models.metering import MeteredChat
from models.role import RoleSettings
from service.config import Settings

MATTERS = "matters"


def embedder(chosen: Settings) -> Embedder:
    """The model that makes vectors.

    Raises:
        ConfigurationError, EmbedderUnavailable: the settings lack something, or it cannot run here.
    """
    if chosen.embeddings_provider == "none":
        raise EmbedderUnavailable("los vectores están desactivados (EMBEDDINGS_PROVIDER=none).")
    if chosen.embeddings_provider == "local":
        local = BulkEmbedder()
        local.load()
        return local
    if not chosen.embeddings.enabled:
        raise ConfigurationError(
            "EMBEDDINGS_PROVIDER=openai necesita OPENAI_API_KEY, EMBEDDINGS_API_KEY o una dirección."
        )
    from models.openai_embeddings import OpenAIEmbedder

    made = OpenAIEmbedder(chosen.embeddings, chosen.embeddings_dimensions, chosen.model_retries)
    names = chosen.masking(chosen.embeddings)
    return made if names is None else MaskedEmbedder(made, names)


def chat(chosen: Settings, role: RoleSettings) -> ChatModel | None:
    """Both roles or neither: half a model is no mode of its own."""
    if not chosen.has_model:
        return None
    from models.openai_chat import OpenAIChat

    model, names = MeteredChat(OpenAIChat(role, chosen.model_retries)), chosen.masking(role)
    return model if names is None else MaskedChat(model, names)


def index(chosen: Settings) -> VectorIndex:
    """That of the corpus: embedded, or on the server that the settings name.

    Raises:
        ConfigurationError: the server's settings cannot be used.
    """
    return _index(chosen, "")


def matter_index(chosen: Settings) -> VectorIndex:
    """That of the documents of expedientes, which shares nothing with the one of the corpus. Raises as it."""
    return _index(chosen, MATTERS)


def _index(chosen: Settings, part: str) -> VectorIndex:
    if not chosen.qdrant_url:
        return EdgeIndex(chosen.index_path / part)
    from index.server import ServerIndex
    from index.server_options import ServerOptions

    options = {name: getattr(chosen, f"qdrant_{name}") for name in ServerOptions.model_fields}
    options["collection"] = "-".join(filter(None, (options["collection"], part)))
    return ServerIndex(ServerOptions.model_validate(options))
