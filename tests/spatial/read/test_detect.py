"""What the bytes are, and what is said of those that are nothing we read."""

from __future__ import annotations

from pathlib import Path

import pytest

from spatial.errors import MetesError
from spatial.read.detect import detect


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"PK\x03\x04...", "zip"),
        (b"PK\x05\x06" + bytes(18), "zip"),
        (b"SQLite format 3\x00...", "geopackage"),
        (b"\x00\x00\x27\x0a" + bytes(96), "shapefile"),
        (b'\xef\xbb\xbf  {"type"', "json"),
        ('{"a": 1}'.encode("utf-16"), "json"),
        (b'\x1e{"a": 1}', "json"),
        (b"<?xml version='1.0'?><kml/>", "kml"),
        ("<kml/>".encode("utf-16"), "kml"),
        (b"  0\r\nSECTION\r\n  2\r\nHEADER\r\n", "dxf"),
        (b"999\ncomment\n0\nSECTION\n", "dxf"),
        (b"AutoCAD Binary DXF\r\n\x1a\x00", "dxf"),
    ],
)
def test_bytes_tell_the_format_whatever_the_name(tmp_path: Path, content: bytes, found: str) -> None:
    for name in ("upload.zip", "upload.geojson", "upload"):
        (tmp_path / name).write_bytes(content)
        assert detect(tmp_path / name) == found


@pytest.mark.parametrize(
    ("name", "content", "code", "word"),
    [
        ("a", b"", "empty_upload", "empty"),
        ("a", b" \r\n\x00", "empty_upload", "empty"),
        ("a.zip", b"not a zip", "bad_archive", "zip"),
        ("a.geojson", b"not json", "bad_json", "GeoJSON"),
        ("a.dwg", b"AC1032......", "unsupported_format", "save it as DXF"),
        ("a.pdf", b"%PDF-1.7", "unsupported_format", "PDF"),
        ("a.json", b"<!DOCTYPE html><html>", "unsupported_format", "web page"),
        ("a.kml", b"<html><body>404</body>", "unsupported_format", "web page"),
        ("a.bin", b"\x01\x02\x03", "unsupported_format", "GeoPackage"),
        ("a.rar", b"Rar!\x1a\x07", "unsupported_format", "pack it as zip"),
    ],
)
def test_what_is_not_read_is_named_with_the_remedy(
    tmp_path: Path, name: str, content: bytes, code: str, word: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(MetesError) as caught:
        detect(tmp_path / name)
    assert (caught.value.code, word in caught.value.detail) == (code, True)


def test_a_table_is_only_taken_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "trees.csv").write_text("x,y\n1,2\n")
    assert detect(tmp_path / "trees.csv") == "csv"
