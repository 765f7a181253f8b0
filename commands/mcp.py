"""The MCP server over standard input and output: `mcp`, started by the assistant of the owner of the home."""

import argparse
import asyncio

from service.program import assembly


def mcp(program: assembly.App, _: argparse.Namespace) -> None:
    """Serve until the assistant closes its end."""
    # Other commands need not wait for the library.
    from web.mcp.home import serve

    asyncio.run(serve(program.settings))
