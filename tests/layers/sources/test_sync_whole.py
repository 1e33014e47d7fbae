"""What belongs together comes together: owners with lots, lakes with rivers, every column, today's rows."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import shapely

from layers.catalog import Catalog
from layers.ingest.request import AddRequest
from layers.sources.arcgis import Wanted, fetch
from layers.sources.door import Door
from layers.sources.errors import SourceFailed
from layers.sources.ground import WHOLE_STATE, Ground
from layers.sources.sync import Errand, check, sync
from spatial.model import Town

sys.path.insert(0, str(Path(__file__).parent))
from brought import DAY, RULES, catalog, errand, source
from standin import Service, running, square

DOVER = Town(78, "dover", "Dover")
HERE = Ground("dover", (DOVER,), (217_000.0, 888_000.0, 218_000.0, 889_000.0))
ACRE_M = 63.614907


def lot(oid: int) -> dict[str, Any]:
    """Return a lot of an acre with the columns of TaxPar."""
    row = square(oid, ACRE_M)
    loc_id = f"F_{715_000 + 300 * oid}_2914708"
    row["attributes"] = {
        "OBJECTID": oid,
        "LOC_ID": loc_id,
        "MAP_PAR_ID": f"1-{oid}",
        "TOWN_ID": 78,
        "POLY_TYPE": "FEE",
    }
    ring = row["geometry"]["rings"][0]
    row["geometry"]["rings"][0] = [[x + ACRE_M * 2 * oid, y] for x, y in ring]
    return row


def owner(oid: int, of: int) -> dict[str, Any]:
    """Return an assessors' row of a lot."""
    return {
        "attributes": {
            "OBJECTID": oid,
            "PROP_ID": f"M_{oid}",
            "LOC_ID": f"F_{715_000 + 300 * of}_2914708",
            "TOWN_ID": 78,
            "FY": 2026,
            "OWNER1": f"OWNER {oid}",
            "SITE_ADDR": f"{oid} MAIN ST",
            "LOT_SIZE": 1.0,
            "LOT_UNITS": "A",
            "USE_CODE": "101",
        }
    }


def lots(*, owners: int = 3) -> Service:
    """Return a server with three lots as layer 0 and its assessors' rows as table 4, the first lot owned by two."""
    columns = ("LOC_ID", "MAP_PAR_ID", "TOWN_ID", "POLY_TYPE")
    rows = {1: owner(1, 1), 2: owner(2, 1), **{n: owner(n, n - 1) for n in range(3, owners + 1)}}
    wide = ("PROP_ID", "LOC_ID", "TOWN_ID", "FY", "OWNER1", "SITE_ADDR", "LOT_SIZE", "LOT_UNITS", "USE_CODE")
    table = Service(rows, columns=wide, geometry=None)
    return Service({n: lot(n) for n in (1, 2, 3)}, columns=columns, others={"4": table})


def parcels(url: str) -> Catalog:
    base = url.rpartition("/")[0]
    return catalog(
        "parcels", source(url, per_town=True, where="TOWN_ID = {town_id}", tables={"assess": f"{base}/4"})
    )


def with_towns(run: Errand, folder: Path) -> None:
    """Load the town's polygon, which its parcels are said to cover."""
    shape = shapely.geometry.mapping(shapely.box(216_000, 887_000, 219_000, 890_000))
    feature = {"type": "Feature", "properties": {"TOWN_ID": 78, "TOWN": "DOVER"}, "geometry": shape}
    system = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::26986"}}
    path = folder / "towns.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": system, "features": [feature]}))
    run.library.add(AddRequest("towns", path, DAY))


def test_lots_come_with_their_owners_from_a_table_of_its_own(tmp_path: Path) -> None:
    server = lots(owners=4)
    with running(server) as url, errand(tmp_path, parcels(url)) as run:
        with_towns(run, tmp_path)
        [told] = sync(run, ["parcels"], HERE)
    assert (told.outcome, told.part, told.rows) == ("new", "dover", 3), told.why
    (made,) = run.library.current("parcels")
    assert made.assess is not None
    assert (made.assess.rows, made.assess.matched, made.published) == (4, 4, "FY2026")
    book = run.library.snapshot().parcels
    first = lot(1)["attributes"]["LOC_ID"]
    assert [row.owner for row in book.assess(first)] == ["OWNER 1", "OWNER 2"]
    assert book.get(first).lot_size_sqft == pytest.approx(43_560.0)
    asked = [q["where"] for q in server.others["4"].asked if q["path"].endswith("/query")]
    assert all("TOWN_ID = 78" in where for where in asked)


