"""Stage measure: ground of the work and of the lots in the net rings around a layer. The parts add up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.case import ZoneArea
from spatial.dust import united
from spatial.index import IndexedFrame
from spatial.index.items import Part
from spatial.index.rings import rings
from spatial.measure import Met, MetFrame, MetLayer
from spatial.model import Area, Geometries, Theme
from spatial.site import Site
from spatial.units import m_from_ft, sqft_from_sqm

Floats = NDArray[np.float64]


def zone_areas(site: Site, theme: Theme, met: MetLayer, resource_sqft: tuple[float, float]) -> tuple[ZoneArea, ...]:
    """Return the resource itself (0-0) and each net ring of a theme, nearest first; () where the site meets none.

    Rings made beforehand are used when they are of one edition and the site lies on the ground it covers, for they
    end there. Where several editions meet, the site leaves their ground, or an edition holds no rings for the
    theme, the rings are made here, so that ground near two features counts once and none is missed.

    Parameters
    ----------
    resource_sqft
        Union area of the layer in the work and in the lots.
    """
    if not theme.bands_ft:
        return ()
    zones = _listed(theme, resource_sqft, *rings_sqft(site, theme, met))
    return zones if any(z.disturbance_sqft or z.parcel_sqft for z in zones) else ()


def rings_sqft(site: Site, theme: Theme, met: MetLayer) -> tuple[dict[float, float], dict[float, float]]:
    """Return the area of each ring in the work and in the lots; a ring that is not met may be absent.

    Where what the lots share is known, only the work is asked.
    """
    if met.known is None:
        return _rings_asked(site, theme, met.frames)
    work, _ = _rings_asked(Site(site.work), theme, met.frames)
    return work, {band: sum([lot.area_sqft(theme, band) for lot in met.known]) for band in theme.bands_ft}


def _rings_asked(
    site: Site, theme: Theme, frames: Sequence[MetFrame]
) -> tuple[dict[float, float], dict[float, float]]:
    concerned = [frame for frame in frames if _concerned(site, theme, frame)]
    if not concerned:
        return {}, {}
    if len(concerned) > 1 or theme.theme not in concerned[0].zones or not _covered(site, concerned[0]):
        return _made_here(site, theme, [frame.indexed for frame in concerned])
    met, to_ft = concerned[0].zones[theme.theme], concerned[0].indexed.frame.zones[theme.theme].to_ft
    return _by_band(met.work, to_ft), _of_lots(met.lots, to_ft)


def _concerned(site: Site, theme: Theme, frame: MetFrame) -> bool:
    """Say whether an edition may have a ring on the site. Rings made beforehand end with its ground."""
    made = frame.zones.get(theme.theme)
    if made is not None and not (made.empty and frame.pieces.empty):
        return True
    if made is not None and _covered(site, frame):
        return False
    return len(_near(site, theme, frame.indexed)) > 0


def _covered(site: Site, frame: MetFrame) -> bool:
    """Say whether an edition's own ground holds the work and the lots, by their box."""

    def asked() -> float:
        west, south, east, north = site.bounds
        return float(shapely.covers(frame.indexed.ground, shapely.box(west, south, east, north)))

    return bool(frame.once((id(frame.indexed.ground),), asked))


def _listed(
    theme: Theme, resource_sqft: tuple[float, float], work: dict[float, float], lots: dict[float, float]
) -> tuple[ZoneArea, ...]:
    low = (0.0, *theme.bands_ft[:-1])
    rings_met = (
        ZoneArea(from_ft, to_ft, work.get(to_ft, 0.0), lots.get(to_ft, 0.0))
        for from_ft, to_ft in zip(low, theme.bands_ft, strict=True)
    )
    return (ZoneArea(0.0, 0.0, *resource_sqft), *rings_met)


def _of_lots(met: Sequence[Met], to_ft: Floats) -> dict[float, float]:
    lots: dict[float, float] = {}
    for lot in met:
        for band, area in _by_band(lot, to_ft).items():
            lots[band] = lots.get(band, 0.0) + area
    return lots


def _by_band(met: Met, to_ft: Floats) -> dict[float, float]:
    bands: dict[float, float] = {}
    for row, size in zip(met.rows, met.sizes, strict=True):
        band = float(to_ft[row])
        bands[band] = bands.get(band, 0.0) + sqft_from_sqm(size)
    return bands


def _near(site: Site, theme: Theme, indexed: IndexedFrame) -> Geometries:
    """Return the pieces a theme asks for within its widest ring of the work or a lot, by their boxes."""
    part = indexed.pieces_of(theme)
    reach_m = m_from_ft(max(theme.bands_ft))
    grown = [ground.grown(reach_m) for ground in (site.work, *(lot.ground for lot in site.lots))]
    found = [part.tree.query(shapely.box(*box)) for box in grown if part.meets(box)]
    return part.geometry[np.unique(np.concatenate(found))] if found else part.geometry[:0]


def _made_here(
    site: Site, theme: Theme, frames: Sequence[IndexedFrame]
) -> tuple[dict[float, float], dict[float, float]]:
    near = np.concatenate([_near(site, theme, indexed) for indexed in frames])
    window = united([site.work.geometry, *(lot.ground.geometry for lot in site.lots)])
    made = rings(near, theme.bands_ft, window=window)
    part = Part(made.geometry, np.arange(len(made.geometry)))
    work = _shared_by_band(part, made.to_ft, site.work.geometry)
    lots: dict[float, float] = {}
    for lot in site.lots:
        for band, area in _shared_by_band(part, made.to_ft, lot.ground.geometry).items():
            lots[band] = lots.get(band, 0.0) + area
    return work, lots


def _shared_by_band(pieces: Part, to_ft: Floats, ground: Area) -> dict[float, float]:
    """Return the area of each band inside some ground; of many pieces only those it meets are cut."""
    met = np.sort(pieces.tree.query(ground, predicate="intersects"))
    area, band = shapely.area(shapely.intersection(pieces.geometry[met], ground)), to_ft[met]
    return {float(one): sqft_from_sqm(float(area[band == one].sum())) for one in np.unique(to_ft)}
