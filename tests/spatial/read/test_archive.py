"""The counted extractor: what it writes, and everything that must not come out of an archive."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spatial.errors import ArchiveRefused
from spatial.read.archive import safe_name, unpack
from spatial.read.limits import ArchiveLimits

EXAMPLES = int(os.environ.get("METES_FUZZ_EXAMPLES", "150"))
SMALL = ArchiveLimits(
    entries=5, total_bytes=1000, ratio=10, ratio_from_bytes=100, directory_bytes=2_000, path_parts=4
)


def pack(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def refusal(path: Path, into: Path, limits: ArchiveLimits = SMALL) -> ArchiveRefused:
    with pytest.raises(ArchiveRefused) as caught:
        unpack(path, into, limits)
    return caught.value


def test_files_come_out_in_order_with_their_folders(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("Project Data/lot.shp", b"1"), ("Project Data/", b""), ("b.prj", b"22"))
    written = unpack(path, tmp_path / "out", SMALL)
    assert [p.relative_to(tmp_path / "out").as_posix() for p in written] == ["Project Data/lot.shp", "b.prj"]
    assert written[1].read_bytes() == b"22"


def test_extras_of_macos_and_windows_are_left_out(tmp_path: Path) -> None:
    path = pack(
        tmp_path / "a.zip", ("__MACOSX/._lot.shp", b"x"), (".DS_Store", b"x"), ("d/Thumbs.db", b"x"), ("._a", b"x")
    )
    assert unpack(path, tmp_path / "out", SMALL) == ()


@pytest.mark.parametrize(
    "name",
    ["../evil.shp", "a/../../evil.shp", "/etc/evil", "..\\..\\evil.shp", "C:\\evil.shp", "c:evil.shp", "\\evil"],
)
def test_a_path_that_leaves_the_folder_refuses_the_whole(tmp_path: Path, name: str) -> None:
    path = pack(tmp_path / "a.zip", ("lot.shp", b"1"), (name, b"2"))
    error = refusal(path, tmp_path / "deep" / "out")
    assert error.code == "unsafe_archive"
    assert "path" in error.detail
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.zip"]


def test_a_backslash_is_a_folder_when_it_stays_inside(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("folder\\lot.shp", b"1"))
    assert [p.name for p in unpack(path, tmp_path / "out", SMALL)] == ["lot.shp"]


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("lot.shp")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    error = refusal(pack(tmp_path / "a.zip", (link, b"/etc/passwd")), tmp_path / "out")
    assert error.code == "unsafe_archive"
    assert "link" in error.detail


def test_entries_at_the_limit_pass_and_one_over_is_refused(tmp_path: Path) -> None:
    five = [(f"{i}.shp", b"1") for i in range(5)]
    assert len(unpack(pack(tmp_path / "a.zip", *five), tmp_path / "out", SMALL)) == 5
    error = refusal(pack(tmp_path / "b.zip", *five, ("6.shp", b"1")), tmp_path / "out2")
    assert error.code == "archive_too_large"
    assert "5 are taken" in error.detail


def test_bytes_at_the_limit_pass_and_one_over_is_refused(tmp_path: Path) -> None:
    exact = pack(tmp_path / "a.zip", ("a.shp", b"x" * 1000), method=zipfile.ZIP_STORED)
    assert unpack(exact, tmp_path / "out", SMALL)[0].stat().st_size == 1000
    over = pack(tmp_path / "b.zip", ("a.shp", b"x" * 1001), method=zipfile.ZIP_STORED)
    assert refusal(over, tmp_path / "out2").code == "archive_too_large"


def test_a_bomb_is_stopped_by_what_comes_out_not_by_what_it_says(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("a.shp", b"\0" * 5_000_000))
    content = bytearray(path.read_bytes())
    at = content.rfind(b"PK\x01\x02")
    struct.pack_into("<I", content, at + 24, 10)
    path.write_bytes(bytes(content))
    assert refusal(path, tmp_path / "out").code in ("archive_too_large", "bad_archive")
    assert sum(p.stat().st_size for p in (tmp_path / "out").rglob("*") if p.is_file()) <= 1000


def test_growth_beyond_the_ratio_is_refused(tmp_path: Path) -> None:
    limits = ArchiveLimits(total_bytes=10_000_000, ratio=10, ratio_from_bytes=100)
    error = refusal(pack(tmp_path / "a.zip", ("a.dbf", b" " * 500_000)), tmp_path / "out", limits)
    assert error.code == "archive_too_large"
    assert "10 times" in error.detail


def test_a_locked_archive_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("a.shp", b"x"))
    content = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(magic) + offset] |= 1
    path.write_bytes(bytes(content))
    error = refusal(path, tmp_path / "out")
    assert (error.code, "password" in error.detail) == ("bad_archive", True)


def test_other_compressions_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("a.shp", b"x" * 50), method=zipfile.ZIP_LZMA)
    assert refusal(path, tmp_path / "out").code == "bad_archive"


def test_an_empty_archive_and_a_cut_one(tmp_path: Path) -> None:
    assert refusal(pack(tmp_path / "a.zip"), tmp_path / "out").code == "empty_upload"
    whole = pack(tmp_path / "b.zip", ("a.shp", b"x" * 400)).read_bytes()
    for length in (4, 30, len(whole) - 30):
        (tmp_path / "cut.zip").write_bytes(whole[:length])
        assert refusal(tmp_path / "cut.zip", tmp_path / "out").code == "bad_archive"


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("a.shp", b"hello world"), method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"hello", b"jello"))
    assert refusal(path, tmp_path / "out").code == "bad_archive"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_is_refused(tmp_path: Path) -> None:
    assert (
        refusal(pack(tmp_path / "a.zip", ("a.shp", b"1"), ("a.shp", b"2")), tmp_path / "o").code == "unsafe_archive"
    )
    assert refusal(pack(tmp_path / "b.zip", ("a", b"1"), ("a/b", b"2")), tmp_path / "p").code == "unsafe_archive"


def test_no_refusal_tells_a_path_of_the_server(tmp_path: Path) -> None:
    for name in ("../evil", "a/b/c/d/e/f.shp"):
        assert str(tmp_path) not in refusal(pack(tmp_path / "a.zip", (name, b"")), tmp_path / "out").detail


@given(st.text(max_size=300))
def test_a_safe_name_is_one_harmless_component(name: str) -> None:
    safe = safe_name(name)
    assert 0 < len(safe) <= 80
    assert not set(safe) & set('/\\\0\n:*?"<>|')


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_mutated_archives_never_write_outside_nor_fail_without_a_code(tmp_path: Path, data: st.DataObject) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/lot.shp", b"abcdefgh" * 20)
        archive.writestr("lot.prj", b"")
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    room = tmp_path / "room"
    room.mkdir(exist_ok=True)
    path = room / "m.zip"
    path.write_bytes(bytes(content))
    into = room / "out" / str(data.draw(st.uuids()))
    try:
        written = unpack(path, into, SMALL)
    except ArchiveRefused:
        return
    assert all(into in p.parents for p in written)
    assert {p.name for p in tmp_path.iterdir()} == {"room"}
