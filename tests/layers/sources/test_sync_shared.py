"""Real files served from loopback and synced are the same editions as the files added by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from layers.catalog import load_specs
from layers.ingest.request import AddRequest
from layers.library import Library, Manifest
from layers.sources.ground import WHOLE_STATE, Ground
from layers.sources.said import Said, said_of
from layers.sources.sync import sync
from spatial.model import Town

sys.path.insert(0, str(Path(__file__).parent))
from brought import DAY, catalog, errand, source
from standin import Service, running

pytestmark = pytest.mark.shared
BELLINGHAM = Ground(
    "bellingham", (Town(25, "bellingham", "Bellingham"),), (190_000.0, 865_000.0, 205_000.0, 880_000.0)
)
AMHERST = "hampshire_college_amherst"
STATEWIDE = {
    "priority_habitat": f"{AMHERST}/nhesp_priority_habitats.geojson",
    "certified_vernal_pools": f"{AMHERST}/vernal_pools_certified.geojson",
    "potential_vernal_pools": f"{AMHERST}/vernal_pools_potential.geojson",
}


def same(one: Manifest, other: Manifest) -> bool:
    """Say whether two editions hold the same bytes of the same source."""
    return (one.edition, one.files, one.source.sha256, one.count_kept) == (
        other.edition,
        other.files,
        other.source.sha256,
        other.count_kept,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["L3_SHP_M025_BELLINGHAM.zip", "M025_parcels_gdb.zip"])
def test_a_towns_parcels_are_the_same_synced_as_added(tmp_path: Path, shared: Path, name: str) -> None:
    path = shared / "data" / "parcels" / name
    pattern = name.replace("M025", "M{town_id:03d}").replace("BELLINGHAM", "{TOWN}")
    with running(Service({}, files={f"/{name}": path.read_bytes()})) as url:
        known = catalog("parcels", source(f"{url.split('/arcgis')[0]}/{pattern}", kind="zip", per_town=True))
        with errand(tmp_path / "synced", known) as run:
            [told] = sync(run, ["parcels"], BELLINGHAM)
            (synced,) = run.library.current("parcels")
    assert (told.outcome, told.part) == ("new", "bellingham"), told.why
    assert synced.source.url == told.source_url
    added = Library(tmp_path / "added").add(AddRequest("parcels", path, DAY))
    assert same(synced, added)
    assert synced.count_in == 6_273
    assert synced.assess is not None
    assert synced.assess.rows == 6_999


def test_statewide_files_are_the_same_synced_as_added(tmp_path: Path, shared: Path) -> None:
    towns = shared / "data" / "ma_towns_watersheds" / "massgis_towns.zip"
    files = {f"/{Path(p).name}": (shared / "data" / p).read_bytes() for p in STATEWIDE.values()}
    files["/massgis_towns.zip"] = towns.read_bytes()
    added = Library(tmp_path / "added")
    by_hand = {"towns": added.add(AddRequest("towns", towns, DAY))}
    requests = [AddRequest(n, shared / "data" / p, DAY, covers="state") for n, p in STATEWIDE.items()]
    by_hand |= {made.layer_id: made for made in added.add_all(requests)}
    with running(Service({}, files=files)) as url:
        root = url.split("/arcgis")[0]
        _bring(tmp_path, root, "towns", "massgis_towns.zip")
        for layer_id, path in STATEWIDE.items():
            _bring(tmp_path, root, layer_id, Path(path).name)
    synced = Library(tmp_path / "synced")
    for layer_id, made in by_hand.items():
        (held,) = synced.current(layer_id)
        assert same(held, made), layer_id
    assert all(check.ok for check in synced.verify())


@pytest.mark.parametrize(
    ("layer_id", "file", "covers", "mapping"),
    [
        ("wetlands", f"{AMHERST}/exports/kml/wetlands_actual.kml", "bounds", {"kind": "Name"}),
        ("parcels", f"{AMHERST}/hampshire_college_parcels_combined.geojson", "features", {}),
        (
            "zone2",
            f"{AMHERST}/wellhead_protection.geojson",
            f"{AMHERST}/amherst_hadley.geojson",
            {"code": "PWS_ID"},
        ),
    ],
)
def test_what_an_operator_says_of_a_source_is_what_is_said_of_a_file(
    tmp_path: Path, shared: Path, layer_id: str, file: str, covers: str, mapping: dict[str, str]
) -> None:
    path, ground = shared / "data" / file, covers
    if covers.endswith(".geojson"):
        ground = str(shared / "data" / covers)
    with running(Service({}, files={f"/{path.name}": path.read_bytes()})) as url:
        said = Said(f"{url.split('/arcgis')[0]}/{path.name}", covers=ground, mapping=mapping)
        assert said.alone
        with errand(tmp_path / "synced", said_of(load_specs(), [layer_id], said)) as run:
            (told,) = sync(run, [layer_id], WHOLE_STATE)
            (synced,) = run.library.current(layer_id)
    assert told.outcome == "new", told.why
    request = AddRequest(layer_id, path, DAY, covers=ground, mapping=mapping)
    assert same(synced, Library(tmp_path / "added").add(request))


def _bring(folder: Path, root: str, layer_id: str, name: str) -> None:
    with errand(folder / "synced", catalog(layer_id, source(f"{root}/{name}", kind="zip"))) as run:
        (told,) = sync(run, [layer_id], WHOLE_STATE)
    assert told.outcome == "new", told.why
