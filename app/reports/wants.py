"""Report: what a lot or its trees still wait for, and how a person at a terminal gives it."""

from __future__ import annotations

from collections.abc import Iterable

WANTS = {
    "town": "the town: --town NAME",
    "district": "the zoning district: --district CODE",
    "front_ft": "depth of the front yard: --front-ft N",
    "side_ft": "depth of the side yard: --side-ft N",
    "rear_ft": "depth of the rear yard: --rear-ft N",
    "street_centerline": "where the street's centreline runs: load the layer roads",
    "line_classes": "what each line is: --override EDGE=CLASS with --who and --why",
    "lot": "the lot: --parcel LOC_ID or --lot FILE",
    "protection": "whether each removed tree is protected: the yards and the town's rule decide it",
    "action": "whether a tree whose stem stands in the work stays: keep or remove in its column action",
    "replacement_ratio": "inches planted for an inch removed: entered by staff in DATA/towns/<slug>.toml",
    "contribution_rate": "dollars for an inch not planted: entered by staff in DATA/towns/<slug>.toml",
}
"""What each name in ``needs`` means and where it is given; a name not here is told as it is."""


def wanted(needs: Iterable[str]) -> list[str]:
    """Return a line for everything that is wanting, in the order given."""
    return [WANTS.get(name, name) for name in needs]
