"""The answer in a reply's text: models that think aloud write their thinking beside it.

Servers part the two where they know the model's marks; the others pass on what the model wrote:
`<think>…</think>` and its like (DeepSeek, Qwen, Seed, Kimi, Magistral), a `</think>` alone where the template
of the prompt has opened it, or channels: Gemma's, and those of gpt-oss, whose `final` is the answer
(https://github.com/openai/harmony).
"""

import re

_TAG = r"(?:\w+:)?(?:think(?:ing)?|reason(?:ing)?|thought)"
_MARK = re.compile(
    rf"(?P<open><{_TAG}>|\[THINK\]|◁think▷|<\|channel>)"
    rf"|(?P<close></{_TAG}>|\[/THINK\]|◁/think▷|<channel\|>)"
    r"|(?P<head><\|(?:channel|start)\|>)|(?P<message><\|message\|>)|(?P<end><\|(?:end|return|call)\|>)",
    re.IGNORECASE,
)
_BEGUN = re.compile(r"<[/|]?[\w:|]*$|\[/?[THINK]*$|◁/?\w*$")
LONGEST = 24
"""Characters of a mark at most."""
_ASIDE = ("analysis", "commentary")
"""Channels that are no answer."""
_END = "<|end|>"
_BARE_FINAL = "assistantfinal"
"""The head of gpt-oss's answer, where the server has taken away the marks alone."""
_CLOSES = {"<|channel>": "<channel|>"}


class Spoken:
    """The answer of one reply, piece by piece, without the blanks before it.

    Attributes:
        thought: the reply has thinking in it.
        unopened: its thinking ended with a mark that nothing opened: what came before was no answer.
    """

    def __init__(self, *, unopened: bool = False) -> None:
        """With `unopened`, the reply is expected to begin with thinking: nothing is shown until its end."""
        self.thought = False
        self.unopened = False
        self._waits = unopened
        self._said: list[str] = []
        self._held = ""
        self._head: str | None = None
        self._until = ""

    @property
    def text(self) -> str:
        """The answer so far; the whole one after `end`."""
        return "".join(self._said)

    def hear(self, piece: str) -> str:
        """The part of the answer that is certain with this piece; the beginning of a mark is held back."""
        text = self._held + piece
        before, start = len(self._said), 0
        for mark in _MARK.finditer(text):
            self._say(text[start : mark.start()])
            self._turn(str(mark.lastgroup), mark[0].lower())
            start = mark.end()
            before = min(before, len(self._said))
        begun = _BEGUN.search(text, max(start, len(text) - LONGEST))
        self._held = begun[0] if begun else ""
        self._say(text[start : len(text) - len(self._held)])
        return "" if self._waits else "".join(self._said[before:])

    def end(self) -> str:
        """The rest of the answer, when the reply has ended."""
        waits, before = self._waits, len(self._said)
        self._say(self._held)
        self._held = ""
        aside, bare, answer = self.text.partition(_BARE_FINAL)
        if bare and aside.startswith(_ASIDE):
            self._answer_begins()
            self._said.append(answer)
            self.unopened, before = True, 1
        return "".join(self._said[0 if waits else before :])

    def _say(self, text: str) -> None:
        if self._head is not None:
            self._head += text
        elif not self._until:
            text = text if self._said else text.lstrip()
            self._said += [text] if text else []

    def _turn(self, kind: str, mark: str) -> None:
        """Go in or out of thinking at a mark."""
        if kind == "open" and not self._until:
            self._until = _CLOSES.get(mark, f"{mark[0]}/{mark[1:]}")
            self.thought, self._waits = True, False
        elif kind == "close" and self._until in ("", mark):
            if not self._until:
                self.unopened = True
                self._answer_begins()
            self._until = ""
        elif kind == "head" and self._until in ("", _END):
            self._head, self._until = "", ""
        elif kind == "message" and self._head is not None:
            aside, self._head = self._head.strip().lower().startswith(_ASIDE), None
            self._answer_begins()
            self._until = _END if aside else ""
        elif kind == "end" and self._until in ("", _END):
            self._until = "" if self._until else _END

    def _answer_begins(self) -> None:
        self._said.clear()
        self.thought, self._waits = True, False
