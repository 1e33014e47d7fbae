"""Stage findings, for rasters: what the cells under the work say, with the statuses that vectors have.

Ground without data is never zero: a share is a range, and no class seen on ground that is partly unknown is no
answer. Loaded only where some raster edition is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import shapely
from shapely.geometry.base import BaseGeometry

from spatial.case import Finding, GridMeasure
from spatial.dust import united
from spatial.findings import Asking, grid_reasons, reasons
from spatial.findings.coverage import CoverageOf, nearest_ground
from spatial.findings.stale import days_past
from spatial.grid import Grid, GridFrame
from spatial.measure.zonal import Statistics, class_share, relief, statistics
from spatial.model import Area, Certainty, Coverage, Relation, Status, Theme
from spatial.site import Ground, Site
from spatial.units import PERCENT, m_from_ft, sqft_from_sqm

NOISE_SQFT = 0.01
"""Less of a class than this is the noise of moving coordinates."""
NOISE_PERCENT = 1e-4
"""Less unknown ground than this is the noise of moving coordinates."""

FLOODPLAIN, BASE_FLOOD = "floodplain", "static_bfe_ft"

Grids = Mapping[str, Sequence[GridFrame]]
Patch = tuple[GridFrame, Grid, Area]


def with_grids(
    findings: Sequence[Finding], site: Site, *, themes: Sequence[Theme], asking: Asking, grids: Grids
) -> tuple[Finding, ...]:
    """Return the findings with those of raster themes measured, and ground beside the flood elevation.

    Parameters
    ----------
    findings
        As the vectors gave them; a raster theme stands there as not checked.
    themes
        The questions asked; those whose layer is in ``grids`` are answered here.
    grids
        Raster editions by layer id; the first to cover a piece of ground measures it.
    """
    asked = {(t.theme, t.layer_id): t for t in themes if grids.get(t.layer_id)}
    made = tuple(
        _Asked(site, asked[key], tuple(grids[key[1]]), asking).finding()
        if (key := (f.theme, f.layer_id)) in asked
        else f
        for f in findings
    )
    ground = next((f for f in made if f.grid and f.grid.elevation_min_ft is not None), None)
    return tuple(_beside(f, ground) for f in made) if ground is not None else made


def _beside(finding: Finding, ground: Finding) -> Finding:
    """Return a floodplain finding with the ground under the work told beside the flood elevations met."""
    hits = {(h.attributes.get(BASE_FLOOD), h.label) for h in finding.features if h.overlap_sqft > 0}
    known = sorted((float(height), label) for height, label in hits if isinstance(height, int | float))
    if finding.theme != FLOODPLAIN or not known or ground.grid is None:
        return finding
    heights = GridMeasure(
        unknown_percent=ground.grid.unknown_percent,
        elevation_min_ft=ground.grid.elevation_min_ft,
        elevation_max_ft=ground.grid.elevation_max_ft,
    )
    said = grid_reasons.beside_flood(heights, known, ground.edition)
    return replace(finding, why=f"{finding.why} {said}", grid=heights)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """One theme of one raster layer."""

    site: Site
    theme: Theme
    frames: tuple[GridFrame, ...]
    asking: Asking

    def finding(self) -> Finding:
        """Return what the layer says of the work."""
        here = self._concerned()
        trouble = next((f.trouble for f in here if f.trouble), None)
        patches = _patches(here, self.site.work.geometry)
        return self._classes(here, patches, trouble) if _has_classes(here) else self._relief(here, patches, trouble)

    def _concerned(self) -> tuple[GridFrame, ...]:
        """Return the editions whose ground the work lies on; all when it lies on none."""
        work = self.site.work.geometry
        return tuple(f for f in self.frames if f.coverage.intersects(work)) or self.frames

    def _classes(self, here: Sequence[GridFrame], patches: Sequence[Patch], trouble: str | None) -> Finding:
        work = self.site.work
        seen, unknown = _class_sqft(patches, work.geometry)
        measured = GridMeasure(
            unknown_percent=PERCENT * (unknown / work.area_sqft),
            at_most_percent=min(PERCENT, PERCENT * (seen + unknown) / work.area_sqft),
            at_most_sqft=min(work.area_sqft, seen + unknown),
        )
        hit = seen > NOISE_SQFT
        finding = self._judged(here, patches, measured, hit=hit, trouble=trouble)
        if finding.status in ("no_data", "not_checked"):
            return finding
        band_ft = max(finding.accuracy_ft or 0.0, self.asking.work_accuracy_ft)
        sure = self._sure(here, band_ft, hit=hit)
        said = [grid_reasons.classes(self.theme, seen, work.area_sqft, measured), *_doubt(sure, band_ft)]
        return replace(
            finding,
            certainty=sure,
            relation=_relation(seen, work.area_sqft),
            disturbance_sqft=seen,
            percent_of_disturbance=PERCENT * (seen / work.area_sqft),
            why=" ".join([*said, finding.why]).strip(),
        )

    def _sure(self, here: Sequence[GridFrame], band_ft: float, *, hit: bool) -> Certainty:
        """Return whether the answer stands when the map or the limit of work moves by its accuracy."""
        moved = self.site.work.geometry.buffer(m_from_ft(-band_ft if hit else band_ft))
        if moved.is_empty:
            return "too_close_to_call"
        seen, _ = _class_sqft(_patches(here, cast("Area", moved)), cast("Area", moved))
        return "certain" if (seen > NOISE_SQFT) == hit else "too_close_to_call"

    def _relief(self, here: Sequence[GridFrame], patches: Sequence[Patch], trouble: str | None) -> Finding:
        samples = [relief(grid, area, unit_m=frame.unit_m) for frame, grid, area in patches]
        heights, slopes = (statistics([pair[n] for pair in samples]) for n in (0, 1))
        measured = _relief(heights, slopes, self._outside_percent(patches))
        finding = self._judged(here, patches, measured, hit=slopes.mean is not None, trouble=trouble)
        if slopes.mean is None:
            return finding
        said = grid_reasons.relief(self.theme, measured)
        return replace(finding, relation="within", why=f"{said} {finding.why}".strip())

    def _outside_percent(self, patches: Sequence[Patch]) -> float:
        measured = sum(area.area for _, _, area in patches)
        return max(0.0, PERCENT * (1.0 - measured / self.site.work.geometry.area))

    def _judged(
        self,
        here: Sequence[GridFrame],
        patches: Sequence[Patch],
        measured: GridMeasure,
        *,
        hit: bool,
        trouble: str | None,
    ) -> Finding:
        """Return the finding with its status and what was not looked at; the caller adds what was seen.

        Only editions that measured some ground can make it stale: an old one under a fresh one was not needed.
        """
        coverage = self._coverage(here, measured)
        used = [frame for frame, _, _ in patches] or here
        old = [(f.ref, age) for f in used if (age := days_past(f.ref, self.asking.on)) is not None]
        status = _status(coverage, hit=hit, stale=bool(old) and not self.asking.allow_stale, trouble=trouble)
        ref = used[0].ref
        blind = status == "no_data" and coverage == "none"
        said = [
            self._uncovered(here) if blind else "",
            *(reasons.stale(r, age, status, allowed=self.asking.allow_stale) for r, age in old),
            grid_reasons.gap(status, coverage=coverage, measured=measured, ref=ref),
            grid_reasons.troubled(self.theme, trouble),
        ]
        return Finding(
            theme=self.theme.theme,
            title=self.theme.title,
            layer_id=self.theme.layer_id,
            status=status,
            certainty="certain",
            why=" ".join(part for part in said if part),
            accuracy_ft=max(f.ref.accuracy_ft for f in here),
            within_ft=self.theme.within_ft,
            edition=None if blind else ref,
            coverage=coverage,
            complete=ref.complete,
            grid=measured if coverage != "none" else None,
        )

    def _uncovered(self, here: Sequence[GridFrame]) -> str:
        grounds = [(frame.ref, frame.coverage) for frame in here]
        return reasons.uncovered(self.theme, nearest_ground(grounds, self.site.work.geometry))

    def _coverage(self, here: Sequence[GridFrame], measured: GridMeasure) -> Coverage:
        """Return whether the editions answer for the whole work; cells without data are ground not covered."""
        ground = Ground(united([f.coverage for f in here]))
        covered = CoverageOf(self.site, 0.0).around_work(ground, 0.0)
        return "partial" if covered == "full" and measured.unknown_percent > NOISE_PERCENT else covered


def _has_classes(frames: Sequence[GridFrame]) -> bool:
    return any(f.classes for f in frames)


def _patches(frames: Sequence[GridFrame], ground: Area) -> tuple[Patch, ...]:
    """Return which grid measures which part of the ground: each part once, by the first that covers it."""
    made: list[Patch] = []
    rest: BaseGeometry = ground
    for frame in frames:
        if frame.grid is None or rest.is_empty:
            continue
        mine = rest if frame.coverage.covers(rest) else shapely.intersection(rest, frame.coverage)
        areas = [p for p in shapely.get_parts(mine) if p.geom_type == "Polygon" and p.area > 0]
        if areas:
            made.append((frame, frame.grid, shapely.MultiPolygon(areas)))
            rest = shapely.difference(rest, frame.coverage)
    return tuple(made)


def _class_sqft(patches: Sequence[Patch], ground: Area) -> tuple[float, float]:
    """Return the square feet seen to be of the classes, and those nobody knows of."""
    seen, known = 0.0, 0.0
    for frame, grid, area in patches:
        share = class_share(grid, area, frame.classes)
        size = sqft_from_sqm(area.area)
        seen += size * share.at_least_percent / PERCENT
        known += size * (1.0 - share.unknown_percent / PERCENT)
    return seen, max(0.0, sqft_from_sqm(ground.area) - known)


def _relief(heights: Statistics, slopes: Statistics, outside_percent: float) -> GridMeasure:
    inside = 1.0 - outside_percent / PERCENT
    return GridMeasure(
        unknown_percent=outside_percent + slopes.unknown_percent * inside,
        slope_mean_percent=slopes.mean,
        slope_p90_percent=slopes.p90,
        slope_max_percent=slopes.most,
        elevation_min_ft=heights.least,
        elevation_max_ft=heights.most,
    )


def _relation(seen: float, whole: float) -> Relation:
    if seen <= NOISE_SQFT:
        return "none"
    return "within" if seen >= whole - NOISE_SQFT else "overlaps"


def _status(coverage: Coverage, *, hit: bool, stale: bool, trouble: str | None) -> Status:
    if hit:
        return "affected"
    if stale or trouble:
        return "not_checked"
    return "not_affected" if coverage == "full" else "no_data"


def _doubt(certainty: Certainty, band_ft: float) -> tuple[str, ...]:
    return (grid_reasons.doubt(band_ft),) if certainty == "too_close_to_call" else ()
