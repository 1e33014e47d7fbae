"""Reading: an unpacked archive, or loose files sent together: find the one data set in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spatial.errors import FormatRefused, GeometryRefused
from spatial.model import Note
from spatial.read import csv_points, dxf, geodatabase, geopackage, json_document, kml, shapefile
from spatial.read.archive import is_zip, unpack
from spatial.read.detect import ACCEPTED, Format, detect
from spatial.read.raw import Raw, Wanted, layer_unknown, several_layers
from spatial.read.shapefile_check import POLYGONS, kind_of

_FILES = (".gpkg", ".kml", ".geojson", ".geojsonl", ".json", ".dxf")
_READERS: dict[Format, Callable[[Path, Wanted], Raw]] = {
    "geopackage": geopackage.read,
    "kml": kml.read,
    "json": json_document.read,
    "dxf": dxf.read,
}
_SHAPEFILE_WORDS = (*shapefile.PARTS, ".sbn", ".sbx", ".qix")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A data set in a bundle: its name, whether it could be what is wanted, and how it is read."""

    name: str
    possible: bool
    read: Callable[[Wanted], Raw]


def read_archive(path: Path, wanted: Wanted) -> Raw:
    """Unpack an archive beside itself and return what its one data set holds.

    Raises
    ------
    GeometryRefused
        ``several_layers`` when more than one could be the site, ``layer_unknown``.
    FormatRefused
        ``missing_component`` when there is none, naming what lacks.
    """
    folder = path.parent / "unpacked"
    files = unpack(path, folder, wanted.limits.archive)
    if path.suffix.lower() == ".kmz" or _is_kmz(files):
        return _read_kmz(files, wanted)
    raw = _read_files(files, path.parent / "room", wanted)
    unopened = [file.name for file in files if _is_archive(file)]
    if not unopened:
        return raw
    text = f"Archives inside the archive were not opened: {', '.join(unopened)[:400]}."
    return replace(raw, notes=(Note("layers_ignored", text), *raw.notes))


def read_loose(files: Sequence[Path], room: Path, wanted: Wanted) -> Raw:
    """Return what the one data set among files sent together holds; an archive is a data set like another.

    Raises what ``read_archive`` raises.
    """
    archives = [file for file in files if _is_archive(file)]
    if not archives:
        return _read_files(files, room, wanted)
    packed = [Candidate(file.stem, True, _bound(read_archive, file)) for file in archives]
    return _read_one([*packed, *_candidates([f for f in files if f not in archives], room, wanted)], wanted)


def _read_files(files: Sequence[Path], room: Path, wanted: Wanted) -> Raw:
    candidates = _candidates(files, room, wanted)
    if not candidates:
        raise _nothing(files)
    return _read_one(candidates, wanted)


def _read_one(candidates: Sequence[Candidate], wanted: Wanted) -> Raw:
    names = [c.name for c in candidates]
    if len(candidates) == 1:
        return candidates[0].read(_within(candidates[0], wanted))
    if wanted.layer is not None:
        chosen = next((c for c in candidates if c.name.lower() == wanted.layer.lower()), None)
        if chosen is None:
            raise layer_unknown(wanted.layer, names)
        return replace(chosen.read(_within(chosen, wanted)), layer=wanted.layer, layers=tuple(names))
    possible = [c for c in candidates if c.possible]
    if len(possible) > 1:
        raise several_layers((c.name for c in possible), "data sets that could be the site")
    return _alone((possible or candidates)[0], names, wanted)


def _alone(chosen: Candidate, names: Sequence[str], wanted: Wanted) -> Raw:
    raw = chosen.read(wanted)
    others = ", ".join(name for name in names if name != chosen.name)
    note = Note("layers_ignored", f"Data sets that cannot be the site were left aside: {others[:400]}.")
    return replace(raw, layers=tuple(names), notes=(note, *raw.notes))


def _within(chosen: Candidate, wanted: Wanted) -> Wanted:
    """A layer that names the data set itself says nothing about layers inside it."""
    same = wanted.layer is not None and wanted.layer.lower() == chosen.name.lower()
    return replace(wanted, layer=None, name=chosen.name) if same else replace(wanted, name=chosen.name)


