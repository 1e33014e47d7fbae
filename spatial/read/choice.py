"""Reading: which of several layers is the site, never silently the first; and that one read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spatial.errors import GeometryRefused
from spatial.model import Note
from spatial.read.ogr import Layer, crs_of, layers_of, read_rows
from spatial.read.raw import Gathering, Raw, Wanted, layer_unknown, several_layers


@dataclass(frozen=True, slots=True)
class Container:
    """A kind of file that holds several layers.

    ``called`` words a refusal, ``stated_in`` says where a layer names its coordinate system, and ``no_crs``, with
    ``{layer}`` in it, that it names none.
    """

    format: str
    driver: str
    called: str
    stated_in: str
    no_crs: str


def read_chosen(path: Path, wanted: Wanted, container: Container) -> Raw:
    """Return what the one spatial layer of a container holds, or the one asked for.

    Raises
    ------
    FormatRefused
        ``corrupt_file``.
    GeometryRefused
        ``several_layers``, ``layer_unknown``, ``no_polygon``, ``no_geometry``, ``too_complex``.
    """
    layers = [layer for layer in layers_of(path) if layer.geometry_type is not None]
    layer, notes = choose_layer(layers, wanted, container.called)
    rows = read_rows(path, container.driver, wanted, layer=layer)
    gathering = Gathering(wanted.limits)
    for geometry, attributes in rows:
        gathering.add(geometry, attributes)
    return Raw(
        format=container.format,
        driver=container.driver,
        layer=layer,
        layers=tuple(candidate.name for candidate in layers),
        columns=rows.columns,
        features=gathering.features,
        crs=crs_of(rows.crs),
        stated_in=container.stated_in,
        no_crs=container.no_crs.format(layer=repr(layer)),
        notes=(*notes, *rows.notes, *gathering.notes),
    )


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
