"""Facts that the result of an evaluation depends on, to explain differences between two evaluations."""

from index.points import Fingerprint
from law.corpus_store import CorpusStore
from rag.shared.state import Services


def facts(services: Services, index: Fingerprint, corpus: CorpusStore) -> dict[str, str]:
    """Mode, models, prompts, all settings, index and corpus, by name; no secrets."""
    counts = corpus.counts()
    return {
        "mode": services.mode,
        **dict(services.fingerprints()),
        "index": " · ".join(map(str, index.model_dump().values())),
        "norms": str(counts.norms),
        "chunks": str(counts.chunks),
        "pending_vectors": str(counts.pending_dense),
        "corpus": corpus.fingerprint(),
    }
