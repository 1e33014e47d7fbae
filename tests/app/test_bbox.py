"""A box in degrees, read or refused in one sentence."""

from __future__ import annotations

import pytest
from pyproj import Transformer

from app.bbox import bounds_of
from spatial.errors import ParameterRefused


def test_every_corner_and_the_bent_sides_lie_inside() -> None:
    west, south, east, north = bounds_of("-73.5,42.0,-70.0,42.5")
    move = Transformer.from_crs(4326, 26986, always_xy=True)
    for lon in (-73.5, -71.5, -70.0):
        for lat in (42.0, 42.5):
            x, y = move.transform(lon, lat)
            assert west <= x <= east
            assert south - 1.0 <= y <= north + 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2,3", "not four numbers"),
        ("a,b,c,d", "not four numbers"),
        ("-71,42,-72,43", "no box in degrees"),
        ("217900,888400,218000,888500", "no box in degrees"),
        ("-71.3,42.2,-71.2,nan", "not finite"),
        ("-179,-80,179,80", "far beyond Massachusetts"),
    ],
)
def test_nonsense_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(ParameterRefused, match=said) as refused:
        bounds_of(text)
    assert refused.value.code == "bad_parameter"
