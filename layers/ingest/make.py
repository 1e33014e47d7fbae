"""The story of one import: read → map → move and mend → merge → cover → cut small → write. Pure but for files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from layers.assess import ASSESS
from layers.catalog import load_specs
from layers.frames import write_frame
from layers.geoparquet import Columns, write_columns
from layers.ingest.account import finished, part_of
from layers.ingest.choice import choose, the_only
from layers.ingest.columns import check_mapping, map_columns
from layers.ingest.coverage import Coverage, Places, of_level3, stated
from layers.ingest.features import (
    Features,
    accuracies_ft,
    counting_for,
    dissolved,
    ids_of,
    labels_of,
    near_each_other,
    selected,
)
from layers.ingest.level3 import assess_columns, fill_town_ids, joined, town_of, without_rows
from layers.ingest.mend import mend, source_crs
from layers.ingest.plausible import check_marks, other_kinds, refuse_none_of_this_kind
from layers.ingest.remarks import (
    remark_on_age,
    remark_on_merging,
    remark_on_others,
    remark_on_reading,
    remark_on_themes,
)
from layers.ingest.request import AddRequest, Order
from layers.ingest.tables import Rows, read_rows, tables_in
from layers.ingest.work import Work
from layers.manifest import Manifest
from layers.spec import Spec
from layers.towns import load_towns
from spatial.errors import FormatRefused, ParameterRefused
from spatial.index.rings import rings
from spatial.index.subdivide import prepare
from spatial.model import EditionRef, Kind, LayerFrame, Theme, ZoneRings

_VECTOR: tuple[Kind, ...] = ("polygon", "line", "point")


def make(order: Order) -> Manifest:
    """Make an edition in ``order.into`` and return its manifest, which is written there too.

    Raises
    ------
    Refused
        The file cannot be this layer; the sentence says why and what to do.
    """
    spec = load_specs().spec(order.request.layer_id)
    places = Places(load_towns(order.data / "towns"), order.data / "layers")
    if spec.kind == "raster":
        from layers.ingest.raster import make_raster  # noqa: PLC0415 (rasterio is loaded only for a raster)

        return make_raster(order, spec, places)
    with tempfile.TemporaryDirectory() as workspace:
        work = _read(order.request, spec, Path(workspace))
        if spec.id == "parcels":
            _join(work, places)
    coverage = _covered(work, places)
    remark_on_themes(work)
    remark_on_others(work, coverage, part_of(work, coverage), places.root)
    frame = _frame(work, coverage)
    write_frame(order.into, frame)
    if work.assess_rows is not None:
        write_columns(order.into / ASSESS, Columns(work.assess_rows))
    return finished(work, frame, coverage, order.into)


def _read(request: AddRequest, spec: Spec, workspace: Path) -> Work:
    kinds = tuple(k for k in _VECTOR if k in (spec.kind, *spec.also))
    if not kinds:
        raise ParameterRefused(f"The layer '{spec.id}' is a {spec.kind}; only vector files can be added this way.")
    kinds = tuple(sorted(kinds, key=lambda k: k != spec.kind))
    check_mapping(request.mapping, spec.fields, *spec.tables.values())
    chosen = choose(tables_in(request.path, workspace), spec, request.source_layer)
    rows = read_rows(chosen.features)
    _check_count(rows, request)
    crs = source_crs(rows, request.crs)
    stranger = check_marks(rows, spec, request.mapping, load_specs())
    values, columns = map_columns(rows, spec.fields, request.mapping)
    mended = mend(rows, crs, kinds)
    features = Features(mended.geometry, {name: column[mended.rows] for name, column in values.items()})
    kept = selected(features, rows, mended.rows, spec.select)
    others = other_kinds(rows, mended.rows, spec, load_specs())
    if others and not len(kept):
        raise refuse_none_of_this_kind(spec, others)
    mended.drop(f"of another kind than this layer's: {others}", len(features) - len(kept))
    work = Work(request, spec, chosen, rows, crs, mended, kept, columns)
    if stranger:
        work.remark("looks_like_another", stranger)
    remark_on_reading(work)
    if spec.id == "parcels":
        return work
    work.features, work.merged, united = dissolved(work.features, spec.dissolve_by)
    remark_on_merging(work, united)
    return work


def _check_count(rows: Rows, request: AddRequest) -> None:
    if request.count_expected is not None and request.count_expected != len(rows):
        raise FormatRefused(
            f"The source says it has {request.count_expected:,} features, the file {len(rows):,}; fetch again.",
            code="incomplete_source",
        )


def _join(work: Work, places: Places) -> None:
    """Merge stacked lots and join the assessors' rows."""
    filled = fill_town_ids(work.features, work.rows, work.mended.rows, places.book)
    if filled:
        work.remark("town_by_name", f"The town of {filled:,} parcels was read from its name.")
    rows = assess_columns(_assess_table(work), work.rows, work.spec, work.request.mapping)
    _drop_without_loc_id(work)
    work.features, work.merged, united = dissolved(work.features, "loc_id")
    remark_on_merging(work, united)
    if rows is None:
        work.features = without_rows(work.features)
        work.remark("no_assess", "The file has no assessors' rows; addresses, sizes and owners are unknown.")
        return
    result = joined(work.features, rows)
    work.features, work.assess, work.assess_rows = result.features, result.count, result.rows
    work.published = f"FY{result.fiscal_year}" if result.fiscal_year else None
    remark_on_age(work, result.fiscal_year, work.request.on)


