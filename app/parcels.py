"""The use case of finding a parcel by what a person types or by place. Public: nothing here knows an owner."""

from __future__ import annotations

from app.bbox import bounds_of
from app.schemas.parcel import Parcels, ParcelSummary
from layers.snapshot import Snapshot
from spatial.errors import Unavailable
from spatial.model import Parcel
from spatial.units import sqft_from_sqm


def parcels_told(snapshot: Snapshot, q: str | None, bbox: str | None, limit: int) -> Parcels:
    """Return at most so many parcels; ``more`` says that there are others.

    Parameters
    ----------
    q
        Words of an address, a map-lot or a LOC_ID; None or blank: any.
    bbox
        West, south, east, north in degrees; None: anywhere.

    Raises
    ------
    ParameterRefused
        ``bad_parameter`` for a box that is none.
    Unavailable
        ``layer_unavailable``: no parcels are loaded, so that nothing found would mean nothing.
    """
    bounds = bounds_of(bbox) if bbox else None
    status = snapshot.status("parcels")
    if status.absent is not None:
        raise Unavailable(f"Parcels cannot be looked for: {status.absent}; add a town's parcels.", layer="parcels")
    found = snapshot.parcels.search(q, bounds, limit + 1)
    return Parcels(parcels=[summary(parcel) for parcel in found[:limit]], more=len(found) > limit)


def summary(parcel: Parcel) -> ParcelSummary:
    """Return a parcel as the assessors' map has it, without its shape."""
    return ParcelSummary(
        loc_id=parcel.loc_id,
        map_par_id=parcel.map_par_id,
        town_id=parcel.town_id,
        poly_type=parcel.poly_type,
        site_address=parcel.site_address,
        area_sqft=sqft_from_sqm(parcel.geometry.area),
        lot_size_sqft=parcel.lot_size_sqft,
        use_code=parcel.use_code,
        zoning=parcel.zoning,
    )
