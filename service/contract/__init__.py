"""The JSON documents that the command line, the HTTP API and the MCP server share, and what makes them."""
