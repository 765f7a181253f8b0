"""Settings: read once from the environment and `.env`, frozen, passed down."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.errors import ConfigurationError
from core.hosts import on_this_machine
from core.profile import Profile, RerankStrategy
from domain.alert_settings import AlertsSettings
from domain.auth_settings import AuthSettings
from loading.boe import BOE_API_URL
from models.role import RoleSettings
from text.refused_values import problem

ROOT = Path(__file__).resolve().parents[1]
READER_MODEL = "gpt-5-nano"
PRINCIPAL_MODEL = "gpt-5.2"
OPENAI_EMBEDDINGS = "text-embedding-3-small"
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh"]


# pyright compares the bases' `model_config` by type; pydantic merges them.
class Settings(Profile, AuthSettings, AlertsSettings, BaseSettings):  # pyright: ignore[reportIncompatibleVariableOverride]
    """Every setting; `.env.example` documents each one."""

    model_config = SettingsConfigDict(
        env_file=ROOT / ".env", env_file_encoding="utf-8", extra="ignore", frozen=True, env_ignore_empty=True
    )

    articulado_home: Path = ROOT / ".articulado"
    database_url: str = ""
    qdrant_url: str = ""
    qdrant_api_key: SecretStr | None = None
    qdrant_collection: str = "articulado"
    qdrant_ca_file: Path | None = None
    qdrant_timeout: int = Field(default=30, ge=1, le=600)
    qdrant_shards: int = Field(default=1, ge=1, le=64)
    qdrant_replicas: int = Field(default=1, ge=1, le=16)
    qdrant_write_consistency: int = Field(default=1, ge=1, le=16)
    qdrant_quantization: Literal["none", "scalar"] = "none"
    qdrant_on_disk: bool = False

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    openai_api_version: str | None = None
    openai_api: Literal["chat", "responses"] = "chat"
    reader_model: str = READER_MODEL
    reader_base_url: str | None = None
    reader_api_key: SecretStr | None = None
    reader_api_version: str | None = None
    reader_api: Literal["chat", "responses"] | None = None
    reader_reasoning: bool = True
    reader_reasoning_effort: Effort | None = None
    principal_model: str = PRINCIPAL_MODEL
    principal_base_url: str | None = None
    principal_api_key: SecretStr | None = None
    principal_api_version: str | None = None
    principal_api: Literal["chat", "responses"] | None = None
    principal_reasoning: bool = True
    principal_reasoning_effort: Effort | None = None
    structured_output: bool = True
    embeddings_provider: Literal["local", "openai", "none"] = "local"
    embeddings_model: str = ""
    embeddings_base_url: str | None = None
    embeddings_api_key: SecretStr | None = None
    embeddings_api_version: str | None = None
    embeddings_dimensions: int = Field(default=1536, ge=8, le=4096)

    model_retries: int = Field(default=2, ge=0, le=6)
    normalize_documents: bool = False
    enrich_on_load: bool = True
    enrich_max_calls: int = Field(default=2000, ge=1)
    enrich_max_tokens: int = Field(default=4_000_000, ge=1)
    enrich_max_tokens_per_month: int = Field(default=0, ge=0)

    mask_personal_data: bool | None = None
    mask_names: Annotated[tuple[str, ...], NoDecode] = ()

    parse_seconds: int = Field(default=30, ge=1, le=3600)
    parse_memory_mb: int = Field(default=1024, ge=256, le=65536)

    boe_api_url: str = BOE_API_URL
    boe_rate: float = Field(default=1.0, gt=0, le=20)

    audit_key: SecretStr | None = Field(default=None, min_length=16)
    audit_retention_days: int = Field(default=0, ge=0)
    retention_days: int = Field(default=0, ge=0)
    quota_questions_per_day: int = Field(default=0, ge=0)
    quota_tokens_per_day: int = Field(default=0, ge=0)

    api_requests_per_minute: int = Field(default=300, ge=0)
    articulado_url: str = ""
    articulado_token: SecretStr | None = None

    log_format: Literal["text", "json"] = "text"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    metrics_token: SecretStr | None = Field(default=None, min_length=16)
    shutdown_seconds: int = Field(default=20, ge=0, le=300)

    @field_validator("mask_names", mode="before")
    @classmethod
    def _parse_names(cls, value: object) -> object:
        """Parted by semicolons: names of companies hold commas."""
        return tuple(filter(None, map(str.strip, value.split(";")))) if isinstance(value, str) else value

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.articulado_home / 'articulado.db'}"

    @property
    def audit_secret(self) -> str:
        return self.audit_key.get_secret_value() if self.audit_key else ""

    @property
    def index_path(self) -> Path:
        return self.articulado_home / "index"

    @property
    def reader(self) -> RoleSettings:
        return self._role("reader", self.reader_model, self.reader_reasoning, self.reader_api)

    @property
    def principal(self) -> RoleSettings:
        return self._role("principal", self.principal_model, self.principal_reasoning, self.principal_api)

    @property
    def embeddings(self) -> RoleSettings:
        return self._role("embeddings", self.embeddings_model or OPENAI_EMBEDDINGS, False)

    @property
    def has_model(self) -> bool:
        return self.reader.enabled and self.principal.enabled

    @property
    def rerank_strategy(self) -> RerankStrategy:
        """Legal profile: listwise with a model, heuristic without one."""
        return self.rag_rerank_strategy or ("listwise" if self.has_model else "heuristic")

    def masking(self, role: RoleSettings) -> tuple[str, ...] | None:
        """The names to mask for that role's endpoint besides what is found, or None to mask nothing.

        Unless told, personal data is masked wherever the endpoint is but on this machine.
        """
        masks = self.mask_personal_data
        if masks is None:
            masks = not on_this_machine(role.base_url or "")
        return self.mask_names if masks else None

    def _role(
        self, role: str, model: str, reasoning: bool, api: Literal["chat", "responses"] | None = None
    ) -> RoleSettings:
        def pick(name: str) -> Any:
            own = getattr(self, f"{role}_{name}")
            return own if own is not None else getattr(self, f"openai_{name}")

        return RoleSettings(
            role=role,
            model=model,
            base_url=pick("base_url"),
            api_key=pick("api_key"),
            api_version=pick("api_version"),
            api=api or self.openai_api,
            reasoning=reasoning,
            effort=getattr(self, f"{role}_reasoning_effort", None),
            structured=self.structured_output,
        )


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings. Raises as `chosen`."""
    return chosen()


def chosen(**values: Any) -> Settings:
    """Settings with these values, and the others from environment and `.env`.

    Raises:
        ConfigurationError: a variable has a value that cannot be used; the message names it.
    """
    try:
        return Settings(**values)
    except ValueError as error:
        raise ConfigurationError(_explain(error)) from None


def _explain(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    parts = []
    for item in error.errors(include_input=False, include_url=False):
        parts.append(problem(".".join(str(piece) for piece in item["loc"]).upper(), item))
    return f"Revise la configuración: {'; '.join(parts)}"