def _candidates(files: Sequence[Path], room: Path, wanted: Wanted) -> list[Candidate]:
    databases = [file.parent for file in files if file.name.lower() == geodatabase.MARK]
    loose = [file for file in files if file.parent not in databases]
    found = [_geodatabase(folder, room) for folder in databases]
    found += [_shapefile(parts, room, wanted) for parts in shapefile.gather_parts(loose) if ".shp" in parts.files]
    found += [_file(file) for file in loose if file.suffix.lower() in _FILES]
    if not found and wanted.purpose == "trees":
        found += [Candidate(f.stem, True, _bound(csv_points.read, f)) for f in loose if f.suffix.lower() == ".csv"]
    return found


def _geodatabase(folder: Path, room: Path) -> Candidate:
    def read(wanted: Wanted) -> Raw:
        if folder.suffix.lower() == ".gdb":
            return geodatabase.read(folder, wanted)
        shutil.copytree(folder, room / "site.gdb")
        return geodatabase.read(room / "site.gdb", wanted)

    return Candidate(folder.stem, True, read)


def _shapefile(parts: shapefile.Parts, room: Path, wanted: Wanted) -> Candidate:
    polygons = kind_of(parts.files[".shp"]) in (-1, 0, *POLYGONS)
    possible = polygons if wanted.purpose == "site" else not polygons

    def read(asked: Wanted) -> Raw:
        if asked.layer is not None and asked.layer.lower() != parts.name.lower():
            raise layer_unknown(asked.layer, [parts.name])
        return shapefile.read(parts, room, asked)

    return Candidate(parts.name, possible, read)


def _file(file: Path) -> Candidate:
    return Candidate(file.stem, True, _bound(_by_content, file))


def _by_content(file: Path, wanted: Wanted) -> Raw:
    """Read a file of a bundle by what its bytes are, never by its name."""
    found = detect(file)
    if found not in _READERS:
        raise FormatRefused(f"{file.name!r} is not what its name says; send {ACCEPTED}.")
    return _READERS[found](file, wanted)


def _bound(reader: Callable[[Path, Wanted], Raw], file: Path) -> Callable[[Wanted], Raw]:
    return lambda wanted: reader(file, wanted)


def read_lone_shape(path: Path, wanted: Wanted) -> Raw:
    """Refuse a ``.shp`` sent alone, by the name the applicant gave it: its other parts hold what it lacks."""
    return shapefile.read(shapefile.Parts(wanted.name, {".shp": path}), path.parent / "room", wanted)


def _nothing(files: Sequence[Path]) -> FormatRefused | GeometryRefused:
    if not files:
        return FormatRefused("The archive holds no file; send the files of the site in it.", code="empty_upload")
    names = sorted({file.suffix.lower() for file in files})
    stray = next((p for p in shapefile.gather_parts(files)), None)
    if stray is not None:
        return FormatRefused(
            f"The shapefile {stray.name!r} comes without its .shp file, which holds the shapes; "
            "send .shp, .shx, .dbf and .prj together.",
            code="missing_component",
        )
    if any(_is_archive(file) for file in files):
        return FormatRefused(
            "The archive holds another archive, which is not opened; pack the .shp and its parts instead.",
            code="missing_component",
        )
    held = f"only {', '.join(names[:8])}" if any(names) else "nothing that is read"
    return FormatRefused(
        f"The upload holds {held}; it needs a .shp with its .shx, .dbf and .prj, or {ACCEPTED}.",
        code="missing_component" if set(names) & set(_SHAPEFILE_WORDS) else "unsupported_format",
    )


def _is_archive(file: Path) -> bool:
    with file.open("rb") as opened:
        return is_zip(opened.read(4))


# --------------------------------------------------------------------------------------------------- kmz


def _is_kmz(files: Sequence[Path]) -> bool:
    return any(file.name.lower() == "doc.kml" for file in files)


def _read_kmz(files: Sequence[Path], wanted: Wanted) -> Raw:
    """Return what the main KML of a KMZ holds: ``doc.kml``, else the first."""
    documents = [file for file in files if file.suffix.lower() == ".kml"]
    if not documents:
        raise FormatRefused("The KMZ holds no .kml file; export it again.", code="missing_component")
    main = next((file for file in documents if file.name.lower() == "doc.kml"), documents[0])
    raw = replace(kml.read(main, wanted), format="kmz")
    if len(documents) == 1:
        return raw
    others = ", ".join(file.name for file in documents if file != main)[:400]
    return replace(raw, notes=(*raw.notes, Note("other_kml_ignored", f"Only {main.name} was read, not {others}.")))
