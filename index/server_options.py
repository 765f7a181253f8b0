"""Address of the Qdrant server and layout of its collections. No SDK here: the settings import it."""

from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from core.errors import ConfigurationError
from core.hosts import on_this_machine
from core.values import Value

MEMORY = ":memory:"
ADDRESS = "QDRANT_URL no es una dirección válida: debe ser como https://servidor:6333."
PLAIN = (
    "QDRANT_URL usa http y la clave QDRANT_API_KEY viajaría sin cifrar:"
    " ponga una dirección https, o quite la clave."
)
KEY = "QDRANT_API_KEY contiene espacios o caracteres que no caben en una clave: revísela."
CA_FILE = "QDRANT_CA_FILE no se puede leer: compruebe la ruta del certificado."
CONSISTENCY = "QDRANT_WRITE_CONSISTENCY no puede ser mayor que QDRANT_REPLICAS."


class ServerOptions(Value):
    """Each field is the setting QDRANT_<name>.

    Attributes:
        url: http(s)://host[:port][/prefix], or ':memory:' for the client's own memory mode.
        ca_file: certificate of the authority that signed the server's, for a private authority.
        timeout: seconds that one request may take.
        shards: parts that a collection is cut into; word statistics are kept by each of them.
        quantization: 'none' compares every vector exactly, as the embedded index does; 'scalar' keeps 8 bits
            a component in memory and walks a graph: approximate, for hundreds of thousands of chunks. Fewer
            bits are not offered: the engine's makers advise them from 1,024 dimensions on, ours are 384.
        on_disk: vectors and words are read from disk rather than kept in memory.

    Raises:
        ConfigurationError: the options contradict each other, or the key would be sent unencrypted.
    """

    url: str
    api_key: SecretStr | None = None
    collection: str = "articulado"
    ca_file: Path | None = None
    timeout: int = Field(default=30, ge=1, le=600)
    shards: int = Field(default=1, ge=1, le=64)
    replicas: int = Field(default=1, ge=1, le=16)
    write_consistency: int = Field(default=1, ge=1, le=16)
    quantization: Literal["none", "scalar"] = "none"
    on_disk: bool = False

    @property
    def memory(self) -> bool:
        return self.url == MEMORY

    @property
    def loopback(self) -> bool:
        """True if the server is this machine."""
        return on_this_machine(self.url)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        if self.memory:
            return self
        try:
            scheme, host = urlsplit(self.url).scheme, urlsplit(self.url).hostname
            _ = urlsplit(self.url).port
        except ValueError:
            raise ConfigurationError(ADDRESS) from None
        if scheme not in {"http", "https"} or not host:
            raise ConfigurationError(ADDRESS)
        key = self.api_key.get_secret_value() if self.api_key else ""
        # A header that cannot be sent would be shown whole in the error about it.
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ConfigurationError(KEY)
        if key and scheme == "http" and not self.loopback:
            raise ConfigurationError(PLAIN)
        if self.ca_file is not None and not self.ca_file.is_file():
            raise ConfigurationError(CA_FILE)
        if self.write_consistency > self.replicas:
            raise ConfigurationError(CONSISTENCY)
        return self
