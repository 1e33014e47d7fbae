"""Layers brought from a stand-in for the agencies into a real library: whole, or the old edition stays."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import shapely

from layers.catalog import Catalog, catalog_of, load_specs
from layers.library import AddRequest, Library
from layers.sources.arcgis import Progress
from layers.sources.door import Door, DoorRules
from layers.sources.errors import SourceRefused
from layers.sources.ground import WHOLE_STATE, Ground, ground_of
from layers.sources.sync import Errand, check, hosts, sync
from layers.towns import TownBook
from spatial.errors import ParameterRefused
from spatial.model import Town

sys.path.insert(0, str(Path(__file__).parent))
from standin import Service as Standin
from standin import running

DAY = date(2026, 11, 2)
HERE = Ground("dover", (), (217_000.0, 888_000.0, 218_000.0, 889_000.0))
DOORS: list[Door] = []
RULES = DoorRules(hosts=frozenset(), plain_http=frozenset({"127.0.0.1"}), timeout_s=0.5, first_wait_s=0.001)


def Service(*given: Any, **more: Any) -> Standin:  # noqa: N802
    """Return a stand-in with the columns of habitat."""
    return Standin(*given, columns=("NAME", "PRIHAB_ID"), **more)


@pytest.fixture(autouse=True)
def close_doors() -> Iterator[None]:
    yield
    while DOORS:
        DOORS.pop().__exit__()


def habitat(oid: int) -> dict[str, object]:
    x = 217_000.0 + 100.0 * oid
    ring = [[x, 888_000.0], [x, 888_050.0], [x + 50.0, 888_050.0], [x + 50.0, 888_000.0], [x, 888_000.0]]
    attributes = {"OBJECTID": oid, "NAME": f"h{oid}", "PRIHAB_ID": f"PH {oid}"}
    return {"attributes": attributes, "geometry": {"rings": [ring]}}


def catalog(*urls: str, kind: str = "arcgis") -> Catalog:
    """Return our catalogue with the addresses of one layer's sources replaced by the stand-in's."""
    ours = load_specs()
    spec = ours.spec("priority_habitat")
    source = spec.sources[0]
    sources = tuple(source.model_copy(update={"url": url, "kind": kind}) for url in urls)
    changed = spec.model_copy(update={"sources": sources})
    return catalog_of([changed if s.id == spec.id else s for s in ours.specs.values()])


def errand(data: Path, known: Catalog) -> Errand:
    def silent(_title: str) -> Progress | None:
        return None

    door = Door(RULES)
    DOORS.append(door)
    return Errand(Library(data, known), door, DAY, data / "sync", silent)


def test_a_layer_becomes_an_edition_that_names_its_source_and_its_ground(tmp_path: Path) -> None:
    service = Service({oid: habitat(oid) for oid in range(1, 6)})
    with running(service) as url:
        run = errand(tmp_path, catalog(url))
        [told] = sync(run, ["priority_habitat"], HERE)
    assert (told.outcome, told.part, told.rows, told.source_url) == ("new", "dover", 5, url), told.why
    [frame] = run.library.frame("priority_habitat")
    assert sorted(frame.attributes["habitat_id"]) == ["PH 1", "PH 2", "PH 3", "PH 4", "PH 5"]
    assert frame.ref.retrieved == "2026-11-02"
    reach_m = (frame.coverage.bounds[2] - frame.coverage.bounds[0] - 1_000.0) / 2
    assert reach_m == pytest.approx(1_000 * 1200 / 3937, abs=0.001), "500 ft of margin and 500 ft of reach each way"
    asked = [q for q in service.asked if q.get("returnGeometry") == "true"]
    assert asked[0]["geometry"].startswith(str(217_000.0 - reach_m)[:9])


def test_a_failing_source_leaves_the_edition_in_force(tmp_path: Path) -> None:
    good = Service({1: habitat(1)})
    with running(good) as url:
        run = errand(tmp_path, catalog(url))
        [first] = sync(run, ["priority_habitat"], HERE)
        good.rows[2] = habitat(2)
        good.faults = {"wrong count"}
        [second] = sync(run, ["priority_habitat"], HERE)
    assert second.outcome == "failed"
    assert "counts 3 rows" in (second.why or "")
    [frame] = run.library.frame("priority_habitat")
    assert frame.ref.edition == first.edition


def test_the_next_source_is_asked_when_the_first_fails(tmp_path: Path) -> None:
    with running(Service({}, faults={"error in 200"})) as bad, running(Service({7: habitat(7)})) as good:
        [told] = sync(errand(tmp_path, catalog(bad, good)), ["priority_habitat"], HERE)
    assert (told.outcome, told.source_url) == ("new", good)


def test_one_layer_failing_leaves_the_others(tmp_path: Path) -> None:
    with running(Service({1: habitat(1)})) as url:
        told = sync(errand(tmp_path, catalog(url)), ["wetlands", "priority_habitat"], HERE)
    assert [(one.layer_id, one.outcome) for one in told] == [("wetlands", "failed"), ("priority_habitat", "new")]
    assert "not one of the hosts" in (told[0].why or "")


def test_a_layer_that_is_gone_is_an_honest_empty_edition(tmp_path: Path) -> None:
    with running(Service({})) as url:
        run = errand(tmp_path, catalog(url))
        [told] = sync(run, ["priority_habitat"], HERE)
    assert (told.outcome, told.rows) == ("new", 0)
    [frame] = run.library.frame("priority_habitat")
    assert len(frame) == 0
    assert frame.coverage.contains(shapely.box(*(HERE.box or ())))


def test_a_file_is_downloaded_and_added(tmp_path: Path) -> None:
    features = [
        {"type": "Feature", "properties": {"PRIHAB_ID": "PH 9"}, "geometry": shapely.geometry.mapping(area)}
        for area in [shapely.box(-71.29, 42.24, -71.28, 42.25)]
    ]
    told = json.dumps({"type": "FeatureCollection", "features": features})
    zipped = tmp_path / "made.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("prihab.geojson", told)
    data = tmp_path / "data"
    with running(Service({}, files={"/prihab.zip": zipped.read_bytes()})) as url:
        known = catalog(url.split("/arcgis")[0] + "/prihab.zip", kind="zip")
        run = errand(data, known)
        run.library.add(towns_file(tmp_path))
        [one] = sync(run, ["priority_habitat"], WHOLE_STATE)
    assert (one.outcome, one.rows, one.part) == ("new", 1, "state"), one.why


def towns_file(folder: Path) -> AddRequest:
    """Return an order for two towns beside each other and one a mile away."""
    places = {78: (217_000, 220_000), 175: (220_000, 223_000), 2: (226_000, 228_000)}
    features = [
        {
            "type": "Feature",
            "properties": {"TOWN_ID": town, "TOWN": str(town)},
            "geometry": shapely.geometry.mapping(shapely.box(west, 887_000, east, 890_000)),
        }
        for town, (west, east) in places.items()
    ]
    system = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::26986"}}
    path = folder / "towns.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": system, "features": features}))
    return AddRequest(layer_id="towns", path=path, on=DAY)


def test_a_town_brings_its_neighbours(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    library.add(towns_file(tmp_path))
    dover = Town(78, "dover", "Dover")
    book = TownBook({78: dover, 175: Town(175, "medfield", "Medfield"), 2: Town(2, "acton", "Acton")}, {})
    ground = ground_of(dover, library.frame("towns"), book)
    assert [town.slug for town in ground.towns] == ["dover", "medfield"]
    assert ground.box == pytest.approx((217_000, 887_000, 220_000, 890_000))


def test_a_town_that_is_not_loaded_is_said(tmp_path: Path) -> None:
    with pytest.raises(ParameterRefused, match="does not hold Dover; sync it first"):
        ground_of(Town(78, "dover", "Dover"), Library(tmp_path).frame("towns"), TownBook({}, {}))


def test_a_layer_without_a_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="'elevation' names no source"):
        sync(errand(tmp_path, load_specs()), ["elevation"], HERE)


def test_only_hosts_of_the_specifications_are_on_the_list() -> None:
    named = hosts(load_specs())
    assert {"hazards.fema.gov", "arcgisserver.digital.mass.gov"} <= named
    assert all("." in host for host in named)


def test_every_source_can_be_asked_whether_it_is_there(tmp_path: Path) -> None:
    with running(Service({1: habitat(1), 2: habitat(2)})) as url, Door(RULES) as door:
        told = {one.layer_id: one for one in check(door, catalog(url))}
    assert told["priority_habitat"].rows == 2
    assert "not one of the hosts" in (told["wetlands"].why or "")
