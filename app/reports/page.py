"""A page of text for a terminal: headings, hanging lines and numbered steps, wrapped to any width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.reports.words import printable

PIPED_WIDTH = 100
NARROWEST = 40


def render(parts: Iterable[RenderableType], *, width: int | None, colour: bool) -> str:
    """Return the parts as text; without ``colour`` it holds no escape codes, and never a line beyond ``width``."""
    console = Console(
        file=StringIO(),
        width=max(width or PIPED_WIDTH, NARROWEST),
        force_terminal=colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
        emoji=False,
        markup=False,
        highlight=False,
    )
    console.print(Group(*parts))
    written = console.file
    assert isinstance(written, StringIO)  # noqa: S101 (the console keeps the file it was given)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def plain(text: str, style: str = "") -> Text:
    """Return a text in which nothing is markup and nothing steers the terminal."""
    return Text("\n".join(printable(line) for line in text.split("\n")), style=style, overflow="fold")


def heading(text: str) -> RenderableType:
    """Return a heading with a blank line before it."""
    return Padding(plain(text.upper(), "bold"), (1, 0, 0, 0))


def paragraph(text: str, style: str = "") -> RenderableType:
    """Return an indented paragraph."""
    return Padding(plain(text, style), (0, 0, 0, 2))


def entry(title: str, *lines: str, style: str = "bold") -> RenderableType:
    """Return a title with hanging lines under it; empty lines are left out."""
    told = [Padding(plain(line), (0, 0, 0, 4)) for line in lines if line]
    return Group(Padding(plain(title, style), (0, 0, 0, 2)), *told)


def pairs(rows: Iterable[tuple[str, str]]) -> RenderableType:
    """Return names and what they are, in two columns that wrap on their own."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", max_width=24)
    grid.add_column(overflow="fold")
    for name, value in rows:
        if value:
            grid.add_row(plain(name), plain(value))
    return Padding(grid, (0, 0, 0, 2))


def steps(texts: Iterable[str]) -> RenderableType:
    """Return numbered steps."""
    return pairs((f"{place}.", text) for place, text in enumerate(texts, 1))


def bullets(texts: Iterable[str]) -> Iterator[RenderableType]:
    """Return one line a text, each marked."""
    for text in texts:
        yield pairs([("-", text)])
