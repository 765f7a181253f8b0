"""The HTTP API under /api/v1: the documents of `service.contract` for programs."""
