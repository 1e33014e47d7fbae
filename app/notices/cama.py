"""A town's own tax list: a CSV or XLSX export of its appraisal system, with a mapping of columns kept per town.

Cells are text and stay text, so that a ZIP keeps its zeros wherever the export kept them.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from spatial.errors import ArchiveRefused, FormatRefused, ParameterRefused

OURS = (
    "loc_id", "map_par_id", "prop_id", "owner", "co_owner", "address", "address2", "city", "state", "zip",
    "country", "use_code", "sale_date",
)  # fmt: skip
"""The columns we know; ``owner``, ``address`` and one of the first two must be mapped."""

KNOWN_HEADINGS = {
    "loc_id": ("loc_id", "locid", "gis id", "gis_id"),
    "map_par_id": ("map_par_id", "parcel id", "parcel_id", "parid", "map lot", "mblu", "map/lot", "parcel"),
    "prop_id": ("prop_id", "account", "account number", "acct", "pid", "vision id"),
    "owner": ("owner", "owner1", "owner name", "owner_name", "owner 1"),
    "co_owner": ("co_owner", "co owner", "owner2", "owner 2", "owner name 2", "c/o"),
    "address": (
        "own_addr",
        "mailing address",
        "mail address",
        "owner address",
        "address",
        "mail addr",
        "address 1",
    ),
    "address2": ("mailing address 2", "address 2", "mail addr 2", "address2"),
    "city": ("own_city", "mailing city", "mail city", "owner city", "city"),
    "state": ("own_state", "mailing state", "mail state", "owner state", "state"),
    "zip": ("own_zip", "mailing zip", "mail zip", "owner zip", "zip", "zip code"),
    "country": ("own_co", "country", "mailing country"),
    "use_code": ("use_code", "use code", "luc", "state class"),
    "sale_date": ("ls_date", "sale date", "last sale date", "sale_date"),
}
MAX_ROWS = 500_000
MAX_UNPACKED_BYTES = 1024**3
ZIP_MAGIC = b"PK\x03\x04"


class Export(NamedTuple):
    """An export as read: our column → its cells, and the mapping used (ours → theirs)."""

    rows: tuple[Mapping[str, str], ...]
    mapping: Mapping[str, str]


def read_export(
    name: str, content: bytes, mapping: Mapping[str, str], *, usual: Mapping[str, str] | None = None
) -> Export:
    """Return the rows of an export by our names.

    Parameters
    ----------
    name
        The file's name, for messages only; what it is its bytes say.
    mapping
        Ours → theirs.
    usual
        A mapping used before, for columns not named now, where the file has them; else their usual headings.

    Raises
    ------
    FormatRefused, ArchiveRefused
        When it is neither CSV text nor an XLSX workbook, or unpacks to more than a gibibyte.
    ParameterRefused
        ``bad_parameter`` when a column is named that is not there, or a needed one is not found.
    """
    table = _sheet(name, content) if content.startswith(ZIP_MAGIC) else _csv(name, content)
    header = [cell.strip() for cell in next(table, [])]
    if not any(header):
        raise FormatRefused(f"{name} has no heading row; export it with headings.", code="no_features", file=name)
    columns = _columns(name, header, mapping, usual or {})
    places = {ours: header.index(theirs) for ours, theirs in columns.items()}
    try:
        return Export(tuple(_rows(table, places)), columns)
    except (csv.Error, SyntaxError) as error:
        raise FormatRefused(f"{name} breaks off or is damaged; export it again.", code="corrupt_file") from error


def _rows(table: Iterator[list[str]], places: Mapping[str, int]) -> Iterator[dict[str, str]]:
    for number, cells in enumerate(table):
        if number >= MAX_ROWS:
            raise FormatRefused(f"The export has more than {MAX_ROWS:,} rows; send one town's.", code="too_large")
        if any(cell.strip() for cell in cells):
            yield {ours: cells[i].strip() if i < len(cells) else "" for ours, i in places.items()}


def _columns(
    name: str, header: Sequence[str], mapping: Mapping[str, str], usual: Mapping[str, str]
) -> dict[str, str]:
    folded = {h.casefold(): h for h in reversed(header) if h}
    found = {
        ours: folded[heading]
        for ours, headings in KNOWN_HEADINGS.items()
        if (heading := next((h for h in headings if h in folded), None))
    }
    found |= {ours: folded[theirs.casefold()] for ours, theirs in usual.items() if theirs.casefold() in folded}
    for ours, theirs in mapping.items():
        if ours not in OURS:
            raise ParameterRefused(
                f"{ours!r} is no column of ours; map one of {', '.join(OURS)}.", suggestions=OURS
            )
        if theirs.casefold() not in folded:
            raise ParameterRefused(f"{name} has no column {theirs!r}; it has {', '.join(h for h in header if h)}.")
        found[ours] = folded[theirs.casefold()]
    wanted = [c for c in ("owner", "address") if c not in found]
    if not {"loc_id", "map_par_id"} & set(found):
        wanted.insert(0, "loc_id or map_par_id")
    if wanted:
        raise ParameterRefused(f"{name}: say which column is {', '.join(wanted)} (--map ours=theirs).")
    return found


def _csv(name: str, content: bytes) -> Iterator[list[str]]:
    if b"\x00" in content[:4096]:
        raise FormatRefused(f"{name} is neither CSV text nor an XLSX workbook; export it again as CSV.", file=name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    return iter(csv.reader(io.StringIO(text, newline=""), dialect, doublequote=True))


def _sheet(name: str, content: bytes) -> Iterator[list[str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > MAX_UNPACKED_BYTES:
            raise ArchiveRefused(f"{name} unpacks to more than 1 GiB; send one town's.", code="archive_too_large")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, OSError, SyntaxError) as error:
        raise FormatRefused(
            f"{name} is no XLSX workbook we can read; save it again.", code="corrupt_file"
        ) from error
    return ([_cell(c) for c in row] for row in book.worksheets[0].iter_rows(values_only=True))


def _cell(value: object) -> str:
    """Return a cell as text: a whole number without its point, a day as ISO."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    isoformat = getattr(value, "isoformat", None)
    return str(isoformat())[:10] if callable(isoformat) else str(value)
