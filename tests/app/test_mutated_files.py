"""Files with bytes changed at random, through the confined process: every answer has a code, none takes too long.

A few by default; ``METES_FUZZ_FILES=500`` and more for a long run, ``METES_FUZZ_SEED`` to repeat one.
"""

from __future__ import annotations

import io
import os
import random
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import lots
import pytest
import shapely

from app.isolation.limits import ProcessLimits
from app.reading import Reader, Upload
from spatial.errors import MetesError

FILES = int(os.environ.get("METES_FUZZ_FILES", "40"))
SEED = int(os.environ.get("METES_FUZZ_SEED", "1"))
LIMITS = ProcessLimits(wall_seconds=10)
SHARED = Path(os.environ.get("METES_SHARED") or Path(__file__).parents[2].parent / "shared")
HOLED = shapely.difference(lots.LOT, lots.box_ft(50, 50, 50, 50))


def originals(folder: Path) -> dict[str, bytes]:
    """One good file of each kind, and the real ones beside the checkout when they are there."""
    made = {
        "a.geojson": lots.geojson((HOLED, {"activity": "grading"}), (lots.box_ft(400), {})),
        "a.json": lots.esri_json(HOLED, {"wkid": 2249}, "EPSG:2249"),
        "a.kml": lots.kml(lots.kml_polygon(HOLED), lots.kml_polygon(lots.box_ft(400))),
        "a.dxf": lots.dxf(lots.polyline(shapely.get_coordinates(lots.LOT)[:-1], bulges={1: 0.4})),
        "a.gpkg": lots.ogr_files(folder, "GPKG", "EPSG:2249", HOLED, lots.box_ft(400)).read_bytes(),
    }
    parts = folder / "shape"
    parts.mkdir()
    lots.ogr_files(parts, "ESRI Shapefile", "EPSG:2249", HOLED, lots.box_ft(400))
    made["a.zip"] = lots.folder_packed(parts)
    made["b.zip"] = lots.folder_packed(lots.ogr_files(folder, "OpenFileGDB", "EPSG:26986", HOLED), "a.gdb/")
    real = SHARED / "cases" / "files"
    if real.is_dir():
        made |= {f.name: f.read_bytes() for f in sorted(real.iterdir()) if f.stat().st_size < 150_000}
    return made


def mutated(content: bytes, dice: random.Random) -> bytes:
    """The bytes with some changed, cut, doubled or moved."""
    changed = bytearray(content)
    for _ in range(dice.choice((1, 2, 5, 30))):
        at = dice.randrange(len(changed)) if changed else 0
        what = dice.randrange(6)
        if what == 0:
            changed[at : at + 1] = bytes([dice.randrange(256)])
        elif what == 1:
            changed[at : at + 4] = dice.choice(
                (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80")
            )
        elif what == 2:
            del changed[at : at + dice.randrange(1, 64)]
        elif what == 3:
            changed[at:at] = changed[at : at + dice.randrange(1, 200)]
        elif what == 4:
            changed[at : at + 8] = dice.choice((b"1e999", b"-1e308 ", b"NaN", b'"', b"]]]]", b"<", b"{{{{"))
        else:
            other = dice.randrange(len(changed)) if changed else 0
            changed[at : at + 8], changed[other : other + 8] = changed[other : other + 8], changed[at : at + 8]
    return bytes(changed)


def repacked(name: str, content: bytes, dice: random.Random) -> bytes:
    """A zip whose member was changed and packed again, so that its checksum does not give it away at once."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
        return mutated(content, dice)
    if not files or sum(map(len, files.values())) > 2_000_000:
        return mutated(content, dice)
    victim = dice.choice(sorted(files))
    files[victim] = mutated(files[victim], dice)
    return lots.packed(files)


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader(process=LIMITS) as reader:
        yield reader


def test_no_mutation_hangs_crashes_or_goes_without_a_code(
    reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(SEED)
    files = originals(tmp_path)
    answers: Counter[str] = Counter()
    slowest, faults = 0.0, []
    for number in range(FILES):
        name = dice.choice(sorted(files))
        zipped = name.endswith((".zip", ".kmz")) and dice.random() < 0.8
        content = (repacked(name, files[name], dice) if zipped else mutated(files[name], dice)) or b" "
        began = time.monotonic()
        try:
            reader.understand(Upload(name, ((name, content),)), crs=dice.choice((None, None, "EPSG:26986")))
            answers["ok"] += 1
        except MetesError as error:
            answers[error.code] += 1
            if error.code == "internal":
                keep = Path(os.environ.get("METES_FUZZ_KEEP", tmp_path))
                (keep / f"fuzz-{SEED}-{number}-{name}").write_bytes(content)
                faults.append(f"file {number} from {name}: {error.detail}")
        slowest = max(slowest, time.monotonic() - began)
    assert faults == [], f"of seed {SEED}"
    assert slowest < LIMITS.wall_seconds + 4
    assert reader.understand(Upload("a", (("a", files["a.geojson"]),))).inspection.n_features == 2
    with capsys.disabled():
        print(f"\n{FILES} mutated files (seed {SEED}), slowest {slowest:.1f} s: {dict(answers.most_common())}")
