"""A source that misbehaves ends in a whole layer or in a refusal, never in part of a layer."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from layers.sources.arcgis import Wanted, count_rows, fetch
from layers.sources.door import Door, DoorRules
from layers.sources.errors import SourceFailed, SourceIncomplete, SourceRefused

sys.path.insert(0, str(Path(__file__).parent))
from standin import Service, rows, running

RULES = DoorRules(hosts=frozenset(), plain_http=frozenset({"127.0.0.1"}), timeout_s=0.5, first_wait_s=0.001)


def door(rules: DoorRules = RULES) -> Door:
    return Door(rules)


def fetched_ids(file: Path) -> list[int]:
    told = json.loads(file.read_text())
    return [feature["attributes"]["OBJECTID"] for feature in told["features"]]


@pytest.mark.parametrize(
    "faults",
    [
        set(),
        {"short pages"},
        {"short pages", "no exceededTransferLimit"},
        {"no exceededTransferLimit"},
        {"null geometry"},
    ],
    ids=lambda faults: ", ".join(sorted(faults)) or "well behaved",
)
def test_a_layer_arrives_whole_however_it_is_paged(tmp_path: Path, faults: set[str]) -> None:
    service = Service(rows(333), limit=100, faults=faults)
    with running(service) as url, door() as way:
        got = fetch(way, Wanted(url), tmp_path)
    assert got.count == 333
    assert fetched_ids(got.file) == sorted(service.rows)
    assert got.fields == ("OBJECTID", "NAME")


def test_the_feature_set_says_its_system_and_keeps_every_digit(tmp_path: Path) -> None:
    service = Service(
        {1: {"attributes": {"OBJECTID": 1, "NAME": "x"}, "geometry": {"rings": [[[217000.123456789, 1.0]]]}}}
    )
    with running(service) as url, door() as way:
        told = json.loads(fetch(way, Wanted(url), tmp_path).file.read_text())
    assert told["spatialReference"] == {"wkid": 26986}
    assert told["geometryType"] == "esriGeometryPolygon"
    assert told["features"][0]["geometry"]["rings"][0][0][0] == 217000.123456789
    asked = [question for question in service.asked if question.get("returnGeometry") == "true"]
    assert asked and all("geometryPrecision" not in question for question in asked)
    assert all(question["returnTrueCurves"] == "false" for question in asked)


def test_an_empty_layer_is_an_honest_nothing(tmp_path: Path) -> None:
    with running(Service({})) as url, door() as way:
        got = fetch(way, Wanted(url), tmp_path)
    assert got.count == 0
    assert fetched_ids(got.file) == []


@pytest.mark.parametrize(
    ("faults", "says"),
    [
        ({"wrong count"}, "counts 334"),
        ({"duplicate ids"}, "lists 334"),
        ({"duplicate rows"}, "not the same ones"),
        ({"other rows"}, "not the same ones"),
        ({"grows"}, "changed while it was read"),
        ({"changed fields"}, "FLD_ZONE"),
    ],
    ids=str,
)
def test_what_does_not_add_up_is_refused(tmp_path: Path, faults: set[str], says: str) -> None:
    with (
        running(Service(rows(333), faults=faults)) as url,
        door() as way,
        pytest.raises(SourceIncomplete, match=says),
    ):
        fetch(way, Wanted(url), tmp_path)
    assert not (tmp_path / "features.json").exists()


def test_a_row_that_is_listed_but_never_given_is_refused(tmp_path: Path) -> None:
    service = Service(rows(50), hidden={7 + 3 * 20})
    with running(service) as url, door() as way, pytest.raises(SourceIncomplete, match="lists OBJECTID 67 but"):
        fetch(way, Wanted(url), tmp_path)


def test_curves_are_refused_with_another_way(tmp_path: Path) -> None:
    with running(Service(rows(3), faults={"curves"})) as url, door() as way:
        with pytest.raises(SourceRefused, match=r"curves.*as a file"):
            fetch(way, Wanted(url), tmp_path)


def test_another_system_than_the_one_asked_for_is_refused(tmp_path: Path) -> None:
    with running(Service(rows(3), faults={"other system"})) as url, door() as way:
        with pytest.raises(SourceRefused, match="asked for EPSG:26986 and answers in the system 102100"):
            fetch(way, Wanted(url), tmp_path)


@pytest.mark.parametrize("faults", [set(), {"hang"}, {"cut"}], ids=["500", "hang", "cut"])
def test_passing_trouble_is_tried_again(tmp_path: Path, faults: set[str]) -> None:
    service = Service(rows(120), faults=faults, fail_first=2)
    with running(service) as url, door() as way:
        assert fetch(way, Wanted(url), tmp_path).count == 120


def test_lasting_trouble_is_said(tmp_path: Path) -> None:
    with running(Service(rows(5), fail_first=99)) as url, door() as way:
        with pytest.raises(SourceFailed, match=r"127.0.0.1 gave no whole answer in 4 tries .status 500."):
            fetch(way, Wanted(url), tmp_path)


def test_an_error_inside_a_200_is_an_error(tmp_path: Path) -> None:
    with running(Service(rows(5), faults={"error in 200"})) as url, door() as way:
        with pytest.raises(SourceRefused, match="error 400: Invalid query parameters"):
            fetch(way, Wanted(url), tmp_path)


def test_an_interrupted_fetch_goes_on_where_it_stood(tmp_path: Path) -> None:
    service = Service(rows(300), limit=100, hidden={7 + 3 * 250})
    with running(service) as url:
        with door() as way, pytest.raises(SourceIncomplete):
            fetch(way, Wanted(url), tmp_path)
        pages = len(list((tmp_path / "pages").glob("*.json")))
        service.hidden, service.asked = set(), []
        with door() as way:
            got = fetch(way, Wanted(url), tmp_path)
    asked = [question for question in service.asked if "returnGeometry" in question]
    assert pages >= 2
    assert fetched_ids(got.file) == sorted(service.rows)
    assert all(">= 7 " not in question["where"] for question in asked)


def test_pages_of_another_question_are_not_used(tmp_path: Path) -> None:
    service = Service(rows(60))
    with running(service) as url, door() as way:
        fetch(way, Wanted(url), tmp_path)
        del service.rows[7]
        assert fetched_ids(fetch(way, Wanted(url), tmp_path).file) == sorted(service.rows)


def test_bounds_are_asked_in_the_working_system(tmp_path: Path) -> None:
    service = Service(rows(4))
    with running(service) as url, door() as way:
        assert count_rows(way, Wanted(url, bounds=(1.5, 2.0, 3.0, 4.25))) == 4
    assert service.asked[-1]["geometry"] == "1.5,2.0,3.0,4.25"
    assert service.asked[-1]["inSR"] == "26986"
