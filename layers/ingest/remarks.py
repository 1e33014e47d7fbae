"""Sentences for the keeper of the library: what in a new edition would otherwise go unnoticed."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path

from layers.editions import Pointer, pointers
from layers.ingest.columns import Held
from layers.ingest.coverage import Coverage
from layers.ingest.features import counting_for
from layers.ingest.work import Work
from layers.manifest import Manifest, read_manifest
from spatial.units import SQFT_PER_ACRE, sqft_from_sqm

LOSS = 0.8
"""A new edition with less than this share of the old one's features is worth a sentence."""

_OVERLAP_SQFT = 0.01 * SQFT_PER_ACRE


def remark_on_reading(work: Work) -> None:
    """Say which layers of the file were not read and which of our columns stay unknown everywhere."""
    if work.chosen.ignored:
        work.remark("other_layers", f"Not read: {', '.join(work.chosen.ignored)}.")
    for column in work.columns:
        if column.read_from is None and _unknown_everywhere(work.features.values[column.name], column.empty):
            work.remark("column_missing", f"The file has no column for '{column.name}'; it is unknown everywhere.")


def _unknown_everywhere(values: Held, empty: int) -> bool:
    return empty >= len(values) or len(set(values.tolist())) <= 1


def remark_on_merging(work: Work, united: int) -> None:
    """Say how many stacked copies became one feature."""
    if work.merged:
        key = work.spec.dissolve_by
        work.remark("merged", f"{work.merged:,} copies were merged by {key}; {united:,} merges united shapes.")


def remark_on_themes(work: Work) -> None:
    """Say when a file has features but none that a theme asks for: it would answer "not affected" everywhere."""
    for theme in work.spec.questions():
        if len(work.features) and not counting_for(work.features, theme).any():
            asked = "; ".join(f"{column} {' or '.join(words)}" for column, words in theme.where.items())
            work.remark(
                "nothing_counts",
                f"None of the {len(work.features):,} features counts for '{theme.theme}' ({asked}): it will find "
                "nothing anywhere this edition covers. Check that the file is the right one.",
            )


def remark_on_age(work: Work, fiscal_year: int | None, on: date) -> None:
    """Say when the tax list is older than last year's."""
    if fiscal_year is not None and fiscal_year < on.year - 1:
        work.remark("old_tax_list", f"The tax list is of fiscal year {fiscal_year}; lots may have changed.")


def remark_on_others(work: Work, coverage: Coverage, part: str, root: Path) -> None:
    """Say what the edition replaces when it holds much less, and which other parts answer for the same ground."""
    for pointer in pointers(root):
        if pointer.layer_id == work.spec.id and (old := _manifest(pointer)) is not None:
            if pointer.part == part:
                _on_replacing(work, old)
            elif old.kind == work.mended.kind:
                _on_overlap(work, coverage, old)


def _manifest(pointer: Pointer) -> Manifest | None:
    with suppress(OSError, ValueError):
        return read_manifest(pointer.folder)
    return None


def _on_replacing(work: Work, old: Manifest) -> None:
    new = len(work.features)
    if new < LOSS * old.count_kept:
        work.remark(
            "fewer_features",
            f"It has {new:,} features, the edition '{old.edition}' it replaces had {old.count_kept:,}.",
        )


def _on_overlap(work: Work, coverage: Coverage, old: Manifest) -> None:
    """Compare boxes only: this is a hint to look, not a measurement."""
    west, south, east, north = coverage.area.bounds
    w, s, e, n = old.coverage.bounds
    shared = max(0.0, min(east, e) - max(west, w)) * max(0.0, min(north, n) - max(south, s))
    if sqft_from_sqm(shared) > _OVERLAP_SQFT:
        work.remark(
            "overlaps_part",
            f"It stands beside the part '{old.part}' (edition '{old.edition}'), which may cover some of the same "
            "ground; both answer there.",
        )
