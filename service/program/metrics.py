"""Measurements of this process, in Prometheus's terms. Labels are few and never hold a person or a text."""

import logging
from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from rag.run.runs import Run
from rag.shared.trace import Trace

logger = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
REQUEST_BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10)
ANSWER_BUCKETS = (0.1, 0.3, 1, 2, 4, 8, 15, 30, 60, 120)
STAGE_BUCKETS = (0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60)


class Metrics:
    """Counters of one process, and gauges read when they are asked for."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        counter = partial(Counter, namespace="articulado", registry=self.registry)
        times = partial(Histogram, namespace="articulado", registry=self.registry)
        self.requests = counter("http_requests", "HTTP requests", ("method", "area", "status"))
        self.seconds = times(
            "http_request_seconds", "Time to answer an HTTP request", ("area",), buckets=REQUEST_BUCKETS
        )
        self.websockets = Gauge("articulado_websockets", "Open pages", registry=self.registry)
        self.answers = counter("answers", "Answers by how they ended", ("state", "mode", "refusal"))
        self.answer_seconds = times(
            "answer_seconds", "Time of a whole answer", ("mode",), buckets=ANSWER_BUCKETS
        )
        self.stage_seconds = times(
            "stage_seconds", "Time of a stage of an answer", ("stage",), buckets=STAGE_BUCKETS
        )
        text = "Stages done by rules because their model failed"
        self.fallbacks = counter("stage_fallbacks", text, ("stage",))
        self.tokens = counter("model_tokens", "Tokens", ("role", "model", "direction"))

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        """A value that is read when somebody asks for the measurements; NaN when it cannot be read."""

        def value() -> float:
            try:
                return read()
            except Exception:
                logger.warning("the measurement %s cannot be read", name, exc_info=True)
                return float("nan")

        Gauge(f"articulado_{name}", text, registry=self.registry).set_function(value)

    def answer(self, run: Run, trace: Trace | None) -> None:
        calls = [call for stage in trace.records for call in stage.calls] if trace else []
        mode = "model" if any(call.role != "embeddings" for call in calls) else "offline"
        refused = any(getattr(stage, "refused", False) for stage in trace.records) if trace else False
        self.answers.labels(run.state.value, mode, str(refused).lower()).inc()
        if trace is None:
            return
        self.answer_seconds.labels(mode).observe(trace.elapsed_ms / 1000)
        for stage in trace.records:
            self.stage_seconds.labels(stage.name).observe(stage.elapsed_ms / 1000)
            if stage.fallback:
                self.fallbacks.labels(stage.name).inc()
        for call in calls:
            self.tokens.labels(call.role, call.model, "sent").inc(call.prompt_tokens)
            self.tokens.labels(call.role, call.model, "received").inc(call.completion_tokens)

    def text(self) -> bytes:
        return generate_latest(self.registry)
