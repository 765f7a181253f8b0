"""The MCP server: the documents of `service.contract` as tools and resources of an assistant."""