def test_lots_without_their_owners_are_not_brought(tmp_path: Path) -> None:
    server = lots()
    server.others["4"].faults = {"wrong count"}
    with running(server) as url, errand(tmp_path, parcels(url)) as run:
        with_towns(run, tmp_path)
        [told] = sync(run, ["parcels"], HERE)
    assert told.outcome == "failed"
    assert "counts 4 rows" in (told.why or "")
    assert run.library.current("parcels") == ()


# ------------------------------------------------------------------------------------------------ beside


def water(oid: int) -> dict[str, Any]:
    row = square(oid)
    row["attributes"] = {"OBJECTID": oid, "AU_ID": f"MA93-{oid:02d}", "CATEGORY": "5"}
    return row


def river(oid: int) -> dict[str, Any]:
    x = 217_000.0 + 30 * oid
    return {**water(oid), "geometry": {"paths": [[[x, 888_000.0], [x, 888_900.0]]]}}


def waters(lakes: int = 2) -> Service:
    columns = ("AU_ID", "CATEGORY")
    lake = Service({n: water(n) for n in range(50, 50 + lakes)}, columns=columns)
    rows = {n: river(n) for n in (1, 2, 3)}
    return Service(rows, columns=columns, geometry="esriGeometryPolyline", others={"2": lake})


def units(url: str) -> Catalog:
    lakes = source(f"{url.rpartition('/')[0]}/2", beside=True)
    return catalog("impaired_waters", source(url), lakes)


def test_lakes_come_beside_their_rivers(tmp_path: Path) -> None:
    with running(waters()) as url, errand(tmp_path, units(url)) as run:
        told = sync(run, ["impaired_waters"], HERE)
    assert [(one.outcome, one.part, one.rows) for one in told] == [("new", "dover", 3), ("new", "dover-polygon", 2)]
    assert {f.kind for f in run.library.frame("impaired_waters")} == {"line", "polygon"}


def test_a_town_without_lakes_keeps_its_rivers(tmp_path: Path) -> None:
    with running(waters(0)) as url, errand(tmp_path, units(url)) as run:
        told = sync(run, ["impaired_waters"], HERE)
    assert [(one.part, one.rows) for one in told] == [("dover", 3), ("dover-polygon", 0)]


def test_rivers_do_not_come_without_their_lakes(tmp_path: Path) -> None:
    """Rivers alone would say that no lake is impaired."""
    server = waters()
    server.others["2"].faults = {"wrong count"}
    with running(server) as url, errand(tmp_path, units(url)) as run:
        [told] = sync(run, ["impaired_waters"], HERE)
    assert (told.outcome, run.library.current("impaired_waters")) == ("failed", ())


def test_nothing_at_all_from_a_filter_nobody_verified_is_refused(tmp_path: Path) -> None:
    doubtful = Service({}, columns=("AU_ID", "CATEGORY"))
    with running(doubtful) as url:
        known = catalog("impaired_waters", source(url, unverified=True, where="organizationid = 'MA_DEP'"))
        with errand(tmp_path, known) as run:
            [told] = sync(run, ["impaired_waters"], HERE)
    assert told.outcome == "failed"
    assert "that filter is not verified" in (told.why or "")


# ------------------------------------------------------------------------------------------------ fields and days


def habitat(oid: int, *, shift: float = 0.0) -> dict[str, Any]:
    row = square(oid)
    row["attributes"] = {"OBJECTID": oid, "PRIHAB_ID": f"PH {oid}", "VERSION": "15"}
    row["geometry"]["rings"][0] = [[x + shift, y] for x, y in row["geometry"]["rings"][0]]
    return row


def species(count: int = 3, **how: Any) -> Service:
    how.setdefault("columns", ("PRIHAB_ID", "VERSION"))
    return Service({n: habitat(n) for n in range(1, count + 1)}, **how)


def test_a_column_that_was_read_before_and_is_gone_keeps_the_old_edition(tmp_path: Path) -> None:
    server = species()
    with running(server) as url, errand(tmp_path, catalog("priority_habitat", source(url))) as run:
        [first] = sync(run, ["priority_habitat"], HERE)
        server.columns = ("PRIHAB_ID", "EDITION")
        for row in server.rows.values():
            row["attributes"]["EDITION"] = row["attributes"].pop("VERSION")
        [second] = sync(run, ["priority_habitat"], HERE)
    assert (first.outcome, second.outcome) == ("new", "failed")
    assert "no longer has the field VERSION, from which 'version'" in (second.why or "")
    (kept,) = run.library.current("priority_habitat")
    assert kept.edition == first.edition


