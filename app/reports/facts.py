"""Report: the project facts, as a person reads what may be told with the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.reports.page import entry, heading, paragraph, render
from app.reports.words import UNIT_WORDS
from app.schemas.bylaw import FactTold

VALUES = {"number": "NUMBER", "text": "TEXT", "choice": "CHOICE", "flag": "yes|no", "date": "YYYY-MM-DD"}


def facts_text(facts: Iterable[FactTold], *, width: int | None = None, colour: bool = False) -> str:
    """Return each fact as it is written after ``--fact``, with what it means and who asks for it."""
    return render(_page(facts), width=width, colour=colour)


def _page(facts: Iterable[FactTold]) -> Iterator[RenderableType]:
    yield heading("Project facts")
    yield paragraph("Told with the work as --fact NAME=VALUE, over HTTP as a field of that name.")
    for fact in facts:
        yield entry(f"{fact.name}={VALUES[fact.type]}{_unit(fact)}", *_lines(fact))


def _unit(fact: FactTold) -> str:
    return f", {UNIT_WORDS.get(fact.unit, fact.unit)}" if fact.unit else ""


def _lines(fact: FactTold) -> Iterator[str]:
    yield fact.meaning
    if fact.choices:
        yield f"{'Any' if fact.several else 'One'} of {', '.join(fact.choices)}"
    if fact.example is not None:
        yield f"For example {fact.name}={fact.example}"
    if fact.default is not None:
        yield f"Taken as {fact.default} when not told"
    if fact.rules:
        yield f"Asked by {', '.join(fact.rules)}"
