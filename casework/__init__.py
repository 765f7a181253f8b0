"""Work on answers and papers: briefs checked, documents of expedientes, templates."""
