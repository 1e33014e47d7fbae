"""Reading: which of several layers is the site. Never silently the first."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.errors import GeometryRefused
from spatial.model import Note
from spatial.read.ogr import Layer
from spatial.read.raw import Wanted, layer_unknown, several_layers


def choose_layer(layers: Sequence[Layer], wanted: Wanted, what: str) -> tuple[str, tuple[Note, ...]]:
    """Return the name of the layer to read and notes on those left aside.

    Parameters
    ----------
    layers
        Those with geometry.
    what
        The kind of file, to word a refusal.

    Raises
    ------
    GeometryRefused
        ``layer_unknown``; ``several_layers`` when more than one could be the site; ``no_polygon`` when none
        could; ``no_geometry`` when there is no layer with geometry at all.
    """
    names = [layer.name for layer in layers]
    if wanted.layer is not None:
        if wanted.layer not in names:
            raise layer_unknown(wanted.layer, names)
        return wanted.layer, ()
    if not layers:
        raise GeometryRefused(f"The {what} has no layer with geometry; draw the site in it.", code="no_geometry")
    site = wanted.purpose == "site"
    possible = [layer.name for layer in layers if (layer.may_hold_polygons if site else layer.may_hold_points)]
    if len(possible) > 1:
        raise several_layers(possible)
    if not possible:
        raise GeometryRefused(
            f"The {what} holds no layer of {'polygons' if site else 'points'}, only {', '.join(names[:10])}; "
            f"draw the {'site as polygons' if site else 'trees as points'}.",
            code="no_polygon",
        )
    return possible[0], _aside([name for name in names if name != possible[0]])


def _aside(names: Sequence[str]) -> tuple[Note, ...]:
    if not names:
        return ()
    return (Note("layers_ignored", f"Layers that cannot be the site were left aside: {', '.join(names)[:400]}."),)
