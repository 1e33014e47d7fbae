"""From a snapshot of the layers to what the engine asks of: the parcel fabric, the towns and the roads."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

import numpy as np

from layers.snapshot import Snapshot
from spatial.abutters.neighbours import Surroundings
from spatial.errors import Unavailable
from spatial.fabric import ParcelFabric, weave
from spatial.fabric.beyond import TownOutline
from spatial.model import LayerFrame


def fabric_of(snapshot: Snapshot) -> ParcelFabric:
    """Return the parcels of every town loaded; raises ``layer_unavailable`` when there are none."""
    frames = snapshot.frame("parcels")
    if not frames:
        raise Unavailable("No parcels are loaded; ask the operator to add a town's parcels.", layer="parcels")
    return _woven(frames)


def surroundings_of(snapshot: Snapshot, assessed: Container[str] | None) -> Surroundings:
    """Return towns and roads as far as they are loaded, and which parcels the tax list knows."""
    roads = [frame.geometry for frame in snapshot.frame("roads")]
    return Surroundings(
        assessed=assessed, towns=outlines_of(snapshot), roads=np.concatenate(roads) if roads else None
    )


def outlines_of(snapshot: Snapshot) -> tuple[TownOutline, ...] | None:
    """Return the outlines of all towns; None when no towns layer is loaded."""
    return _outlines(snapshot.frame("towns"))


@lru_cache(maxsize=2)
def _woven(frames: tuple[LayerFrame, ...]) -> ParcelFabric:
    """Weave the parcels once an edition; frames are the same objects until an edition changes."""
    return weave(frames)


@lru_cache(maxsize=2)
def _outlines(frames: tuple[LayerFrame, ...]) -> tuple[TownOutline, ...] | None:
    if not frames:
        return None
    return tuple(
        TownOutline(int(number), str(label), shape)
        for frame in frames
        for number, label, shape in zip(frame.attributes["town_id"], frame.labels, frame.geometry, strict=True)
    )
