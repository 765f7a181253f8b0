"""Tables as Markdown rows, the first one as the header."""

from collections.abc import Iterator, Sequence


def markdown_rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Markdown of the rows that are not empty, padded to the widest; a bar inside a cell is escaped."""
    filled = [[cell.replace("|", "\\|") for cell in row] for row in rows if any(row)]
    width = max(map(len, filled), default=0)
    for index, row in enumerate(filled):
        yield f"| {' | '.join(row + [''] * (width - len(row)))} |"
        if index == 0:
            yield "|" + " --- |" * width
