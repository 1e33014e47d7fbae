"""Parcels over HTTP: search, one parcel, its neighbours. Public, so nothing here knows an owner."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.deps import SnapshotDep
from app.errors import named_in_path
from app.neighbors import neighbors_of
from app.parcels import parcels_told, summary
from app.query import only_its_own
from app.reports.geojson import in_degrees
from app.schemas.parcel import Neighbors, ParcelDetail, Parcels

router = APIRouter(tags=["parcels"], dependencies=[only_its_own])
LocId = Annotated[
    str, Path(description="LOC_ID, as MassGIS names parcels.", max_length=40, examples=["F_715003_2914708"])
]
BBOX = "west,south,east,north in degrees (EPSG:4326)."


@router.get("/parcels", summary="Find parcels by address, map-lot or LOC_ID")
def search(
    snapshot: SnapshotDep,
    q: Annotated[
        str | None, Query(max_length=100, description="Part of an address, a map-lot or a LOC_ID.")
    ] = None,
    bbox: Annotated[str | None, Query(max_length=200, description=BBOX)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> Parcels:
    """Return the parcels found, without owners; `more` says that the limit cut the list short."""
    return parcels_told(snapshot, q, bbox, limit)


@router.get("/parcels/{loc_id}", summary="One parcel with its shape")
def fetch(
    loc_id: LocId,
    snapshot: SnapshotDep,
    exact: Annotated[
        bool, Query(description="Leave every digit of the shape, so that the lot sent as work has its own area.")
    ] = False,
) -> ParcelDetail:
    """Return a parcel as the assessors' map draws it, without its owner; its shape to a centimetre, or exactly."""
    with named_in_path():
        parcel = snapshot.parcels.get(loc_id)
    return ParcelDetail(**summary(parcel).model_dump(), geometry=in_degrees(parcel.geometry, exact=exact))


@router.get("/parcels/{loc_id}/neighbors", summary="Parcels within a distance of a lot")
def neighbors(
    loc_id: LocId,
    snapshot: SnapshotDep,
    within_ft: Annotated[float, Query(ge=0, le=2000, allow_inf_nan=False)] = 100.0,
) -> Neighbors:
    """Return the parcels near a lot with exact distance and relation. No notice list: that is made by staff."""
    with named_in_path():
        return neighbors_of(snapshot, loc_id, within_ft)
