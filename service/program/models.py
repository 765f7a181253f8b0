"""The models of a program; a test puts others in their place."""

from dataclasses import dataclass

from index.points import Fingerprint
from loading.chunking.chunk import CHUNKER
from models.chat import ChatModel
from models.embedder import Embedder


@dataclass
class Models:
    """The models in use.

    Attributes:
        embedder_problem: reason why there is no embedder, in Spanish.
    """

    reader: ChatModel | None = None
    principal: ChatModel | None = None
    embedder: Embedder | None = None
    embedder_problem: str = ""

    @property
    def mode(self) -> str:
        return "model" if self.reader and self.principal else "offline"

    @property
    def fingerprint(self) -> Fingerprint:
        """Fingerprint of an index made with these models."""
        name, size = (self.embedder.name, self.embedder.dimensions) if self.embedder else ("none", 0)
        return Fingerprint(embedding=name, dimensions=size, chunker=CHUNKER)

    def names(self) -> dict[str, str]:
        """Role to model name, only for the roles in use."""
        roles = {"reader": self.reader, "principal": self.principal}
        names = {role: model.model for role, model in roles.items() if model is not None}
        return names | ({"embeddings": self.embedder.name} if self.embedder else {})
