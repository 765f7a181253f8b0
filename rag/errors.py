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
    """A model endpoint failed after its retries; the stage degrades to its deterministic version."""


class ModelTimeout(ModelError):
    """The model did not answer within the stage's time."""


class ModelRejected(ModelError):
    """The endpoint refused the request (bad key, unknown model, bad request): retrying is pointless."""


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
    """A mail or webhook was not taken; a later attempt may work."""


class NotFound(ArticuladoError):
    """The norm, conversation or message does not exist."""


class Forbidden(ArticuladoError):
    """The user has no permission for this action."""
