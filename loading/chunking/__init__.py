"""Documents cut into chunks, and the texts that each chunk is searched by."""
