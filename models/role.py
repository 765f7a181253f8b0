"""The endpoint and model of one role."""

from typing import Literal

from pydantic import Field, SecretStr

from core.values import Value


class RoleSettings(Value):
    """One model role after its overrides have been applied to the common values."""

    role: str
    model: str
    base_url: str | None = None
    api_key: SecretStr | None = None
    api_version: str | None = Field(default=None, description="set for Azure OpenAI only")
    api: Literal["chat", "responses"] = "chat"
    reasoning: bool = True
    effort: str | None = Field(default=None, description="reasoning effort as the endpoint calls it")
    structured: bool = True

    @property
    def enabled(self) -> bool:
        """True if the role has a key, or a custom endpoint, which may need no key."""
        return self.api_key is not None or self.base_url is not None
