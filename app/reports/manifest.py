"""Report: what became of a file that was added to the library, and whether the library is whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.reports.page import entry, pairs, render
from app.reports.words import counted, number, quantity
from layers.manifest import Column, GridNote, Manifest
from spatial.units import SQFT_PER_ACRE

UNSEEN_SQFT = 0.01
CRS_SAID = {"file": "said by the file", "declared": "declared by you", "format": "fixed by the format"}


def manifest_text(
    manifest: Manifest,
    *,
    before: Manifest | None = None,
    beside: bool = False,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Return an honest account of an edition: what came, what was kept, what was changed, what it answers for.

    ``before`` is the edition of the same part that was in force, so that a file loaded over another is seen;
    ``beside``: other parts are in force too, so that one loaded beside them by mistake can be taken back.
    """
    return render(_page(manifest, before, beside=beside), width=width, colour=colour)


def _page(manifest: Manifest, before: Manifest | None, *, beside: bool) -> Iterator[RenderableType]:
    yield entry(f"{manifest.layer_id} ({manifest.part}): edition {manifest.edition} is in force")
    yield pairs((*_rows(manifest), *_replaced(manifest, before), *_taken_back(manifest, before, beside=beside)))


def _taken_back(manifest: Manifest, before: Manifest | None, *, beside: bool) -> Iterator[tuple[str, str]]:
    """Yield how a part that is new beside others is taken out of force again: no older edition makes way for it."""
    if before is None and beside:
        yield "If not meant", f"metes layers withdraw {manifest.layer_id} {manifest.part}"


def _replaced(manifest: Manifest, before: Manifest | None) -> Iterator[tuple[str, str]]:
    if before is None or before.edition == manifest.edition:
        return
    held = counted(before.count_kept, "cell" if before.grid else "feature")
    back = f"metes layers rollback {before.layer_id} {before.part}/{before.edition}"
    yield "In place of", f"{before.edition}, {before.source.name}, {held}, which answers no longer; back: {back}"


def _rows(manifest: Manifest) -> Iterator[tuple[str, str]]:
    source = manifest.source
    yield "File", f"{source.name}, {source.driver}, layer {source.layer}, sha256 {source.sha256[:16]}"
    yield "System", f"{manifest.crs_in} ({CRS_SAID[manifest.crs_source]}), now {manifest.crs}"
    yield ("Cells" if manifest.grid else "Features"), _features(manifest)
    for dropped in manifest.dropped:
        yield "Not kept", f"{counted(dropped.count, 'cell' if manifest.grid else 'feature')}: {dropped.reason}"
    if manifest.grid:
        yield "Grid", _grid(manifest.grid)
    for mended in manifest.repaired:
        yield "Repaired", _mended(mended.reason, mended.count, mended.area_change_sqft, mended.largest_change_sqft)
    yield "Columns", _columns(manifest.columns)
    for column in manifest.columns:
        if column.unlisted:
            yield "Unknown values", f"{column.name}: {_values(column)}"
    yield "Tax list", _assess(manifest)
    yield "Answers for", _coverage(manifest)
    for remark in manifest.remarks:
        yield "Note", remark.message


def _grid(grid: GridNote) -> str:
    size = f"{grid.width:,} by {grid.height:,} cells of {number(grid.cell_ft)} ft"
    if not grid.classes:
        return f"{size}, heights from {grid.least:g} to {grid.most:g} {grid.unit}"
    counting = sum(grid.values.get(str(value), 0) for value in grid.classes)
    return f"{size}; class {' and '.join(map(str, grid.classes))} counts, {counted(counting, 'cell')} of it"


def _features(manifest: Manifest) -> str:
    merged = f"; {counted(manifest.merged, 'stacked copy', 'stacked copies')} merged" if manifest.merged else ""
    asked = f"; the source says {manifest.count_expected:,}" if manifest.count_expected is not None else ""
    return f"{manifest.count_in:,} in, {manifest.count_kept:,} kept{merged}{asked}"


def _mended(reason: str, count: int, change_sqft: float, largest_sqft: float) -> str:
    if max(abs(change_sqft), abs(largest_sqft)) < UNSEEN_SQFT:
        return f"{counted(count, 'feature')}: {reason}; areas stayed the same to {UNSEEN_SQFT:g} sq ft"
    sign = "+" if change_sqft > 0 else ""
    changed = (
        f"area changed by {sign}{quantity(change_sqft, 'sqft')} in all, {quantity(largest_sqft, 'sqft')} at most"
    )
    return f"{counted(count, 'feature')}: {reason}; {changed}"


def _columns(columns: Iterable[Column]) -> str:
    held = [c for c in columns if c.read_from]
    missing = [c.name for c in columns if not c.read_from]
    told = ", ".join(f"{c.name} from {c.read_from}{_empty(c)}" for c in held)
    lacking = f"not in the file: {', '.join(missing)}" if missing else ""
    return "; ".join(part for part in (told, lacking) if part)


def _empty(column: Column) -> str:
    return f" ({column.empty:,} empty)" if column.empty else ""


def _values(column: Column) -> str:
    return ", ".join(f"{value!r} {count:,} times" for value, count in column.unlisted.items())


def _assess(manifest: Manifest) -> str:
    tax = manifest.assess
    if tax is None:
        return ""
    told = [
        f"{counted(tax.rows, 'row')}, {tax.matched:,} on a parcel",
        f"{tax.unmatched:,} on none (kept)" if tax.unmatched else "",
        f"{tax.without_loc_id:,} without a LOC_ID" if tax.without_loc_id else "",
        f"{counted(tax.parcels_without_row, 'parcel')} without a row" if tax.parcels_without_row else "",
        f"{counted(tax.repeated_prop_ids, 'PROP_ID')} met more than once" if tax.repeated_prop_ids else "",
        f"{counted(tax.lot_sizes_refused, 'lot size')} not believed" if tax.lot_sizes_refused else "",
    ]
    return "; ".join(part for part in told if part)


def _coverage(manifest: Manifest) -> str:
    covers = manifest.coverage
    return f"{number(covers.area_sqft / SQFT_PER_ACRE)} acres ({covers.how}); good to {manifest.accuracy_ft:g} ft"
