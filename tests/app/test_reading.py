"""The reader: warm, bounded, and unhurt by whatever a file does to the process that reads it."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import lots
import pytest
import shapely

from app.isolation import wire
from app.isolation.limits import ProcessLimits
from app.isolation.pool import Pool
from app.reading import Reader, Upload
from app.schemas.inspection import InspectionTold
from spatial.errors import GeometryRefused, MetesError
from spatial.read.limits import ReadLimits

LOT = lots.geojson((lots.LOT, {"activity": "clearing", "by": "Núñez"}))


def upload(content: bytes = LOT, name: str = "site.geojson") -> Upload:
    return Upload(name, ((name, content),))


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        reader.understand(upload())
        yield reader


def code(act: Callable[[], Any]) -> str:
    with pytest.raises(MetesError) as caught:
        act()
    return caught.value.code


# ------------------------------------------------------------------------------------------------ what comes back


def test_inspection_and_submission_cross_whole(reader: Reader) -> None:
    understood = reader.understand(upload())
    assert understood.submission.area.equals_exact(lots.LOT, 1e-6, normalize=True)
    (feature,) = understood.submission.features
    assert (feature.activity, feature.role, feature.attributes["by"]) == ("clearing", "disturbance", "Núñez")
    told = json.loads(InspectionTold.of(understood.inspection).model_dump_json())
    assert told["status"] == "ok"
    assert told["features"][0]["values"] == {"activity": "clearing", "by": "Núñez"}
    assert told["area_sqft"] == 60_000.0
    assert {"format", "driver", "crs", "crs_source", "layer", "layers", "bounds_26986", "columns", "notes"} <= set(
        told
    )


def test_a_refusal_crosses_with_all_it_says(reader: Reader) -> None:
    with pytest.raises(MetesError) as caught:
        reader.understand(upload(lots.esri_json(lots.LOT, None, "EPSG:2249"), "x.json"))
    assert type(caught.value).__name__ == "CrsRefused"
    assert caught.value.suggestions[:2] == ("EPSG:2249", "EPSG:6492")


def test_the_claimed_parcel_orders_the_proposals(reader: Reader) -> None:
    content = lots.esri_json(lots.LOT, None, "EPSG:26919")
    on_the_lot = lambda: reader.understand(upload(content), area_hint=lots.LOT)  # noqa: E731
    with pytest.raises(MetesError) as caught:
        on_the_lot()
    assert caught.value.suggestions[0] == "EPSG:26919"
    assert "EPSG:26919 (NAD83 / UTM zone 19N; on the parcel)" in caught.value.detail
    with pytest.raises(MetesError) as unhelped:
        reader.understand(upload(content))
    assert "parcel" not in unhelped.value.detail


def test_trees_come_as_points(reader: Reader) -> None:
    content = lots.geojson((lots.LOT.centroid, {"dbh_in": 24}), (shapely.Point(217_510, 888_010), {"dbh_in": 9}))
    assert code(lambda: reader.understand(upload(content))) == "no_polygon"
    trees = reader.understand(upload(content), purpose="trees").submission.with_role("tree")
    assert [t.attributes["dbh_in"] for t in trees] == [24, 9]


def test_a_small_file_costs_well_under_a_second(reader: Reader) -> None:
    started = time.monotonic()
    for _ in range(5):
        reader.understand(upload())
    assert (time.monotonic() - started) / 5 < 0.5


def test_the_hash_is_of_the_bytes_and_of_loose_parts_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "a.geojson").write_bytes(LOT)
    assert Upload.from_path(tmp_path / "a.geojson").sha256 == upload(LOT, "other name").sha256
    parts = (("a.shp", b"1"), ("a.shx", b"2"))
    assert Upload("a", parts).sha256 == Upload("a", parts[::-1]).sha256 != Upload("a", parts[:1]).sha256


def test_no_file_and_no_parts() -> None:
    assert code(lambda: Upload.from_path(Path("/nowhere/at all.zip"))) == "bad_parameter"
    with Reader() as reader:
        assert code(lambda: reader.understand(Upload("x", ()))) == "empty_upload"
        assert code(lambda: reader.understand(upload(b""))) == "empty_upload"


def test_two_parts_of_one_name(reader: Reader) -> None:
    assert code(lambda: reader.understand(Upload("a", (("x/a.shp", b"1"), ("y/a.shp", b"2"))))) == "corrupt_file"


# ------------------------------------------------------------------------------------------------ what may go wrong


def slow_content() -> bytes:
    """A file that costs seconds: many features, each a ring of many corners, all over each other."""
    rings = [shapely.Point(*lots.CENTROID).buffer(40 + i * 0.01, quad_segs=40) for i in range(400)]
    return lots.geojson(*[(ring, {}) for ring in rings])


def test_what_takes_too_long_is_ended_and_others_are_served_meanwhile() -> None:
    process = ProcessLimits(wall_seconds=0.3)
    with Reader(workers=2, process=process) as hasty, Reader() as other:
        other.understand(upload())
        hasty_said: list[str] = []
        thread = threading.Thread(
            target=lambda: hasty_said.append(code(lambda: hasty.understand(upload(slow_content()))))
        )
        thread.start()
        before = time.monotonic()
        other.understand(upload())
        assert time.monotonic() - before < 2
        thread.join()
        assert hasty_said == ["timeout"]
        assert hasty.understand(upload()).inspection.n_features == 1


def test_processor_time_is_limited_too() -> None:
    endless = ProcessLimits(cpu_seconds=1, wall_seconds=30)
    with Reader(ReadLimits(crossings=10**9), process=endless) as reader:
        began = time.monotonic()
        assert code(lambda: reader.understand(upload(tangle(1_800)))) == "timeout"
        assert time.monotonic() - began < 15


def tangle(corners: int) -> bytes:
    dice = random.Random(3)
    x, y = lots.CENTROID
    ring = [(x + dice.uniform(-40, 40), y + dice.uniform(-40, 40)) for _ in range(corners)]
    return lots.geojson((shapely.Polygon(ring), {}))


def test_too_little_memory_is_a_refusal() -> None:
    """Room enough for a lot, not for a text of 45 million letters in four bytes each."""
    with Reader(process=ProcessLimits(memory_bytes=600 * 2**20)) as reader:
        reader.understand(upload())
        text = '{"a": "' + "\U0001f4d0" * 11_000_000 + '"}'
        assert code(lambda: reader.understand(upload(text.encode()))) == "too_complex"


def test_a_killed_process_is_replaced(reader: Reader) -> None:
    for worker in list(reader._pool._idle):
        os.kill(worker._process.pid, signal.SIGKILL)
        worker._process.wait()
    assert reader.understand(upload()).inspection.n_features == 1
    assert all(worker.alive for worker in reader._pool._idle)


def test_many_at_once_all_get_their_own_answer(reader: Reader) -> None:
    boxes = {n: lots.geojson((lots.box_ft(0, 0, 100 + n, 100), {"n": n})) for n in range(12)}
    found: dict[int, float] = {}

    def ask(n: int) -> None:
        found[n] = reader.understand(upload(boxes[n])).inspection.area_sqft

    threads = [threading.Thread(target=ask, args=(n,)) for n in boxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx({n: (100 + n) * 100 for n in boxes}, abs=0.1)


def test_a_full_line_says_busy_at_once() -> None:
    pool = Pool(1, ProcessLimits(waiting=1, wait_seconds=1.5))
    try:
        with pool._slot():
            began = time.monotonic()
            said: list[str] = []
            waiting = threading.Thread(target=lambda: said.append(code(pool._wait_in_line)))
            waiting.start()
            time.sleep(0.05)
            assert code(pool._wait_in_line) == "busy"
            assert time.monotonic() - began < 0.75
            waiting.join()
            assert said == ["busy"]
    finally:
        pool.close()


def test_the_disk_that_uploads_take_is_bounded_and_given_back(tmp_path: Path) -> None:
    process = ProcessLimits(spool_bytes=3 * len(LOT))
    with Reader(process=process, spool=tmp_path) as reader:
        with reader._room(upload()):
            assert code(lambda: reader.understand(upload())) == "busy"
        assert reader.understand(upload()).inspection.n_features == 1
        assert code(lambda: reader.understand(upload(b"{"))) == "bad_json"
        assert list(tmp_path.iterdir()) == []


def test_rooms_left_by_a_killed_service_are_removed_and_fresh_ones_kept(tmp_path: Path) -> None:
    old, fresh, other = (tmp_path / name for name in ("metes-reading-old", "metes-reading-new", "else"))
    for folder in (old, fresh, other):
        folder.mkdir()
        (folder / "upload.zip").write_bytes(b"x")
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    Reader(spool=tmp_path).close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["else", "metes-reading-new"]


def test_a_process_outlives_the_thread_that_started_it() -> None:
    made: list[Reader] = []
    thread = threading.Thread(target=lambda: made.append(Reader()))
    thread.start()
    thread.join()
    with made[0] as reader:
        (worker,) = reader._pool._idle
        reader.understand(upload())
        time.sleep(0.05)
        assert worker.alive
        assert reader._pool._idle == [worker]


def test_an_upload_at_the_limit_passes_and_one_byte_over_does_not() -> None:
    with Reader(ReadLimits(upload_bytes=len(LOT))) as reader:
        reader.understand(upload())
        assert code(lambda: reader.understand(upload(LOT + b" "))) == "too_large"


def test_a_closed_reader_leaves_no_process() -> None:
    reader = Reader()
    reader.understand(upload())
    (worker,) = reader._pool._idle
    reader.close()
    assert worker._process.poll() is not None
    assert code(lambda: reader.understand(upload())) == "busy"


def test_an_answer_that_is_none_is_our_fault() -> None:
    good = wire.refused(GeometryRefused("x", code="no_polygon"))
    assert code(lambda: wire.opened(good)) == "no_polygon"
    for content in (b"", b"{}", b"[]", b'{"inspection": 3}', good.replace(b'"kind"', b'"kin"')):
        assert code(lambda content=content: wire.opened(content)) == "internal"  # type: ignore[misc]


def test_limits_are_settings_and_each_is_named_in_its_refusal() -> None:
    limits = replace(ReadLimits(), features=1)
    content = lots.geojson((lots.LOT, {}), (lots.LOT, {}))
    with Reader(limits) as reader, pytest.raises(MetesError) as caught:
        reader.understand(upload(content))
    assert "more than 1 features" in caught.value.detail


def test_a_service_with_many_open_files_still_reads() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1_400 if hard == resource.RLIM_INFINITY else min(1_400, hard)
    if wanted < 1_200:
        pytest.skip(f"only {hard} open files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        with Reader(ReadLimits(), workers=1) as fresh:
            assert fresh.understand(upload()).inspection.n_features == 1
    finally:
        for handle in held:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_killed_at_work_is_no_fault_of_the_file() -> None:
    content = tangle(1_800)  # costs seconds, so that the kill surely comes while it is read
    with Reader(ReadLimits(crossings=10**9), workers=1) as fresh:
        fresh.understand(upload())
        (worker,) = fresh._pool._idle
        kill = threading.Timer(0.5, os.kill, (worker._process.pid, signal.SIGKILL))
        kill.start()
        assert code(lambda: fresh.understand(upload(content))) == "busy"
        kill.join()
        assert fresh.understand(upload()).inspection.n_features == 1