def _assess_table(work: Work) -> Rows | None:
    """Return the assessors' own table: in the file, or in a file of its own."""
    if work.request.assess is None:
        return read_rows(work.chosen.assess) if work.chosen.assess is not None else None
    with tempfile.TemporaryDirectory() as workspace:
        return read_rows(the_only(tables_in(work.request.assess, Path(workspace)), "the assessors' rows"))


def _drop_without_loc_id(work: Work) -> None:
    known = np.array([v is not None for v in work.features.values["loc_id"].tolist()], dtype=bool)
    if not known.all():
        work.mended.drop("polygon without LOC_ID", int((~known).sum()))
        work.features = work.features.taken(np.flatnonzero(known))


def _covered(work: Work, places: Places) -> Coverage:
    """Return the ground answered for; raises ``ParameterRefused`` when nobody said it."""
    name = Path(work.request.name or work.request.path.name).stem
    if work.request.covers is not None:
        return stated(work.request.covers, work.features, places, name)
    if work.chosen.level3:
        return of_level3(work.features, town_of(work.features, places.book), places)
    if work.spec.covers is not None and len(work.features):
        found = stated(work.spec.covers, work.features, places, name)
        return Coverage(found.area, "state", f"{found.how}, as the specification of the layer says")
    raise ParameterRefused(
        f"Nothing says what ground this '{work.spec.id}' file covers; give --covers FILE, town:NAME, state or "
        "bounds.",
        layer=work.spec.id,
    )


def _frame(work: Work, coverage: Coverage) -> LayerFrame:
    work.features = near_each_other(work.features)
    ids = ids_of(work.features, work.spec)
    made = prepare(work.features.geometry, work.mended.kind)
    return LayerFrame(
        ref=EditionRef(
            work.spec.id, coverage.part, "", work.spec.title, "", work.spec.accuracy_ft, work.spec.complete
        ),
        kind=work.mended.kind,
        ids=ids,
        labels=labels_of(work.features, ids, work.spec),
        accuracy_ft=accuracies_ft(work.features, work.spec),
        attributes=work.features.values,
        geometry=work.features.geometry,
        pieces=made.pieces,
        edges=made.edges,
        coverage=coverage.area,
        zones={t.theme: _rings(work, t, coverage) for t in work.spec.questions() if t.bands_ft},
    )


def _rings(work: Work, theme: Theme, coverage: Coverage) -> ZoneRings:
    """Return the rings of the features that count for a theme."""
    counts = counting_for(work.features, theme)
    return rings(work.features.geometry[counts], theme.bands_ft, window=coverage.area)
