"""From files to chunks: loaders (one a format), then `chunk`."""
