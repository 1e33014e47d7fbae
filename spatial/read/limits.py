"""Reading: how much of everything one upload may hold. Every limit has a name, and a refusal says it."""

from __future__ import annotations

from dataclasses import dataclass, field

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may unpack to; ``ratio`` is only held against members larger than ``ratio_from_bytes``."""

    entries: int = 2_000
    total_bytes: int = 200 * MIB
    ratio: int = 300
    ratio_from_bytes: int = 8 * MIB
    directory_bytes: int = 4 * MIB
    path_parts: int = 16


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What an upload may hold.

    ``rings`` is the most in one feature, ``nesting`` the depth of JSON or XML, ``text_chars`` the longest
    attribute value, ``site_acres`` the largest union of polygons taken as one site. A boundary that crosses
    itself is mended up to ``crossings_vertices`` vertices and ``crossings`` crossings. A site of more than
    ``outline_vertices`` vertices may have a boundary ``outline`` times as long as the side of a square of its area:
    5,000 square sheds apart have 283 times, a comb of 10,000 teeth thousands, and cutting it would hold a thread
    for minutes.
    """

    upload_bytes: int = 50 * MIB
    features: int = 5_000
    vertices: int = 100_000
    rings: int = 1_000
    columns: int = 300
    text_chars: int = 10_000
    nesting: int = 64
    xml_elements: int = 500_000
    site_acres: float = 10_000.0
    crossings_vertices: int = 20_000
    crossings: int = 10_000
    outline_vertices: int = 2_000
    outline: float = 500.0
    archive: ArchiveLimits = field(default_factory=ArchiveLimits)