def test_rows_redrawn_under_the_same_ids_are_fetched_anew(tmp_path: Path) -> None:
    server = species()
    with running(server) as url:
        known = catalog("priority_habitat", source(url))
        editions = []
        for day in (DAY, DAY + timedelta(days=30), DAY + timedelta(days=30)):
            with errand(tmp_path, known, on=day) as run:
                editions.append(sync(run, ["priority_habitat"], HERE)[0].edition)
            (frame,) = run.library.frame("priority_habitat")
            assert frame.geometry[0].bounds[0] == pytest.approx(
                min(r["geometry"]["rings"][0][0][0] for r in server.rows.values())
            )
            server.rows = {n: habitat(n, shift=5.0 * len(editions)) for n in server.rows}
    assert len(set(editions)) == 3


def test_an_interrupted_fetch_goes_on_the_same_day_and_begins_anew_on_another(tmp_path: Path) -> None:
    server = species(30, limit=10)
    with running(server) as url, Door(RULES) as door:

        def stop(done: int, total: int) -> None:
            if done == 20:
                raise KeyboardInterrupt

        for day, pages in ((DAY, 1), (DAY + timedelta(days=1), 3)):
            with pytest.raises(KeyboardInterrupt):
                fetch(door, Wanted(url), tmp_path / str(pages), stop, on=DAY)
            server.asked.clear()
            assert fetch(door, Wanted(url), tmp_path / str(pages), on=day).count == 30
            assert sum(q.get("returnGeometry") == "true" for q in server.asked) == pages


def test_a_source_that_fails_midway_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    server = species(30, limit=10)
    with running(server) as url, errand(tmp_path, catalog("priority_habitat", source(url))) as run:
        server.hidden = {25}
        [first] = sync(run, ["priority_habitat"], HERE)
        server.hidden = set()
        server.asked.clear()
        [second] = sync(run, ["priority_habitat"], HERE)
    assert (first.outcome, second.outcome, second.rows) == ("failed", "new", 30)
    assert "lists OBJECTID 25 but does not give it" in (first.why or "")
    assert sum(q.get("returnGeometry") == "true" for q in server.asked) < 3
    assert not list((tmp_path / "sync" / "priority_habitat").iterdir())


# ------------------------------------------------------------------------------------------------ check


def test_check_asks_services_tables_and_files(tmp_path: Path) -> None:
    server = lots(owners=4)
    server.files = {"/L3_SHP_M078_DOVER.zip": b"PK"}
    with running(server) as url, Door(RULES) as door:
        root = url.split("/arcgis")[0]
        zipped = source(f"{root}/L3_SHP_M{{town_id:03d}}_{{TOWN}}.zip", kind="zip", per_town=True)
        gone = source(f"{root}/gone.zip", kind="zip")
        known = parcels(url)
        service = known.spec("parcels").sources[0]
        told = [a for a in check(door, catalog("parcels", zipped, gone, service)) if a.layer_id == "parcels"]
    assert [(a.rows, a.why is None) for a in told] == [(None, True), (None, True), (3, True), (4, True)] or told[
        1
    ].why


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with running(Service({}, fail_first=99, status=404)) as url, Door(RULES) as door:
        gone = source(url.split("/arcgis")[0] + "/gone.zip", kind="zip")
        (told,) = [a for a in check(door, catalog("roads", gone)) if a.layer_id == "roads"]
    assert "answered status 404" in (told.why or "")


def test_a_file_a_town_needs_a_town(tmp_path: Path) -> None:
    with running(Service({})) as url, errand(tmp_path, parcels(url)) as run:
        [told] = sync(run, ["parcels"], WHOLE_STATE)
    assert "is a file a town; name the town" in (told.why or "")


def test_a_cut_download_leaves_no_edition(tmp_path: Path) -> None:
    with running(Service({}, fail_first=99, faults={"cut"})) as url, Door(RULES) as door:
        with pytest.raises(SourceFailed):
            door.download(url.split("/arcgis")[0] + "/made.zip", tmp_path / "made.zip")
    assert not (tmp_path / "made.zip").exists()
