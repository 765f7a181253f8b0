"""The error tree. Adapters translate their SDK's exceptions into these, `raise … from`."""


class ArticuladoError(Exception):
    """Base of every error a user may see: its text is one clear sentence that says what to do."""


class ConfigurationError(ArticuladoError):
    """A setting is missing or contradictory."""


class InputError(ArticuladoError):
    """Input of the user (a file, a question, a date) cannot be used as it is."""


class ChangedMeanwhile(InputError):
    """Another writer changed a norm after it was read: read it again and repeat the change."""


class SourceUnavailable(InputError):
    """An outside source of documents (the BOE) is out of reach or fails now: a later attempt may work."""


class ModelError(ArticuladoError):
    """A model endpoint failed after its retries; the stage degrades to its deterministic version.

    Attributes:
        told: what a reader is told of it, who can change no setting: no name, address or status.
        reach: what else fails for some time: 'model', every request for that model; 'endpoint', every request
            with that address and key; empty if another request may work.
    """

    told = "La respuesta del modelo no era válida"
    reach = ""


class ModelTimeout(ModelError):
    """The model did not answer within the stage's time."""

    told = "Se agotó el tiempo para la respuesta del modelo"


class ModelUnavailable(ModelError):
    """The endpoint is out of reach, busy or failing."""

    told = "El modelo no contestó"


class ModelUnreachable(ModelUnavailable):
    """No connection to the endpoint."""

    told = "No hay conexión con el servidor del modelo"
    reach = "endpoint"


class ModelBusy(ModelUnavailable):
    """The model is at its limit of use, and still is after the retries."""

    told = "El modelo está saturado o ha llegado a su límite de uso"
    reach = "model"


class ModelRejected(ModelError):
    """The endpoint refused the request (unknown model, bad request): retrying is pointless."""

    told = "El servidor del modelo no aceptó la petición"


class ModelKeyRejected(ModelRejected):
    """The endpoint refused the key."""

    told = "El servidor del modelo no aceptó la clave"
    reach = "endpoint"


class ModelRegionRefused(ModelRejected):
    """The provider does not serve the country of this machine."""

    told = "El proveedor del modelo no atiende este país"
    reach = "endpoint"


class ModelUnpaid(ModelRejected):
    """The account of the key has no funds."""

    told = "La cuenta del modelo no tiene saldo"
    reach = "endpoint"


class ModelMissing(ModelRejected):
    """The endpoint does not have the model."""

    told = "El servidor no tiene el modelo configurado"
    reach = "model"


class ModelContextTooSmall(ModelRejected):
    """The request does not fit in the model's context: a shorter one may."""

    told = "Los textos no caben en el modelo"


class EmbedderUnavailable(ArticuladoError):
    """No embedder can run here: search is lexical only, and says so."""


class IndexUnavailable(ArticuladoError):
    """The vector index cannot be reached or opened."""


class IndexHeld(IndexUnavailable):
    """Another process has the index open, and keeps it in step with the database."""


class IndexMismatch(IndexUnavailable):
    """The index was built with another embedding model, dimension or chunker: it must be rebuilt."""


class StorageError(ArticuladoError):
    """The database refused a request or could not be reached."""


class StorageUnavailable(StorageError):
    """The database is out of reach or full now: a later attempt may work."""


class DeliveryFailed(ArticuladoError):
    """A mail was not taken; a later attempt may work."""


class TooManyWaiting(ArticuladoError):
    """Too much work of this person, or of everybody, waits already: a later attempt may be taken."""

    seconds = 10

    def __init__(self) -> None:
        super().__init__("Ya hay demasiado trabajo en espera: repítalo dentro de unos segundos.")


class NotFound(ArticuladoError):
    """The norm, conversation or message does not exist."""


class Forbidden(ArticuladoError):
    """The user has no permission for this action."""
