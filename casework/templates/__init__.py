"""Templates of briefs («modelos de escrito»): data files that a firm edits, filled in with facts."""
