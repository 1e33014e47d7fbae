"""Report: the layers library for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.console import RenderableType

from app.reports.dated import dated
from app.reports.page import entry, heading, pairs, paragraph, render
from app.reports.words import counted, number
from app.schemas.layer import Edition, Layer, Layers
from layers.editions import Withdrawn
from layers.manifest import Manifest
from layers.verify import Check

STATES = {
    "ready": "Ready",
    "stale": "Stale: past their refresh date",
    "empty": "Loaded, with no features",
    "failed": "Failed: cannot be opened",
    "missing": "Not loaded: findings on these say not_checked",
}


def layers_text(told: Layers, *, on: date | None = None, width: int | None = None, colour: bool = False) -> str:
    """Return every layer under its state, with its editions, their day (how long before ``on``) and ground."""
    return render(_states(told, on), width=width, colour=colour)


def _states(told: Layers, on: date | None) -> Iterator[RenderableType]:
    for state, words in STATES.items():
        here = [layer for layer in told.layers if layer.state == state]
        if here:
            yield heading(words)
        for layer in here:
            why = layer.why if state != "missing" else None
            yield entry(f"{layer.id}: {layer.title}", why or "", *_editions(layer, on), style="")


def _editions(layer: Layer, on: date | None) -> Iterator[str]:
    for edition in layer.editions:
        yield _edition(edition, on)
    for one in layer.withdrawn:
        yield f"{one.part}: withdrawn, nothing of it is in force; {way_back(layer.id, one.part, one.edition)}"


def way_back(layer_id: str, part: str, edition: str) -> str:
    """Return how a part that was withdrawn comes into force again."""
    if not edition:
        return f"what is kept of it: metes layers editions {layer_id}"
    return f"back: metes layers rollback {layer_id} {part}/{edition}"


def _edition(edition: Edition, on: date | None) -> str:
    told = [
        f"{edition.part}: edition {edition.edition}",
        counted(edition.count_kept, "cell with data", "cells with data")
        if edition.cells
        else counted(edition.count_kept, "feature"),
        *dated(edition.published, edition.retrieved, edition.source_url, on=on),
        f"answers for {number(edition.covers_acres)} acres ({edition.covers})",
        "invented" if edition.invented else "",
    ]
    return ", ".join(part for part in told if part)


def withdrawn_text(
    layer_id: str,
    taken: Withdrawn,
    left: Sequence[Manifest],
    *,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Return what is no longer in force, what that means, and how it comes back."""
    return render(_withdrawn(layer_id, taken, left), width=width, colour=colour)


def _withdrawn(layer_id: str, taken: Withdrawn, left: Sequence[Manifest]) -> Iterator[RenderableType]:
    parts = ", ".join(held.part for held in left)
    yield entry(
        f"{layer_id} ({taken.part}): {f'edition {taken.edition}' if taken.edition else 'its edition'} is withdrawn",
        f"Still in force: {parts}. What else lay on its ground is unknown from now on."
        if parts
        else f"Nothing of {layer_id} is in force: what is asked of it is not checked from now on.",
        f"Nothing is deleted, and kept answers still name it; {way_back(layer_id, taken.part, taken.edition)}",
        "Which kept answers change: metes rescreen",
    )


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
