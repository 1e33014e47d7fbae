"""Merge and name: stacked copies made one, each feature with id, label, accuracy; neighbours near in the file."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import geopandas
import numpy as np
import shapely
from numpy.typing import NDArray

from layers.ingest.columns import Held
from layers.ingest.tables import Rows
from layers.spec import SelectSpec, Spec
from spatial.dust import united
from spatial.model import Geometries, Theme
from spatial.units import FOOT_M

_INCH_FT = 1.0 / 12.0
_SCALE = re.compile(r"^(?:1\s*:\s*)?([\d,]{3,9})(?:\.0+)?$")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Whole features of an edition: one row each, ``values`` our columns."""

    geometry: Geometries
    values: Mapping[str, Held]

    def __len__(self) -> int:
        return len(self.geometry)

    def taken(self, rows: NDArray[np.int64]) -> Features:
        """Return some rows, in the order given."""
        return Features(self.geometry[rows], {name: column[rows] for name, column in self.values.items()})


def map_accuracy_ft(scale: float) -> float:
    """Return the horizontal accuracy of a map scale by the National Map Accuracy Standard of 1947.

    90 % of well defined points within 1/30 inch on maps larger than 1:20,000, within 1/50 inch on smaller ones.

    >>> round(map_accuracy_ft(12_000), 1), round(map_accuracy_ft(25_000), 1)
    (33.3, 41.7)
    """
    return scale * _INCH_FT / (30.0 if scale > 0 and scale < 20_000 else 50.0)


def counting_for(features: Features, theme: Theme) -> NDArray[np.bool_]:
    """Return which features a theme asks for; one whose deciding value is not known may be one of them."""
    counts = np.ones(len(features), dtype=bool)
    for column, words in theme.where.items():
        values = features.values[column].tolist()
        counts &= np.array([v is None or v == "" or str(v) in words for v in values], dtype=bool)
    return counts


def selected(features: Features, rows: Rows, kept: NDArray[np.int64], select: SelectSpec | None) -> Features:
    """Return the features that a specification selects by a column of the file; all when there is none.

    A feature that does not say which it is may be one of them, and is kept.

    Parameters
    ----------
    features, kept
        Features and the row of the file each came from.
    """
    if select is None:
        return features
    source = select.column_of(rows.columns)
    if source is None:
        return features
    chosen = [select.takes(value) for value in rows.columns[source][kept].tolist()]
    return features.taken(np.flatnonzero(np.array(chosen, dtype=bool)))


def dissolved(features: Features, key: str | None) -> tuple[Features, int, int]:
    """Return one feature a key value, how many rows were merged away, and how many merges differed in shape.

    Copies with the very same shape keep it to the last bit; others are united. Values are those of the first row
    that has one. Rows without a key stay as they are.
    """
    if key is None or not len(features):
        return features, 0, 0
    groups: dict[object, list[int]] = {}
    for i, value in enumerate(features.values[key].tolist()):
        groups.setdefault(("row", i) if value is None else ("key", value), []).append(i)
    first = np.array([rows[0] for rows in groups.values()], dtype=np.int64)
    merged = features.taken(first)
    redrawn = 0
    for at, rows in enumerate(groups.values()):
        if len(rows) > 1:
            redrawn += _merge(merged, at, features, rows)
    return merged, len(features) - len(first), redrawn


def _merge(merged: Features, at: int, features: Features, rows: list[int]) -> int:
    """Put several rows into one; return 1 when their shapes differed and were united, else 0."""
    for name, column in features.values.items():
        present = [column[r] for r in rows if column[r] is not None]
        merged.values[name][at] = present[0] if present else None
    shapes = shapely.normalize(features.geometry[rows])
    if bool(shapely.equals_exact(shapes[0], shapes, tolerance=0.0).all()):
        return 0
    merged.geometry[at] = shapely.orient_polygons(united(features.geometry[rows]))
    return 1


def near_each_other(features: Features) -> Features:
    """Return the features along a Hilbert curve, so that what is near on the ground is near in the file."""
    if len(features) < 2:
        return features
    distance = geopandas.GeoSeries(features.geometry).hilbert_distance(level=16).to_numpy()
    shape = np.array([hashlib.sha256(w).hexdigest() for w in shapely.to_wkb(features.geometry)], dtype=object)
    order = sorted(range(len(features)), key=lambda i: (int(distance[i]), shape[i]))
    return features.taken(np.array(order, dtype=np.int64))


def ids_of(features: Features, spec: Spec) -> Held:
    """Return ids, all different: our identifying columns, else a hash of its shape to the millimetre."""
    held = np.empty(len(features), dtype=object)
    for i in range(len(features)):
        known = [features.values[name][i] for name in spec.id_from]
        named = bool(known) and all(v is not None for v in known)
        held[i] = "-".join(str(v) for v in known) if named else _shape_id(features.geometry[i])
    seen: Counter[str] = Counter()
    for i, name in enumerate(held.tolist()):
        seen[name] += 1
        if seen[name] > 1:
            held[i] = f"{name}#{seen[name]}"
    return held


def _shape_id(geometry: shapely.Geometry) -> str:
    rounded = shapely.normalize(shapely.transform(geometry, lambda xy: np.round(xy, 3)))
    return "g" + hashlib.sha256(shapely.to_wkb(rounded)).hexdigest()[:10]


def labels_of(features: Features, ids: Held, spec: Spec) -> Held:
    """Return what a person calls each feature; its id where the columns of the label are all empty."""
    names = re.findall(r"{(\w+)}", spec.label)
    held = np.empty(len(features), dtype=object)
    for i in range(len(features)):
        values = {name: features.values[name][i] for name in names}
        text = spec.label.format(**{name: "" if v is None else v for name, v in values.items()})
        known = not names or any(v is not None for v in values.values())
        held[i] = " ".join(text.split()) if known else str(ids[i])
    return held


def accuracies_ft(features: Features, spec: Spec) -> NDArray[np.float64]:
    """Return each feature's horizontal accuracy: by its own source scale where it states one, else the layer's."""
    held = np.full(len(features), spec.accuracy_ft, dtype=np.float64)
    scales = features.values.get("source_scale")
    if scales is None:
        return held
    for i, text in enumerate(scales.tolist()):
        found = _SCALE.match(str(text)) if text is not None else None
        if found and (scale := float(found[1].replace(",", ""))) > 0:
            held[i] = map_accuracy_ft(scale)
    return held


def with_values(features: Features, values: Mapping[str, Held]) -> Features:
    """Return the features with more columns."""
    return replace(features, values={**features.values, **values})


def area_and_length(geometry: Geometries) -> tuple[float, float]:
    """Return summed square feet of polygons (overlaps count twice) and feet of lines."""
    area = float(shapely.area(geometry).sum()) / FOOT_M**2
    lines = geometry[shapely.get_dimensions(geometry) == 1]
    return area, float(shapely.length(lines).sum()) / FOOT_M
