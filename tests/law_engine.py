"""The same law cases asked of the whole engine: feet become metres in EPSG:26986, layers become editions."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from law_cases import TOWNS, work_shape
from shapely.geometry.base import BaseGeometry

from layers.catalog import load_specs
from layers.spec import Spec
from spatial.case import NearbySite
from spatial.index import LayerStack
from spatial.index.subdivide import prepare
from spatial.model import EditionRef, LayerFrame, SiteFeature, Submission
from spatial.question import Question
from spatial.rules.book import LawBook
from spatial.rules.determination import Screening
from spatial.screen import screen
from spatial.units import FOOT_M

ORIGIN = (230_000.0, 900_000.0)
WINDOW_FT = (-8_000.0, -8_000.0, 8_000.0, 8_000.0)
PARCEL_COLUMNS = ("map_par_id", "town_id", "poly_type", "site_address", "lot_size_sqft", "use_code", "zoning")
MEASURED_ELSEWHERE = ("watersheds", "downstream")
"""What a case gives as already measured, so that it cannot be asked of the engine."""


def screened(given: dict[str, Any], law: LawBook) -> Screening:
    """The engine's whole answer to a case."""
    town = TOWNS[given.get("town", "dover")]
    work = [
        SiteFeature(str(n), placed(work_shape(w)), {}, activity=w.get("activity"))
        for n, w in enumerate(given.get("work", []))
    ]
    flagged = [
        SiteFeature(f"flag {n}", placed(work_shape(d)), {"by": "B. Reed", "on": "2026-04-01"}, role="delineation")
        for n, d in enumerate(given.get("delineations", []))
    ]
    facts = law.check_facts(given.get("facts", {}))
    question = Question(
        submission=Submission(
            (*work, *flagged),
            shapely.union_all([f.geometry for f in work]),
            tree_points=given.get("tree_points", 0),
        ),
        loc_ids=(),
        town=town,
        facts=facts,
        on=date.fromisoformat(given.get("on", "2026-06-01")),
        towns={t.id: t for t in TOWNS.values()},
        nearby=tuple(NearbySite(**n) for n in given.get("nearby", [])),
        work_accuracy_ft=facts.number("work_accuracy_ft") or 0.0,
    )
    return screen(question, stack(given), law)


def stack(given: dict[str, Any]) -> LayerStack:
    """The layers of a case: those it draws, every other one empty, none that it says is missing."""
    catalog = load_specs()
    vectors = [s for s in catalog.specs.values() if s.kind in {"polygon", "line", "point"} and s.themes]
    missing = {*given.get("without", []), *(s.id for s in catalog.specs.values() if s.kind == "raster")}
    missing |= {theme.layer_id for theme in catalog.themes if theme.share}
    frames = [_layer(spec, given) for spec in vectors if spec.id not in missing]
    return LayerStack.build([_parcels(given), *frames], catalog.themes, dict.fromkeys(missing, "none in this case"))


@lru_cache(maxsize=4)
def _window(coverage: str) -> BaseGeometry:
    west, south, east, north = WINDOW_FT
    return placed(shapely.box(west, south, 10.0 if coverage == "partial" else east, north))


def placed(shape: BaseGeometry) -> BaseGeometry:
    """A drawing in feet as ground in EPSG:26986."""
    return shapely.transform(shape, lambda xy: xy * FOOT_M + np.asarray(ORIGIN))


def _layer(spec: Spec, given: dict[str, Any]) -> LayerFrame:
    layer = next((x for x in given.get("layers", []) if x["layer"] == spec.id), {})
    shapes = [shapely.box(*b) for b in layer.get("boxes", [])]
    shapes += [shapely.LineString(line) for line in layer.get("lines", [])]
    shapes += [shapely.Point(p) for p in layer.get("points", [])]
    count = len(shapes)
    drawn = layer.get("attributes", {})
    columns = {name: [drawn.get(name, _assumed(spec, name))] * count for name in spec.fields}
    return _frame(spec, [placed(s) for s in shapes], columns, layer)


def _assumed(spec: Spec, name: str) -> str | None:
    """An unfilled column as an import would leave it."""
    return spec.fields[name].otherwise


def _parcels(given: dict[str, Any]) -> LayerFrame:
    lots = given.get("lots", [])
    town = TOWNS[given.get("town", "dover")]
    plain = {"town_id": town.id, "poly_type": "FEE"}
    named = [plain | {"lot_size_sqft": lot.get("assessed_sqft")} | lot for lot in lots]
    columns = {name: [lot.get(name) for lot in named] for name in PARCEL_COLUMNS}
    shapes = [placed(work_shape(lot)) for lot in lots]
    return _frame(load_specs().spec("parcels"), shapes, columns, {}, ids=[lot["id"] for lot in lots])


def _frame(
    spec: Spec, shapes: list[BaseGeometry], columns: dict[str, list[Any]], layer: dict[str, Any], ids: Any = None
) -> LayerFrame:
    geometry = _column(shapes)
    made = prepare(geometry, spec.kind)
    names = _column(ids or [f"feature {n}" for n in range(len(shapes))])
    accuracy = layer.get("accuracy_ft", spec.accuracy_ft)
    ref = EditionRef(spec.id, "state", "2026-01", spec.title, "0" * 64, accuracy, spec.complete)
    return LayerFrame(
        ref=ref,
        kind=spec.kind,
        ids=names,
        labels=names,
        accuracy_ft=np.full(len(shapes), accuracy),
        attributes={name: _column(values) for name, values in columns.items()},
        geometry=geometry,
        pieces=made.pieces,
        edges=made.edges,
        coverage=_window(layer.get("coverage", "full")),
    )


def _column(values: list[Any]) -> np.ndarray:
    held = np.empty(len(values), dtype=object)
    held[:] = values
    return held
