"""The six document tools of agent and inspector: XML or function calls in, results and text out."""

from rag.tools.contract import TOOLS, Toolbox, prompt_text
from rag.tools.documents import Library
from rag.tools.texts import render
from rag.tools.types import NativeCall, SearchResult, ToolFailure, ToolOutcome

__all__ = [
    "TOOLS",
    "Library",
    "NativeCall",
    "SearchResult",
    "ToolFailure",
    "ToolOutcome",
    "Toolbox",
    "prompt_text",
    "render",
]
