"""Reading: which letters a shapefile's table is written in, found by trying, not by believing the side file."""

from __future__ import annotations

import codecs
import re
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spatial.errors import FormatRefused
from spatial.model import Note

_LANGUAGE_DRIVERS = {0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x58: "cp1252", 0x59: "cp1252"}
_DIGITS = {"88591": "iso8859-1", "8859_1": "iso8859-1", "1252": "cp1252", "65001": "utf-8"}
_OF_LETTERS = re.compile(r"^(utf-8|ascii|cp\d+|iso8859-\d+|mac-[a-z]+|koi8-[a-z]|big5|gbk|shift_jis|euc_[a-z]+)$")


def encoding_of(table: Path, side_file: Path | None) -> tuple[str, tuple[Note, ...]]:
    """Return the encoding of a table's text, and a note when it had to be guessed.

    Parameters
    ----------
    table
        The ``.dbf``.
    side_file
        The ``.cpg`` when there is one: believed only when the bytes agree with it.
    """
    text, language_driver = _text_bytes(table)
    stated = _stated(side_file) or _LANGUAGE_DRIVERS.get(language_driver)
    if text.isascii():
        return stated or "utf-8", ()
    if stated and _decodes(text, stated):
        return stated, ()
    guess = "utf-8" if _decodes(text, "utf-8") else "cp1252"
    why = f"the file says {stated} and its bytes are not" if stated else "the file does not say"
    return guess, (Note("encoding_guessed", f"The text of the table was read as {guess}: {why}."),)


def check_rows(table: Path, shapes: int) -> None:
    """Refuse a table whose rows cannot be matched one to one to the shapes: a role or activity could be lost.

    Raises
    ------
    FormatRefused
        ``corrupt_file``.
    """
    with table.open("rb") as file:
        head = file.read(32)
    if len(head) < 32:
        raise damaged("its .dbf is cut short")
    records, header, width = struct.unpack_from("<IHH", head, 4)
    if header < 33 or width < 1 or header + records * width > table.stat().st_size:
        raise damaged("its .dbf is cut short or is no table")
    if records != shapes:
        raise damaged(f"its .dbf has {records:,} rows and its .shp {shapes:,} shapes")


def deleted_rows(table: Path) -> NDArray[np.bool_]:
    """Return which rows of a table that was checked are marked as deleted; their shapes are no features."""
    content = table.read_bytes()
    records, header, width = struct.unpack_from("<IHH", content, 4)
    marks = np.frombuffer(content, dtype=np.uint8)[header : header + records * width : width]
    deleted: NDArray[np.bool_] = marks == ord("*")
    return deleted


def _stated(side_file: Path | None) -> str | None:
    if side_file is None:
        return None
    word = side_file.read_bytes()[:40].decode("ascii", errors="ignore").strip().lower()
    number = word.removeprefix("ansi").strip(" -_")
    try:
        name = codecs.lookup(_DIGITS.get(number, word)).name
    except (LookupError, ValueError):
        return None
    return name if _OF_LETTERS.match(name) else None


def _decodes(text: bytes, encoding: str) -> bool:
    try:
        text.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _text_bytes(table: Path) -> tuple[bytes, int]:
    """Return all character fields' bytes, a line each, and the language driver byte of the header."""
    content = table.read_bytes()
    if len(content) < 33:
        raise damaged("its .dbf is cut short")
    records, header, width = struct.unpack_from("<IHH", content, 4)
    fields = _character_fields(content, header)
    rows = (
        content[at : at + width] for at in range(header, min(len(content), header + records * width), width or 1)
    )
    lines = [row[start:end] for row in rows for start, end in fields]
    return b"\n".join(lines), content[29]


def _character_fields(content: bytes, header: int) -> list[tuple[int, int]]:
    found, start = [], 1
    for at in range(32, min(header, len(content)) - 31, 32):
        if content[at] == 0x0D:
            break
        length = content[at + 16]
        if content[at + 11 : at + 12] == b"C":
            found.append((start, start + length))
        start += length
    return found


def damaged(what: str) -> FormatRefused:
    """Return the refusal of a damaged shapefile."""
    return FormatRefused(f"The shapefile is damaged: {what}; export it again.", code="corrupt_file")
