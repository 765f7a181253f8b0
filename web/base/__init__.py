"""Table of addresses with their permissions, and the addresses of the service."""
