"""Personal data: found in what leaves for a model, replaced by placeholders, put back in what returns."""
