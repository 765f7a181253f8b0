"""Replies as servers really send them, each with what the caller gets; see test_openai_odd_replies.py."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.errors import (
    ModelBusy,
    ModelContextTooSmall,
    ModelError,
    ModelKeyRejected,
    ModelRegionRefused,
    ModelUnavailable,
    ModelUnpaid,
)
from tests.model_replies import Reply, Request, fails, says

ANSWER = '{"answer": "Treinta días [C1], es decir, < 31."}'
HALF = ANSWER[:20]
THOUGHT = 'BORRADOR: ¿[0, 2]? No: {"answer": "BORRADOR"} y luego <b>\n'
# A whole reply or a stream, by either API.
CHAT, CHAT_STREAM, RESPONSES, RESPONSES_STREAM = "chat", "chat stream", "responses", "responses stream"
WHOLE, STREAM = (CHAT, RESPONSES), (CHAT_STREAM, RESPONSES_STREAM)
EVERY = (*WHOLE, *STREAM)
BY_CHAT = (CHAT, CHAT_STREAM)
DONE = "data: [DONE]"


@dataclass(frozen=True)
class Row:
    """Replies in order, and what the caller gets: the answer (`error` is None), or an error and its words.

    `lacks` are the keys of the last request's body that must be left out.
    """

    name: str
    replies: tuple[Any, ...]
    modes: tuple[str, ...] = EVERY
    error: type[ModelError] | None = None
    told: str = ""
    requests: int = 1
    lacks: tuple[str, ...] = ()


def letters(text: str) -> Reply:
    return says(text, pieces=tuple(text))


def event(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def message(finish: str | None = "stop", **said: Any) -> Callable[[Request], Reply]:
    """A message of Chat Completions, whole or as the only delta of a stream."""

    def reply(request: Request) -> Reply:
        if request.body.get("stream"):
            return Reply(events=(event(role="assistant", content=""), event(**said), event(finish), DONE))
        return Reply(body={"choices": [{"message": {"role": "assistant", **said}, "finish_reason": finish}]})

    return reply


def refuses(key: str, refusal: Reply, *more: tuple[str, Reply]) -> Callable[[Request], Reply]:
    """An endpoint that refuses requests with some keys, each with its own reply."""

    def reply(request: Request) -> Reply:
        known = ((key, refusal), *more)
        return next((one for name, one in known if name in request.body), says(ANSWER))

    return reply


def within(error: Any) -> Callable[[Request], Reply]:
    """An error with status 200: as the whole body, or as an event of the stream."""
    return lambda request: (
        Reply(events=({"error": error}, DONE)) if request.body.get("stream") else Reply(body={"error": error})
    )


def text(part: str) -> dict[str, Any]:
    return {"type": "text", "text": part}


THINKING = {"type": "thinking", "thinking": [text(THOUGHT)]}
TOOL = [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
HARMONY = f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final"
TO_VERIFY = fails(
    400, "Your organization must be verified to stream this model.", param="stream", code="unsupported_value"
)
RESPONSE = {
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": ANSWER}]}],
}
BARE = Reply(status=400, body="")
LM_STUDIO = (
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with "
    "context length of only 4096 tokens, which is not enough."
)
ONLY_THOUGHT = "solo pensó"
BUSY_LATER = fails(429, retry_after="60")

THINKS = [
    Row(f"thinking in {opening}", (letters(f"\n{opening}\n{THOUGHT}{closing}\n\n{ANSWER}"),))
    for opening, closing in (
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|channel>thought", "<channel|>"),
    )
]
ROWS = [
    *THINKS,
    Row("thinking in whole words", (says(f"<think>{THOUGHT}</think>{ANSWER}"),)),
    Row("no thinking in its marks (Qwen 3, /no_think)", (says(f"<think>\n\n</think>\n\n{ANSWER}"),)),
    Row("thinking after the answer", (letters(f"{ANSWER}<think>{THOUGHT}"),)),
    Row("only the closing tag (DeepSeek R1, template)", (letters(f"{THOUGHT}</think>\n\n{ANSWER}"),), WHOLE),
    Row("channels (gpt-oss, Ollama)", (letters(f"{HARMONY}<|message|>{ANSWER}<|return|>"),)),
    Row("a constrained channel", (letters(f"{HARMONY} <|constrain|>JSON<|message|>{ANSWER}"),)),
    Row("channels without marks (MLX)", (letters(f"analysis{THOUGHT}assistantfinal{ANSWER}"),), WHOLE),
    Row("thinking without an end", (letters(f"<think>{THOUGHT}"),), EVERY, ModelError, ONLY_THOUGHT),
    Row("thinking cut", (says(f"<think>{THOUGHT}", finish="length"),), EVERY, ModelError, ONLY_THOUGHT),
    Row("only analysis", (letters(HARMONY.partition("<|end|>")[0]),), EVERY, ModelError, ONLY_THOUGHT),
    Row("reasoning apart (vLLM)", (message(reasoning_content=THOUGHT, content=ANSWER),), BY_CHAT),
    Row(
        "reasoning alone, empty (vLLM#17349)",
        (message(reasoning_content=THOUGHT, content=""),),
        BY_CHAT,
        ModelError,
        ONLY_THOUGHT,
    ),
    Row(
        "reasoning alone, null (Ollama)",
        (message(reasoning=THOUGHT, content=None),),
        BY_CHAT,
        ModelError,
        ONLY_THOUGHT,
    ),
    Row(
        "reasoning alone, cut (LM Studio)",
        (message("length", reasoning_content=THOUGHT, content=""),),
        BY_CHAT,
        ModelError,
        ONLY_THOUGHT,
    ),
    Row(
        "reasoning alone (Responses)",
        (Reply(body={"status": "completed", "output": [{"type": "reasoning", "summary": []}]}),),
        (RESPONSES, RESPONSES_STREAM),
        ModelError,
        ONLY_THOUGHT,
    ),
    Row("a list of parts", (message(content=[text(ANSWER[:9]), text(ANSWER[9:])]),), BY_CHAT),
    Row("thinking parts (Mistral)", (message(content=[THINKING, text(ANSWER)]),), BY_CHAT),
    Row("thinking parts alone", (message(content=[THINKING]),), BY_CHAT, ModelError, ONLY_THOUGHT),
    Row("calls beside the content", (message("tool_calls", content=ANSWER, tool_calls=TOOL),), BY_CHAT),
    Row(
        "calls and no content",
        (message("tool_calls", content=None, tool_calls=TOOL),),
        BY_CHAT,
        ModelError,
        "vacía",
    ),
    Row("null", (message(content=None),), BY_CHAT, ModelError, "vacía"),
    Row("no finish_reason", (says(ANSWER, finish=None),), STREAM),
    Row("no finish_reason, no [DONE]", (Reply(events=(event(content=ANSWER),)),), (CHAT_STREAM,)),
    Row("half, no finish_reason", (says(HALF, finish=None),), STREAM, ModelError, "a medias"),
    Row(
        "dropped after the object",
        (says(ANSWER + " fin", cut_after=8),),
        (CHAT_STREAM,),
    ),
    Row("stream ignored", (Reply(body={"choices": [{"message": {"content": ANSWER}}]}),), (CHAT_STREAM,)),
    Row("stream ignored (Responses)", (Reply(body=RESPONSE),), (RESPONSES_STREAM,)),
    Row(
        "comments, usage and empty choices (OpenRouter)",
        (
            Reply(
                events=(
                    ": OPENROUTER PROCESSING",
                    {"choices": []},
                    event(content=ANSWER),
                    ": keep-alive",
                    {"choices": None, "usage": {"prompt_tokens": 3, "completion_tokens": None}},
                    event("eos"),
                    DONE,
                )
            ),
        ),
        (CHAT_STREAM,),
    ),
    *(
        Row(f"refused: {key}", (refuses(key, refusal),), modes, requests=2, lacks=lacks)
        for key, refusal, modes, lacks in (
            ("stream", TO_VERIFY, STREAM, ("stream", "stream_options")),
            ("response_format", BARE, BY_CHAT, ("response_format",)),
            ("text", BARE, (RESPONSES, RESPONSES_STREAM), ("text",)),
            ("response_format", fails(500, "failed to parse grammar"), BY_CHAT, ("response_format",)),
            ("reasoning_effort", fails(400, "Unknown: 'reasoning_effort'"), BY_CHAT, ("reasoning_effort",)),
            ("reasoning", fails(400, param="reasoning.effort"), (RESPONSES,), ("reasoning",)),
        )
    ),
    Row(
        "stream_options, then stream, then the format",
        (
            refuses(
                "stream_options",
                fails(422, "extra fields not permitted: stream_options"),
                ("stream", fails(400, "streaming is not supported")),
                ("response_format", fails(400, "This response_format type is unavailable now")),
            ),
        ),
        (CHAT_STREAM,),
        requests=4,
        lacks=("stream_options", "stream", "response_format"),
    ),
    Row("no balance (DeepSeek)", (fails(402, "Insufficient Balance"),), EVERY, ModelUnpaid, "saldo"),
    Row("402 without words", (Reply(status=402, body=""),), EVERY, ModelUnpaid, "saldo"),
    Row(
        "a country",
        (fails(403, code="unsupported_country_region_territory"),),
        EVERY,
        ModelRegionRefused,
        "el país o la región",
    ),
    Row("403", (fails(403),), EVERY, ModelKeyRejected, "clave"),
    Row("529", (fails(529),), EVERY, ModelUnavailable, "529", requests=3),
    Row("Retry-After of a minute", (BUSY_LATER,), EVERY, ModelBusy, "429"),
    Row(
        "200 with an error that may pass (OpenRouter)",
        (within({"code": 502, "message": "Provider returned error"}), says(ANSWER)),
        requests=2,
    ),
    Row("200 with an error without a code", (within({"message": "no"}), says(ANSWER)), requests=2),
    Row("200 with a busy provider", (within({"code": 429}),), EVERY, ModelBusy, "429", requests=3),
    Row("200 without credits", (within({"code": 402}),), EVERY, ModelUnpaid, "saldo"),
    Row(
        "an error as the choice (OpenRouter)",
        (message("error", content="", error=None), says(ANSWER)),
        BY_CHAT,
        requests=2,
    ),
    Row(
        "no credits, told by the choice",
        (Reply(body={"choices": [{"error": {"code": 402}, "message": {"content": ""}}]}),),
        BY_CHAT,
        ModelUnpaid,
        "saldo",
    ),
    Row(
        "finish_reason error after text",
        (message("error", content=HALF),),
        STREAM[:1],
        ModelError,
        "a medias",
    ),
    Row(
        "a path that is none (LM Studio)",
        (within("Unexpected endpoint or method. (POST /v1/v1/chat/completions)"),),
        EVERY,
        ModelError,
        "READER_BASE_URL, que suele acabar en /v1",
    ),
    Row("a page", (Reply(body="<html>Bienvenido</html>"),), EVERY, ModelError, "no es JSON"),
    Row(
        "another form",
        (Reply(body={"choices": []}),),
        WHOLE,
        ModelError,
        "una forma que este programa no conoce",
    ),
    *(
        Row(f"context: {name}", (refusal,), EVERY, ModelContextTooSmall, "CONTEXT_TOKENS")
        for name, refusal in (
            ("OpenAI", fails(400, code="context_length_exceeded")),
            ("vLLM", fails(400, "This model's maximum context length is 4096 tokens. However…", code=400)),
            ("vLLM, model length", fails(400, "longer than the maximum model length of 4096")),
            ("llama.cpp", fails(400, "the request exceeds…", type="exceed_context_size_error", n_ctx=4096)),
            ("llama.cpp, 500", fails(500, "the request exceeds the available context size")),
            ("LM Studio", fails(400, LM_STUDIO)),
            ("LM Studio in a stream", within({"message": LM_STUDIO})),
            ("LM Studio, text", Reply(status=400, body={"error": LM_STUDIO})),
            ("Ollama", fails(400, "the input length exceeds the context length")),
            ("413", Reply(status=413, body="")),
        )
    ),
]
