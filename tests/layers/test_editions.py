"""Editions: named once, put back, checked to the byte, never half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import shapely
from layer_files import add, box_ft, grid, wetlands

from layers.catalog import catalog_of, load_specs
from layers.editions import ASIDE, Withdrawn
from layers.library import Library
from spatial.errors import GeometryRefused, NotFound, ParameterRefused, Unavailable


def test_the_same_file_twice_is_one_edition(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 100, 100)])
    first, again = (add(library, "wetlands", path, covers=covers) for _ in range(2))
    assert first.edition == again.edition
    assert len(library.editions("wetlands")) == 1


def test_a_name_is_not_given_twice(library: Library, tmp_path: Path, covers: str) -> None:
    add(library, "wetlands", wetlands(tmp_path / "a.gpkg", [box_ft(0, 0, 9, 9)]), covers=covers, edition="E1")
    with pytest.raises(ParameterRefused, match="'E1'") as caught:
        add(library, "wetlands", wetlands(tmp_path / "b.gpkg", [box_ft(5, 0, 9, 9)]), covers=covers, edition="E1")
    assert caught.value.code == "conflict"


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "x" * 90])
def test_an_edition_name_cannot_leave_its_folder(library: Library, tmp_path: Path, covers: str, name: str) -> None:
    with pytest.raises(ParameterRefused):
        add(
            library,
            "wetlands",
            wetlands(tmp_path / "w.gpkg", [box_ft(0, 0, 9, 9)]),
            covers=covers,
            edition=name or " ",
        )
    assert library.frame("wetlands") == ()


def test_an_older_edition_can_be_put_back(stocked: Library) -> None:
    assert len(stocked.frame("wetlands")[0]) == 9
    assert stocked.rollback("wetlands", "one").edition == "one"
    assert len(stocked.frame("wetlands")[0]) == 1
    assert {m.edition for m in stocked.editions("wetlands")} == {"one", "four", "nine"}


def test_an_edition_that_is_not_kept_cannot_be_put_back(stocked: Library) -> None:
    with pytest.raises(NotFound, match="ground/four, ground/nine, ground/one"):
        stocked.rollback("wetlands", "ten")


def test_a_name_in_two_parts_must_be_told_apart(library: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "a.gpkg", [box_ft(0, 0, 9, 9)])
    for part in ("east", "west"):
        add(library, "wetlands", path, covers=covers, edition="E1", part=part)
    with pytest.raises(ParameterRefused, match="east/E1, west/E1"):
        library.rollback("wetlands", "E1")
    assert library.rollback("wetlands", "west/E1").part == "west"


def test_a_damaged_edition_is_not_put_back(stocked: Library, tmp_path: Path) -> None:
    damaged = tmp_path / "data/layers/wetlands/ground/one/features.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"X")
    with pytest.raises(Unavailable, match="one.*no longer stands its checks.*again"):
        stocked.rollback("wetlands", "one")
    assert stocked.current("wetlands")[0].edition == "nine"


def test_a_part_withdrawn_answers_nothing_and_comes_back(stocked: Library, tmp_path: Path) -> None:
    assert stocked.withdraw("wetlands", "ground") == Withdrawn("ground", "nine")
    status = stocked.snapshot().status("wetlands")
    assert (status.parts, status.withdrawn) == ((), (Withdrawn("ground", "nine"),))
    absent = "no edition is in force, as the part ground was withdrawn"
    assert (status.absent, stocked.snapshot().stack.absent["wetlands"]) == (absent, absent)
    assert stocked.frame("wetlands") == ()
    assert {m.edition for m in stocked.editions("wetlands")} == {"one", "four", "nine"}, "nothing is deleted"
    assert all(c.ok for c in stocked.verify("wetlands"))
    assert len(stocked.frame("acec")) == 1
    assert Library(tmp_path / "data").snapshot().status("wetlands").absent == absent, "a new process sees the same"
    assert stocked.rollback("wetlands", "ground/nine").edition == "nine"
    assert len(stocked.frame("wetlands")[0]) == 9
    assert stocked.snapshot().status("wetlands").withdrawn == ()
    assert not (tmp_path / "data/layers/wetlands/ground/withdrawn").exists()


def test_only_a_part_in_force_can_be_withdrawn(stocked: Library, library: Library, tmp_path: Path) -> None:
    for part in ("nine", "ground/nine", "../acec", ""):
        with pytest.raises(NotFound, match="has no part .* in force; it has ground"):
            stocked.withdraw("wetlands", part)
    stocked.withdraw("wetlands", "ground")
    with pytest.raises(NotFound, match="no part 'ground' in force; it has none"):
        stocked.withdraw("wetlands", "ground")
    with pytest.raises(NotFound, match="it has none"):
        Library(tmp_path / "empty").withdraw("wetlands", "ground")
    assert not (tmp_path / "empty").exists()


def test_one_part_withdrawn_leaves_the_other_and_unknown_ground(
    library: Library, tmp_path: Path, covers: str
) -> None:
    path = wetlands(tmp_path / "a.gpkg", [box_ft(0, 0, 9, 9)])
    for part in ("east", "west"):
        add(library, "wetlands", path, covers=covers, edition="E1", part=part)
    for part in ("east", "west"):
        library.withdraw("wetlands", part)
    absent = "no edition is in force, as the parts east, west were withdrawn"
    assert library.snapshot().status("wetlands").absent == absent
    library.rollback("wetlands", "east/E1")
    status = library.snapshot().status("wetlands")
    assert ([p.part for p in status.parts], status.absent) == (["east"], None)
    add(library, "wetlands", path, covers=covers, edition="E2", part="west")
    status = library.snapshot().status("wetlands")
    assert ([p.part for p in status.parts], status.withdrawn) == (["east", "west"], ())


@pytest.mark.parametrize("pointer", ["../../../etc\n", "gone\n", "\xff"])
def test_a_damaged_part_can_be_withdrawn(stocked: Library, tmp_path: Path, pointer: str) -> None:
    (tmp_path / "data/layers/wetlands/ground/current").write_text(pointer, encoding="latin-1")
    assert stocked.snapshot().status("wetlands").failed is not None
    taken = stocked.withdraw("wetlands", "ground")
    assert taken == Withdrawn("ground", "gone" if pointer == "gone\n" else "")
    assert stocked.snapshot().status("wetlands").failed is None


def test_a_pointer_in_force_is_the_newer_word(stocked: Library, tmp_path: Path) -> None:
    """A rollback that was killed after its one step leaves what it would have cleared away."""
    (tmp_path / "data/layers/wetlands/ground/withdrawn").write_text("one\n")
    status = stocked.snapshot().status("wetlands")
    assert (len(status.parts), status.withdrawn) == (1, ())


def test_checks_find_one_changed_byte(stocked: Library, tmp_path: Path) -> None:
    assert all(c.ok for c in stocked.verify())
    coverage = tmp_path / "data/layers/wetlands/ground/one/coverage.parquet"
    data = bytearray(coverage.read_bytes())
    data[len(data) // 2] ^= 1
    coverage.write_bytes(bytes(data))
    failed = [c for c in stocked.verify("wetlands") if not c.ok]
    assert failed[0].name == "hashes"
    assert "coverage.parquet" in failed[0].detail


def test_a_specification_that_grew_makes_no_kept_edition_worse(stocked: Library) -> None:
    """An update adds a column to the layer: what was whole stays whole, and can be gone back to."""
    ours = load_specs()
    spec = ours.spec("wetlands")
    grown = spec.model_copy(update={"fields": {**spec.fields, "quaking": spec.fields["code"]}})
    later = Library(stocked.data, catalog_of([grown if s.id == spec.id else s for s in ours.specs.values()]))
    assert all(check.ok for check in later.verify("wetlands"))
    assert later.rollback("wetlands", "one").edition == "one"
    assert later.snapshot().status("wetlands").failed is None


@pytest.mark.parametrize("harm", ["gone", "cut", "no manifest", "bad manifest", "pointer"])
def test_a_damaged_layer_is_absent_with_the_reason_and_others_stay(
    stocked: Library, tmp_path: Path, harm: str
) -> None:
    part = tmp_path / "data/layers/wetlands/ground"
    features, manifest = part / "nine/features.parquet", part / "nine/manifest.json"
    if harm == "gone":
        features.unlink()
    elif harm == "cut":
        features.write_bytes(features.read_bytes()[:-100])
    elif harm == "no manifest":
        manifest.unlink()
    elif harm == "bad manifest":
        manifest.write_text("{}")
    else:
        (part / "current").write_text("../../../etc\n")
    snapshot = stocked.snapshot()
    absent = snapshot.status("wetlands").absent
    assert absent is not None
    assert "could not be opened" in absent
    assert str(tmp_path) not in absent
    assert snapshot.stack.absent["wetlands"] == absent
    assert len(snapshot.frame("acec")) == 1


def test_a_refused_file_leaves_the_edition_before(stocked: Library, tmp_path: Path, covers: str) -> None:
    path = wetlands(tmp_path / "far.gpkg", [shapely.box(900_000, 0, 900_009, 9)])
    with pytest.raises(GeometryRefused, match="outside Massachusetts"):
        add(stocked, "wetlands", path, covers=covers)
    assert len(stocked.frame("wetlands")[0]) == 9
    assert list((tmp_path / "data/layers" / ASIDE).iterdir()) == []


_IMPORT = """
import sys
from datetime import date
from pathlib import Path
from layers.library import AddRequest, Library
print("begun", flush=True)
Library(Path(sys.argv[1])).add(AddRequest("wetlands", Path(sys.argv[2]), date(2026, 11, 30), covers=sys.argv[3]))
print("done", flush=True)
"""


@pytest.mark.parametrize("after_s", [0.0, 0.3, 0.7, 1.1])
def test_a_killed_import_leaves_the_old_edition(
    stocked: Library, tmp_path: Path, covers: str, after_s: float
) -> None:
    bigger = wetlands(tmp_path / "b.gpkg", grid(20))
    running = subprocess.Popen(
        [sys.executable, "-c", _IMPORT, str(tmp_path / "data"), str(bigger), covers],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "begun\n"
    time.sleep(after_s)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    running.stdout.close()
    fresh = Library(tmp_path / "data")
    assert len(fresh.frame("wetlands")[0]) in (9, 400), "one whole edition or the other"
    assert all(c.ok for c in fresh.verify())
    add(fresh, "wetlands", bigger, covers=covers)
    assert len(fresh.frame("wetlands")[0]) == 400
    assert list((tmp_path / "data/layers" / ASIDE).iterdir()) == [], "what was left is swept away"
