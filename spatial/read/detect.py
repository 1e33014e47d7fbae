"""Reading: what the bytes are. The name of a file is only ever used to word a refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from spatial.errors import ArchiveRefused, FormatRefused
from spatial.read.archive import is_zip

Format = Literal["zip", "json", "kml", "dxf", "geopackage", "shapefile", "csv"]

ACCEPTED = "a zipped shapefile, GeoPackage, zipped file geodatabase, KML or KMZ, GeoJSON, Esri JSON or DXF"
_HEAD = 4096
_SHAPEFILE = b"\x00\x00\x27\x0a"
_BINARY_DXF = b"AutoCAD Binary DXF"
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_KNOWN_STRANGERS = (
    (b"AC10", "an AutoCAD DWG drawing; save it as DXF"),
    (b"%PDF", "a PDF document; export the site from the program that drew it"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"II*\x00", "a TIFF raster"),
    (b"MM\x00*", "a TIFF raster"),
    (b"fgb\x03", "a FlatGeobuf; save it as GeoPackage"),
    (b"PAR1", "a Parquet file"),
    (b"Rar!", "a RAR archive; pack it as zip"),
    (b"7z\xbc\xaf", "a 7-Zip archive; pack it as zip"),
    (b"\x1f\x8b", "a gzip archive; pack it as zip"),
)


def detect(path: Path) -> Format:
    """Return the format of a file by its first bytes.

    Raises
    ------
    FormatRefused
        ``empty_upload`` for no bytes, ``unsupported_format`` for anything that is not read here.
    ArchiveRefused
        ``bad_archive`` when the name says zip and the bytes do not.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip(b"\x00 \t\r\n") and path.stat().st_size <= _HEAD:
        raise FormatRefused("The upload is empty; send the file of the site.", code="empty_upload")
    found = _binary(head) or _text(head, path.suffix.lower())
    if found is None:
        raise _refusal(head, path.suffix.lower())
    return found


def _binary(head: bytes) -> Format | None:
    if is_zip(head):
        return "zip"
    if head.startswith(b"SQLite format 3\x00"):
        return "geopackage"
    if head.startswith(_SHAPEFILE):
        return "shapefile"
    return "dxf" if head.startswith(_BINARY_DXF) else None


def _text(head: bytes, suffix: str) -> Format | None:
    text = _decoded(head).lstrip("\x1e \t\r\n")
    if text.startswith(("{", "[")):
        return "json"
    if text.startswith("<"):
        return None if _is_web_page(text) else "kml"
    if _starts_like_dxf(text):
        return "dxf"
    return "csv" if suffix in (".csv", ".tsv", ".txt") and "\x00" not in text else None


def _is_web_page(text: str) -> bool:
    return text[:100].lower().startswith(("<!doctype html", "<html"))


def _decoded(head: bytes) -> str:
    if head.startswith(_BOMS[1:]):
        return head.decode("utf-16", errors="replace").lstrip("\ufeff")
    return head.decode("utf-8-sig", errors="replace")


def _starts_like_dxf(text: str) -> bool:
    """A DXF is pairs of lines, code and value: ``0 SECTION`` after any ``999`` comments."""
    lines = [line.strip() for line in text.splitlines()]
    while len(lines) >= 2 and lines[0] == "999":
        lines = lines[2:]
    return lines[:2] == ["0", "SECTION"]


def _refusal(head: bytes, suffix: str) -> FormatRefused | ArchiveRefused:
    if suffix in (".zip", ".kmz", ".shz"):
        return ArchiveRefused(
            "The file is named as a zip archive and is none; pack it again and send it once more."
        )
    if _is_web_page(_decoded(head).lstrip()):
        return FormatRefused(f"The file is a web page, perhaps a server's error message. Metes reads {ACCEPTED}.")
    if suffix in (".json", ".geojson"):
        return FormatRefused(
            "The file is named as JSON and does not begin as JSON does; export it as GeoJSON again.",
            code="bad_json",
        )
    for magic, what in _KNOWN_STRANGERS:
        if head.startswith(magic):
            return FormatRefused(f"The file is {what}. Metes reads {ACCEPTED}.")
    return FormatRefused(f"This kind of file is not read. Send {ACCEPTED}.")
