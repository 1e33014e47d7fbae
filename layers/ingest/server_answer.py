"""Read: what a JSON file says of itself that GDAL passes over: that a server cut it short, or counts in steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from spatial.errors import FormatRefused
from spatial.read.limits import MIB

JSON_DRIVERS = ("GeoJSON", "ESRIJSON")
_LONGEST = 200
"""Bytes that no saying is longer than; blocks overlap by as much."""
_SAYINGS = re.compile(
    rb'"(?P<cut>exceededTransferLimit)"\s*:\s*"?true\b|"(?:numberMatched|totalFeatures)"\s*:\s*(?P<matched>\d+)\b'
    rb'|"rel"\s*:\s*"(?P<next>next)"|"(?P<steps>transform)"\s*:\s*[{\[]',
    re.IGNORECASE,
)


def refuse_part_of_an_answer(file: Path, name: str, driver: str, count: int) -> None:
    """Refuse a file of JSON that says it is a page of more, or that its coordinates are steps on a grid.

    Quotes inside a text are escaped in JSON, so what is looked for is always a member's name and never a value.

    Parameters
    ----------
    name, driver, count
        Of the layer as GDAL has it: what it is called, by which format it was read, and how many features it has.

    Raises
    ------
    FormatRefused
        ``incomplete_source`` or ``bad_json``. Half a layer is silence where there is something.
    """
    if driver not in JSON_DRIVERS or not file.is_file():
        return
    for said in _sayings(file):
        if said["steps"] and driver == "ESRIJSON":
            raise FormatRefused(
                f"The layer '{name}' gives its coordinates as steps on a grid ('transform'); fetch it without "
                "quantization.",
                code="bad_json",
                layer=name,
            )
        why = _cut_short(said, count)
        if why:
            raise FormatRefused(
                f"The layer '{name}' {why}: the server that wrote it cut it short; fetch all its pages and add the "
                "whole.",
                code="incomplete_source",
                layer=name,
            )


def _cut_short(said: re.Match[bytes], count: int) -> str:
    """Return in words that a file is one page of more; empty when this saying does not mean it."""
    if said["cut"]:
        return "says exceededTransferLimit"
    if said["next"]:
        return "names a next page"
    if said["matched"] and int(said["matched"]) > count:
        return f"holds {count:,} features and says that {int(said['matched']):,} match"
    return ""


def _sayings(file: Path) -> Iterator[re.Match[bytes]]:
    before = b""
    with file.open("rb") as opened:
        while block := opened.read(MIB):
            yield from _SAYINGS.finditer(before + block)
            before = block[-_LONGEST:]
