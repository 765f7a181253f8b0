"""The parts of a question that would leave this machine for the endpoints of the models."""

from collections.abc import Sequence

from core.hosts import on_this_machine
from masking.vault import Masked, Vault
from models.role import RoleSettings
from service.config import Settings


def away(chosen: Settings) -> list[RoleSettings]:
    """The roles in use whose endpoint is not on this machine."""
    roles = [chosen.reader, chosen.principal] if chosen.has_model else []
    if chosen.embeddings_provider == "openai" and chosen.embeddings.enabled:
        roles.append(chosen.embeddings)
    return [role for role in roles if not on_this_machine(role.base_url or "")]


def leaving(chosen: Settings, question: str, earlier: Sequence[str]) -> Masked:
    """The question as those endpoints get it, with the placeholders that a run gives it.

    Args:
        earlier: texts of the conversation that go before it; as many count as a run reads.
    """
    names = next((chosen.masking(role) for role in away(chosen)), None)
    if names is None:
        return Masked((question,), {})
    read = max(chosen.history_answer_messages, chosen.history_decompose_messages)
    return Vault((*earlier[-read:], question)).mask([question], names)
