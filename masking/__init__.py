"""Personal data: found in texts sent to a model, replaced by placeholders, and restored in its replies."""
