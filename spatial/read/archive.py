"""Reading: unpack a zip with our own counted extractor, under names that cannot leave the folder.

Sizes written in an archive are its author's word; only the bytes that really come out are believed. One level
only: an archive inside an archive is a file like any other and is never opened.
"""

from __future__ import annotations

import errno
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from spatial.errors import ArchiveRefused
from spatial.read.limits import ArchiveLimits

_CHUNK = 64 * 1024
_DEFLATE_AND_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_EXTRAS = re.compile(r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)(/|$)|(^|/)\._", re.IGNORECASE)
_UNWANTED = re.compile(r"[^\w.() +-]")
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, struct.error, ValueError)
_DAMAGED = "The zip archive is damaged or cut short; pack it again and send it once more."
_END_OF_DIRECTORY = b"PK\x05\x06"


def is_zip(head: bytes) -> bool:
    """Return whether bytes begin as a zip does (an empty archive too)."""
    return head.startswith((b"PK\x03\x04", _END_OF_DIRECTORY))


def unpack(path: Path, into: Path, limits: ArchiveLimits) -> tuple[Path, ...]:
    """Unpack a zip and return the files written, in the archive's order.

    Parameters
    ----------
    path
        The archive.
    into
        A folder, made when absent; nothing is written outside it. Names keep letters, digits and ``._-+() ``.
    limits
        How many entries and bytes may come out.

    Returns
    -------
    tuple of Path
        Without folders and without what macOS and Windows add by themselves. Empty for an archive of those only.

    Raises
    ------
    ArchiveRefused
        ``bad_archive`` damaged or encrypted; ``unsafe_archive`` a path that leaves the folder, or a link;
        ``archive_too_large`` more than ``limits``; ``empty_upload`` no entry at all.
    """
    _check_directory_size(path, limits)
    try:
        with zipfile.ZipFile(path) as archive:
            members = _wanted(archive, limits)
            return tuple(_write_all(archive, members, into, limits))
    except _DAMAGE as error:
        raise ArchiveRefused(_DAMAGED) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a seek to a nonsense offset; a full disk is another matter
            raise
        raise ArchiveRefused(_DAMAGED) from error


def _check_directory_size(path: Path, limits: ArchiveLimits) -> None:
    """Refuse a huge list of entries before it is read into memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 65_557))
        tail = file.read()
    at = tail.rfind(_END_OF_DIRECTORY)
    if at < 0 or len(tail) < at + 22:
        raise ArchiveRefused(
            "The file is not a whole zip archive: its list of entries is missing; send it once more."
        )
    entries, directory_bytes = struct.unpack_from("<HI", tail, at + 10)
    if entries != 0xFFFF and entries > limits.entries:
        raise _too_many(entries, limits)
    if directory_bytes != 0xFFFFFFFF and directory_bytes > limits.directory_bytes:
        raise ArchiveRefused(
            f"The archive's list of entries takes {directory_bytes:,} bytes; "
            f"at most {limits.directory_bytes:,} are read.",
            code="archive_too_large",
        )


def _too_many(entries: int, limits: ArchiveLimits) -> ArchiveRefused:
    return ArchiveRefused(
        f"The archive holds {entries:,} entries; at most {limits.entries:,} are taken.", code="archive_too_large"
    )


def _wanted(archive: zipfile.ZipFile, limits: ArchiveLimits) -> list[tuple[zipfile.ZipInfo, tuple[str, ...]]]:
    """Return the members worth writing with their safe path; everything is checked before a byte is written."""
    infos = archive.infolist()
    if not infos:
        raise ArchiveRefused("The archive is empty; send the files of the site in it.", code="empty_upload")
    if len(infos) > limits.entries:
        raise _too_many(len(infos), limits)
    checked = [(info, _safe_parts(info, limits)) for info in infos]
    declared = sum(info.file_size for info in infos)
    if declared > limits.total_bytes:
        raise ArchiveRefused(
            f"The archive says it unpacks to {declared:,} bytes; at most {limits.total_bytes:,} are taken.",
            code="archive_too_large",
        )
    return [(info, parts) for info, parts in checked if not info.is_dir() and not _EXTRAS.search("/".join(parts))]


def _safe_parts(info: zipfile.ZipInfo, limits: ArchiveLimits) -> tuple[str, ...]:
    name = info.orig_filename.replace("\\", "/")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or "\x00" in name or re.match(r"^[A-Za-z]:", name):
        raise ArchiveRefused(
            "The archive holds an entry whose path leaves the archive's own folder; nothing of it was unpacked. "
            "Pack the files again without absolute paths or '..'.",
            code="unsafe_archive",
        )
    if len(parts) > limits.path_parts:
        raise ArchiveRefused(
            f"The archive nests folders {len(parts)} deep; at most {limits.path_parts} are taken.",
            code="unsafe_archive",
        )
    _check_member(info)
    return tuple(safe_name(part) for part in parts)


def _check_member(info: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveRefused(
            f"The archive's entry {safe_name(info.filename)!r} is a link or a device; send the file itself.",
            code="unsafe_archive",
        )
    if info.flag_bits & 0x1:
        raise ArchiveRefused("The archive is locked with a password; pack the files again without one.")
    if info.compress_type not in _DEFLATE_AND_STORED:
        raise ArchiveRefused(
            f"The archive uses compression method {info.compress_type}; pack it again as an ordinary zip (deflate)."
        )


def safe_name(name: str) -> str:
    """Return a file name of harmless characters, at most 80 long, its extension kept.

    >>> safe_name("../a*b?.SHP")
    '.._a_b_.SHP'
    """
    clean = _UNWANTED.sub("_", name).strip() or "_"
    stem, dot, extension = clean.rpartition(".")
    if not dot or len(extension) > 10:
        return clean[:80]
    return f"{stem[:68]}.{extension}"


def _write_all(
    archive: zipfile.ZipFile,
    members: list[tuple[zipfile.ZipInfo, tuple[str, ...]]],
    into: Path,
    limits: ArchiveLimits,
) -> Iterator[Path]:
    left = limits.total_bytes
    into.mkdir(parents=True, exist_ok=True)
    for info, parts in members:
        target = _free(into.joinpath(*parts))
        left -= _write(archive, info, target, left=left, limits=limits)
        yield target


def _free(target: Path) -> Path:
    """Return the path, or one beside it when another entry already took the name."""
    if target.parent.is_file():
        raise ArchiveRefused(
            "The archive uses one name for a file and for a folder; pack it again.", code="unsafe_archive"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise ArchiveRefused(
            f"The archive holds {target.name!r} twice in one folder; keep the one that counts.",
            code="unsafe_archive",
        )
    return target


def _write(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, *, left: int, limits: ArchiveLimits
) -> int:
    """Inflate one member, counting; return the bytes written."""
    written = 0
    with archive.open(info) as source, target.open("xb") as out:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            _check_growth(info, written, left, limits)
            out.write(chunk)
    return written


def _check_growth(info: zipfile.ZipInfo, written: int, left: int, limits: ArchiveLimits) -> None:
    if written > left:
        raise ArchiveRefused(
            f"The archive unpacks to more than {limits.total_bytes:,} bytes, which is the most that is taken.",
            code="archive_too_large",
        )
    if written > limits.ratio_from_bytes and written > limits.ratio * max(1, info.compress_size):
        raise ArchiveRefused(
            f"The archive's entry {safe_name(info.filename)!r} grows more than {limits.ratio} times when unpacked; "
            "nothing of a site does.",
            code="archive_too_large",
        )
