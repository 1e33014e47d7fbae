"""Net, nested rings around a resource."""

from __future__ import annotations

import pytest
from findings_asked import ABSOLUTE_SQFT, ask, site
from shapes import WORK, box, frame, theme

BANDS = (25.0, 50.0, 100.0, 150.0, 200.0)


@pytest.mark.parametrize("made", ["before", "here"])
def test_net_zones_add_up_to_the_whole(made: str) -> None:
    """A pond 30 ft west of the work: strips of 200 ft height, no corner within them."""
    pond = box(-130, -400, -30, 600)
    zones = {"buffer_zone": BANDS} if made == "before" else None
    (found,) = ask(
        frame("wetlands", [pond], zones=zones, coverage=box(-1_000, -1_000, 1_000, 1_200)),
        theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS),
        at=site(WORK, box(-50, 0, 300, 200)),
    )
    got = {(z.from_ft, z.to_ft): (z.disturbance_sqft, z.parcel_sqft) for z in found.zones}
    expected = {
        (0, 0): (0, 20 * 200),
        (0, 25): (0, 25 * 200),
        (25, 50): (20 * 200, 25 * 200),
        (50, 100): (50 * 200, 50 * 200),
        (100, 150): (50 * 200, 50 * 200),
        (150, 200): (50 * 200, 50 * 200),
    }
    assert got.keys() == expected.keys()
    for band, areas in expected.items():
        assert got[band] == pytest.approx(areas, abs=ABSOLUTE_SQFT)


def test_work_over_many_lots_is_cut_to_each_of_them() -> None:
    """400 lots of 50 ft square; a pond and its rings cross them in strips, one edition holding each half."""
    lots = [box(x, y, x + 50, y + 50) for x in range(0, 1_000, 50) for y in range(0, 1_000, 50)]
    halves = [
        frame("wetlands", [box(-50, low, 10, low + 500)], part=str(low), coverage=box(-900, low, 1_900, low + 500))
        for low in (0, 500)
    ]
    (found,) = ask(
        halves,
        theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS),
        at=site(box(0, 0, 1_000, 1_000), *lots),
    )
    assert [z.parcel_sqft for z in found.zones] == pytest.approx(
        [10_000, 25_000, 25_000, 50_000, 50_000, 50_000], abs=1.0
    )
    assert [z.disturbance_sqft for z in found.zones] == pytest.approx([z.parcel_sqft for z in found.zones], abs=1.0)
    assert [share.disturbance_sqft for share in found.by_parcel[:20]] == pytest.approx([500.0] * 20, abs=0.01)
    assert {share.disturbance_sqft for share in found.by_parcel[20:]} == {0.0}


def test_zones_of_two_editions_count_ground_once() -> None:
    one = frame(
        "wetlands",
        [box(-40, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="dover",
        coverage=box(-1_000, -1_000, 1_000, 1_200),
    )
    two = frame(
        "wetlands",
        [box(-45, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="natick",
        coverage=box(-1_000, -1_000, 1_000, 1_200),
    )
    (found,) = ask([one, two], theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS))
    assert [round(z.disturbance_sqft, 2) for z in found.zones] == [0, 0, 4_000, 10_000, 10_000, 10_000]


def test_rings_that_end_at_the_town_line_are_made_whole() -> None:
    """A pond of one town 30 ft from a site that reaches into the next: its rings do not end at the line."""
    west = frame(
        "wetlands",
        [box(-130, -400, -30, 600)],
        zones={"buffer_zone": BANDS},
        part="dover",
        coverage=box(-1_000, -1_000, 40, 1_200),
    )
    east = frame(
        "wetlands", [], zones={"buffer_zone": BANDS}, part="natick", coverage=box(40, -1_000, 1_000, 1_200)
    )
    (found,) = ask([west, east], theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS))
    assert [round(z.disturbance_sqft) for z in found.zones] == [0, 0, 4_000, 10_000, 10_000, 10_000]


def test_no_zones_where_nothing_is_near() -> None:
    (found,) = ask(
        frame("wetlands", [box(900, 0, 1_000, 200)]),
        theme("buffer_zone", "wetlands", within_ft=100, bands_ft=BANDS),
    )
    assert (found.zones, found.status) == ((), "not_affected")
