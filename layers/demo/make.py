"""Make the demo's data folder: draw, write the files an agency would publish, load them as any file is loaded."""

from __future__ import annotations

import random
import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from layers.demo.districts import draw_districts
from layers.demo.ground import write_ground
from layers.demo.habitat import draw_habitat
from layers.demo.level3 import write_level3
from layers.demo.lots import draw_lots
from layers.demo.plan import TOWNS
from layers.demo.samples import SampleSite, sample_sites
from layers.demo.town_file import write_town
from layers.demo.water import draw_waters
from layers.demo.write import write_coverage, write_geojson, write_sheet, write_zipped_shapefile
from layers.ingest.request import AddRequest
from layers.library import Library
from spatial.errors import ParameterRefused

SEED = 1776
DRAWING = 4
"""Raised when the drawing changes, so that a folder made by an older one is made anew."""
MARK = "demo.toml"
FRESH_DAYS = 365
"""A demo older than this is made anew, so that its layers never grow stale."""
FEET = "EPSG:2249"


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo data folder: where it is, whether it was made just now, and the sample submissions in it."""

    data: Path
    made: bool
    sites: tuple[SampleSite, ...]

    def sample(self, site: SampleSite) -> Path:
        """Return the GeoJSON file of a sample site."""
        return self.data / "samples" / f"{site.stem}.geojson"


def make_demo(data: Path, *, on: date, seed: int = SEED, say: Callable[[str], None] | None = None) -> Demo:
    """Return the demo in a folder of its own, made if it is not there yet.

    Parameters
    ----------
    data
        The folder; made when missing. A folder that holds other layers is refused.
    on
        Today; the layers count as fetched on the day they are made.
    seed
        Chooses lot widths, owners and the wandering of shores; never the sample sites.
    say
        Told a line for each layer that is loaded.

    Raises
    ------
    ParameterRefused
        ``conflict`` when the folder holds data that is not the demo's.
    """
    if _is_made(data, on, seed):
        return Demo(data, made=False, sites=sample_sites())
    _clear(data)
    _mark(data, on, seed, finished=False)
    for town in TOWNS:
        write_town(town, data / "towns")
    requests = tuple(_requests(data / "sources", on, random.Random(seed)))  # noqa: S311 (a drawing, not a secret)
    _load(Library(data), requests, say or _nobody)
    _write_samples(data / "samples")
    _mark(data, on, seed, finished=True)
    return Demo(data, made=True, sites=sample_sites())


def _load(library: Library, requests: Sequence[AddRequest], say: Callable[[str], None]) -> None:
    """Add every file: the towns first, for the ground of the parcels is told by them."""
    towns, *others = requests
    for manifest in (library.add(towns), *library.add_all(others)):
        say(f"{manifest.layer_id} ({manifest.part})")


def _nobody(_line: str) -> None:
    """Tell nobody."""


def _requests(folder: Path, on: date, rng: random.Random) -> Iterator[AddRequest]:
    """Write the source files one after the other and say how each is to be loaded."""
    folder.mkdir(parents=True)
    covers = write_coverage(folder / "invented-towns.geojson")
    lots = draw_lots(rng)
    for sheet in (*draw_districts(), *draw_waters(rng), *draw_habitat()):
        yield AddRequest(sheet.layer_id, write_sheet(sheet, folder), on, covers=str(covers), invented=True)
    for layer_id, grid in write_ground(folder):
        yield AddRequest(layer_id, grid, on, covers=str(covers), invented=True)
    for town in TOWNS:
        own = [lot for lot in lots if lot.town is town]
        yield AddRequest("parcels", write_level3(town, own, rng, folder), on, invented=True)


def _write_samples(folder: Path) -> None:
    folder.mkdir(parents=True)
    for site in sample_sites():
        write_geojson(folder / f"{site.stem}.geojson", site.works)
        write_zipped_shapefile(folder / f"{site.stem}.zip", site.works)
        write_zipped_shapefile(folder / f"{site.stem}-2249.zip", site.works, crs=FEET)


class _Mark(BaseModel):
    """What the folder says of itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    seed: int
    drawing: int
    made_on: date
    finished: bool


def _is_made(data: Path, on: date, seed: int) -> bool:
    mark = _read_mark(data)
    return (
        mark is not None
        and mark == _Mark(seed=seed, drawing=DRAWING, made_on=mark.made_on, finished=True)
        and (on - mark.made_on).days < FRESH_DAYS
    )


def _read_mark(data: Path) -> _Mark | None:
    path = data / MARK
    return _Mark.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def _mark(data: Path, on: date, seed: int, *, finished: bool) -> None:
    data.mkdir(parents=True, exist_ok=True)
    told = "# The invented towns of `metes demo` live here. Never put real layers beside them.\n"
    text = f"seed = {seed}\ndrawing = {DRAWING}\nmade_on = {on.isoformat()}\nfinished = {str(finished).lower()}\n"
    (data / MARK).write_text(told + text, encoding="utf-8")


def _clear(data: Path) -> None:
    """Remove an unfinished or older demo; refuse a folder that is no demo's."""
    if _read_mark(data) is None and any((data / name).exists() for name in ("layers", "towns", "metes.db")):
        raise ParameterRefused(
            f"The folder '{data.name}' holds data that is not the demo's; name a folder of its own with --data.",
            code="conflict",
        )
    for name in ("layers", "towns", "sources", "samples"):
        shutil.rmtree(data / name, ignore_errors=True)
