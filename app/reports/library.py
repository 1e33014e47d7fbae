"""Report: the layers library for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.reports.page import entry, heading, pairs, paragraph, render
from app.reports.words import counted
from app.schemas.layer import Edition, Layer, Layers
from layers.verify import Check

STATES = {
    "ready": "Ready",
    "stale": "Stale: past their refresh date",
    "empty": "Loaded, with no features",
    "failed": "Failed: cannot be opened",
    "missing": "Not loaded: findings on these say not_checked",
}


def layers_text(told: Layers, *, width: int | None = None, colour: bool = False) -> str:
    """Return every layer under its state, with the editions in force."""
    return render(_states(told), width=width, colour=colour)


def _states(told: Layers) -> Iterator[RenderableType]:
    for state, words in STATES.items():
        here = [layer for layer in told.layers if layer.state == state]
        if here:
            yield heading(words)
        for layer in here:
            why = layer.why if state != "missing" else None
            yield entry(f"{layer.id}: {layer.title}", why or "", *_editions(layer), style="")


def _editions(layer: Layer) -> Iterator[str]:
    for edition in layer.editions:
        yield _edition(edition)


def _edition(edition: Edition) -> str:
    told = [
        f"{edition.part}: edition {edition.edition}",
        counted(edition.count_kept, "cell with data", "cells with data")
        if edition.cells
        else counted(edition.count_kept, "feature"),
        f"fetched {edition.retrieved}",
        "invented" if edition.invented else "",
    ]
    return ", ".join(part for part in told if part)


def checks_text(checks: Iterable[Check], *, width: int | None = None, colour: bool = False) -> str:
    """Return what a check of every edition in force found; what failed comes first."""
    return render(_checks(tuple(checks)), width=width, colour=colour)


def _checks(checks: tuple[Check, ...]) -> Iterator[RenderableType]:
    failed = [check for check in checks if not check.ok]
    editions = {(check.layer_id, check.part, check.edition) for check in checks}
    told = f"{counted(len(editions), 'edition')}, {counted(len(checks), 'check')}, {len(failed)} failed"
    yield entry(told)
    yield pairs((f"{c.layer_id} ({c.part})", f"{c.name}: {c.detail}; add it again or roll back") for c in failed)
    if not checks:
        yield paragraph("Nothing is loaded yet; `metes layers add ID FILE` adds a layer.")
