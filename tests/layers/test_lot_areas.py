"""What is kept of lots beside the layers: made with every edition, found again, never believed when damaged."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import shapely
from layer_files import add, box_ft, wetlands, write

from layers.editions import ASIDE
from layers.library import Library
from layers.lot_areas import FOLDER
from spatial.facts import Facts
from spatial.model import SiteFeature, Submission
from spatial.question import Question
from spatial.screen import measure
from spatial.units import sqft_from_sqm

LOTS = [box_ft(0, 0, 200, 200), box_ft(200, 0, 400, 200)]
POND = box_ft(-100, 0, 150, 200)
WORK = box_ft(20, 20, 60, 60)


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two lots and a pond over three quarters of the first: 30,000 sq ft."""
    folder = tmp_path_factory.mktemp("stock")
    library = Library(folder / "data")
    ground = str(write(folder / "ground.gpkg", [box_ft(-2_000, -2_000, 2_000, 2_000)], {"n": [1]}))
    add_lots(library, folder)
    add(library, "wetlands", wetlands(folder / "pond.gpkg", [POND]), covers=ground, edition="pond")
    add(
        library, "wetlands", wetlands(folder / "all.gpkg", [box_ft(-9, -9, 500, 500)]), covers=ground, edition="all"
    )
    library.rollback("wetlands", "pond")
    return folder / "data"


def add_lots(library: Library, folder: Path) -> None:
    columns = {"LOC_ID": ["F_1", "F_2"], "POLY_TYPE": ["FEE", "FEE"], "TOWN_ID": [78, 78]}
    ground = str(write(folder / "lots_ground.gpkg", [box_ft(-2_000, -2_000, 2_000, 2_000)], {"n": [1]}))
    add(library, "parcels", write(folder / "lots.gpkg", LOTS, columns), covers=ground, part="dover")


@pytest.fixture
def library(stock: Path, tmp_path: Path) -> Library:
    return Library(Path(shutil.copytree(stock, tmp_path / "data")))


def files(library: Library) -> list[Path]:
    return sorted((library.data / FOLDER).glob("*"))


def known(library: Library) -> list[list[float] | None]:
    """What is known of the two lots: the wetland itself first, then every ring of the buffer zone."""
    (areas,) = library.snapshot().stack.known.editions
    return [None, None] if areas is None else [areas.of(row) for row in range(2)]


def on_the_lot_sqft(library: Library) -> float:
    question = Question(
        Submission((SiteFeature("1", WORK, {}),), WORK),
        (),
        None,
        Facts({}),
        date(2026, 11, 30),
        {},
        allow_stale=True,
    )
    case, _ = measure(question, library.snapshot().stack)
    return next(f for f in case.findings if f.theme == "wetlands").parcel_sqft or 0.0


def test_an_edition_that_comes_into_force_has_its_lots_measured(library: Library) -> None:
    first, second = known(library)
    assert first is not None and second is not None
    assert first[0] == pytest.approx(30_000, abs=0.1)
    assert second[0] == 0.0
    assert len(files(library)) == 1
    assert on_the_lot_sqft(library) == first[0]


def test_lots_added_after_the_layers_are_measured_too(tmp_path: Path) -> None:
    library = Library(tmp_path / "data")
    ground = str(write(tmp_path / "ground.gpkg", [box_ft(-2_000, -2_000, 2_000, 2_000)], {"n": [1]}))
    add(library, "wetlands", wetlands(tmp_path / "pond.gpkg", [POND]), covers=ground)
    assert files(library) == []
    add_lots(library, tmp_path)
    first, _ = known(library)
    assert first is not None and first[0] == pytest.approx(30_000, abs=0.1)


def test_another_edition_has_its_own_and_the_old_go(library: Library) -> None:
    (before,) = files(library)
    library.rollback("wetlands", "all")
    (after,) = files(library)
    assert after != before
    assert [lot and round(lot[0]) for lot in known(library)] == [40_000, 40_000]
    library.rollback("wetlands", "pond")
    assert files(library) == [before]


