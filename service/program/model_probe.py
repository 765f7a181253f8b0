"""The trial of the endpoints of the models: in a thread of its own, at the expense of whoever asks for it."""

import asyncio
import threading
from concurrent.futures import Future

from core.errors import ConfigurationError
from models.metering import Spend, metering
from models.probe_results import Probed, RoleProbe, judged
from models.role import RoleSettings
from service.config import Settings

NO_MODEL = (
    "No hay ningún modelo configurado: escriba OPENAI_API_KEY u OPENAI_BASE_URL en el archivo .env y reinicie"
    " el programa."
)


class ModelProbe:
    """Tries the endpoints that the settings name; see `models.probe`.

    Raises (all methods): ConfigurationError, when there is no model.
    """

    def __init__(self, chosen: Settings, spend: Spend) -> None:
        self._chosen = chosen
        self._spend = spend

    def sends(self, *, fast: bool = False) -> int:
        """Estimated tokens that a trial sends."""
        from models.probe import sends

        return len({_endpoint(role) for role in self._roles()}) * sends(self._chosen, fast=fast)

    def start(self, owner: str, *, fast: bool = False) -> Future[Probed]:
        """Begin a trial; `fast` leaves out the long text. Its tokens are counted as used by `owner`."""
        roles, found = self._roles(), Future[Probed]()

        def work() -> None:
            try:
                with metering(owner, self._spend):
                    made = asyncio.run(self._try(roles, fast))
            except BaseException as error:
                found.set_exception(error)
            else:
                found.set_result(made)

        threading.Thread(target=work, daemon=True, name="model probe").start()
        return found

    def _roles(self) -> list[RoleSettings]:
        if not self._chosen.has_model:
            raise ConfigurationError(NO_MODEL)
        return [self._chosen.reader, self._chosen.principal]

    async def _try(self, roles: list[RoleSettings], fast: bool) -> Probed:
        from models.probe import probe, probe_embeddings

        chosen = self._chosen
        known: dict[tuple[object, ...], RoleProbe] = {}
        found: list[RoleProbe] = []
        # One after the other: two at once would measure each other's speed.
        for role in roles:
            made = known.get(_endpoint(role)) or await probe(role, chosen, chosen.model_retries, fast=fast)
            if made.answers:  # the sentence of a failure names its role
                known[_endpoint(role)] = made
            found.append(judged(made.model_copy(update={"role": role.role}), role, chosen))
        if chosen.embeddings_provider == "openai":
            embeddings = chosen.embeddings
            made = await probe_embeddings(embeddings, chosen.embeddings_dimensions, chosen.model_retries)
            found.append(judged(made, embeddings, chosen))
        return Probed(works=all(one.works for one in found), roles=tuple(found))


def _endpoint(role: RoleSettings) -> tuple[object, ...]:
    """The same value for roles that one model of one endpoint has."""
    return tuple(value for name, value in role if name != "role")