@pytest.mark.parametrize(("layer", "part"), [("wetlands", "ground"), ("parcels", "dover")])
def test_a_part_withdrawn_takes_its_areas_along_and_they_come_back(library: Library, layer: str, part: str) -> None:
    (before,) = files(library)
    taken = library.withdraw(layer, part)
    assert files(library) == []
    assert library.snapshot().stack.known.editions in ((), (None,))
    assert on_the_lot_sqft(library) == 0.0
    library.rollback(layer, f"{part}/{taken.edition}")
    assert files(library) == [before]
    first, _ = known(library)
    assert first is not None and first[0] == pytest.approx(30_000, abs=0.1)


def test_areas_of_two_parts_are_made_anew_without_the_one_withdrawn(library: Library, tmp_path: Path) -> None:
    """A second pond, over the lots' whole ground, was added beside the first by mistake."""
    (before,) = files(library)
    ground = str(write(tmp_path / "g.gpkg", [box_ft(-2_000, -2_000, 2_000, 2_000)], {"n": [1]}))
    add(library, "wetlands", wetlands(tmp_path / "b.gpkg", LOTS), covers=ground, part="mistake")
    assert before not in files(library)
    assert round(on_the_lot_sqft(library)) == 40_000
    library.withdraw("wetlands", "mistake")
    assert files(library) == [before]
    assert [lot and round(lot[0]) for lot in known(library)] == [30_000, 0]
    assert round(on_the_lot_sqft(library)) == 30_000


def test_a_library_that_is_already_open_sees_them(library: Library) -> None:
    other = Library(library.data)
    (held,) = files(library)
    held.unlink()
    assert known(other) == [None, None]
    library.rollback("wetlands", "pond")
    assert files(library) == [held]
    assert known(other)[0] is not None


def _gone(path: Path) -> None:
    path.unlink()


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _no_array(path: Path) -> None:
    path.write_bytes(b"these are no areas")


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _changed(path: Path) -> None:
    """One area made small, as a bit that fell over would."""
    held = bytearray(path.read_bytes())
    held[-1] ^= 0x40
    path.write_bytes(bytes(held))


def _of_another_shape(path: Path) -> None:
    np.save(path, np.zeros((1, 2)), allow_pickle=False)


@pytest.mark.parametrize("harm", [_gone, _cut_short, _no_array, _emptied, _changed, _of_another_shape])
def test_what_is_missing_or_damaged_is_measured_when_asked(library: Library, harm: Callable[[Path], None]) -> None:
    (held,) = files(library)
    harm(held)
    assert known(library) == [None, None]
    assert on_the_lot_sqft(library) == pytest.approx(30_000, abs=0.1)


def test_verify_measures_a_sample_again(library: Library) -> None:
    assert [c.ok for c in library.verify("parcels") if c.name == "lots"] == [True]
    told = np.full_like(np.load(files(library)[0]), 7.0)
    _tell(library, told)
    library = Library(library.data)
    assert on_the_lot_sqft(library) == 7.0, "the file is well named, so it is believed"
    (check,) = [c for c in library.verify("parcels") if c.name == "lots"]
    assert (check.layer_id, check.part, check.ok) == ("parcels", "dover", False)
    assert check.detail == (
        "areas shared with wetlands: those kept of 2 of 2 lots are not those measured again (F_1)"
    )


def _tell(library: Library, sqft: np.ndarray) -> None:
    """Put areas in place of those kept, under the name they would be kept by."""
    (held,) = files(library)
    made_of = held.name.partition(".")[0]
    held.unlink()
    np.save(held.with_name(f"{made_of}.{hashlib.sha256(sqft).hexdigest()[:16]}.npy"), sqft)


def test_a_disk_that_takes_no_more_leaves_the_edition_in_force(library: Library) -> None:
    shutil.rmtree(library.data / FOLDER)
    (library.data / FOLDER).write_text("a file where the folder should be")
    library.rollback("wetlands", "all")
    assert library.current("wetlands")[0].edition == "all"
    assert on_the_lot_sqft(library) == pytest.approx(sqft_from_sqm(shapely.area(LOTS[0])), abs=0.1)


def test_nothing_is_left_of_what_was_being_written(library: Library) -> None:
    assert [p.suffix for p in files(library)] == [".npy"]
    assert not list((library.data / "layers" / ASIDE).glob("*"))
