"""The benchmark itself: ``cd tests && PYTHONPATH=.. python -m benchmarks.compare --scale 0.05``.

Contenders take turns in shuffled blocks of one run, so that a busy machine slows all of them alike. Whole
screenings are timed one by one, in CPU time; medians and their ratios are printed. With ``--check N`` the answers
of the engine are held against the plain tree on N requests; with ``--data DIR`` the region goes through files and
the library, as an agency's layers do.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import shapely

from benchmarks import contenders
from benchmarks.layout import THEMES, known_lots, open_region, open_through_library
from benchmarks.region import Region, make_region, make_work
from spatial.index.known import LotAreas
from spatial.model import LayerFrame
from spatial.units import m_from_ft

BLOCK = 20
OVERLAYS = 20
AREA_M2 = 0.01 * m_from_ft(1.0) ** 2
RING_M2 = 1.0 * m_from_ft(1.0) ** 2


def main() -> None:
    """Make the region, time the contenders, print the table."""
    asked = _arguments()
    began = time.process_time()
    region = make_region(asked.scale)
    frames = open_through_library(region, asked.data) if asked.data else open_region(region, share=asked.share)
    parcels = len(region.features["parcels"])
    print(f"{parcels:,} parcels (scale {asked.scale}), made in {time.process_time() - began:.1f} s of CPU")
    works = make_work(region, asked.requests + 1, share=asked.share)
    known = _known(region, frames, asked.share)
    answer = _opened(frames, known, works.pop())
    rivals = {
        "floor": contenders.floor(frames),
        "ours": answer,
        "asked": contenders.ours(frames),
        "plain": contenders.plain(frames),
    }
    _report(_timed(rivals, works))
    if not asked.no_overlay:
        _report_overlay(contenders.overlay(frames), works[:OVERLAYS], rivals["ours"])
    if asked.check:
        check(answer, rivals["plain"], make_work(region, asked.check, share=asked.share, seed=99))


def _known(region: Region, frames: Sequence[LayerFrame], share: float) -> list[LotAreas]:
    """Return what lots share with layers, and say what it cost to measure, as it does once an import."""
    began = time.process_time()
    known = known_lots(region, frames, share=share)
    lots = int((known[0].sqft[:, 0] >= 0.0).sum())
    megabytes = sum(areas.sqft.nbytes for areas in known) / 2**20
    print(f"{lots:,} lots measured beforehand in {time.process_time() - began:.1f} s of CPU, {megabytes:,.0f} MB")
    return known


def _opened(
    frames: Sequence[LayerFrame], known: Sequence[LotAreas], first: shapely.Polygon
) -> Callable[[shapely.Polygon], object]:
    """Return the engine over some frames, and say what opening it and its first answer cost."""
    pieces = sum(len(f.pieces.geometry) + len(f.edges.geometry) for f in frames)
    rings = sum(len(z.geometry) for f in frames for z in f.zones.values())
    before, began = _memory_mb(), time.process_time()
    answer = contenders.ours(frames, known)
    answer(first)
    more = _memory_mb() - before
    print(f"{pieces:,} pieces and edges, {rings:,} rings; {before:,.0f} MB with their arrays")
    took = time.process_time() - began
    print(f"trees made and the first screening answered in {took:.2f} s of CPU, {more:,.0f} MB more")
    return answer


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.05, help="share of the full region (1: 240,000 parcels)")
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--check", type=int, default=0, help="requests on which answers are compared")
    parser.add_argument(
        "--share", type=float, default=1.0, help="share of the ground where rings are made and work is drawn"
    )
    parser.add_argument("--data", type=Path, help="a folder for files and editions; kept, and used again")
    parser.add_argument("--no-overlay", action="store_true", help="leave geopandas out")
    return parser.parse_args()


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def _timed(
    rivals: dict[str, Callable[[shapely.Polygon], object]], works: Sequence[shapely.Polygon]
) -> dict[str, list[float]]:
    """Return microseconds a screening by contender, each request asked of each, in shuffled blocks."""
    blocks = [(name, works[k : k + BLOCK]) for name in rivals for k in range(0, len(works), BLOCK)]
    random.Random(5).shuffle(blocks)
    taken: dict[str, list[float]] = {name: [] for name in rivals}
    for rival in rivals.values():  # trees that are made when first asked are made before
        for work in works[:BLOCK]:
            rival(work)
    for name, block in blocks:
        for work in block:
            fresh = shapely.from_wkb(shapely.to_wkb(work))
            began = time.process_time()
            rivals[name](fresh)
            taken[name].append((time.process_time() - began) * 1e6)
    return taken


def _report(taken: dict[str, list[float]]) -> None:
    base = statistics.median(taken["floor"])
    print(f"{'':10}{'median µs':>12}{'p90 µs':>12}{'of the floor':>14}")
    for name, micros in taken.items():
        median, p90 = statistics.median(micros), statistics.quantiles(micros, n=10)[-1]
        print(f"{name:10}{median:12,.0f}{p90:12,.0f}{median / base:14.2f}")
    print(
        f"ours is {statistics.median(taken['plain']) / statistics.median(taken['ours']):.1f} times as fast as plain"
    )


def _report_overlay(
    overlay: Callable[[shapely.Polygon], object],
    works: Sequence[shapely.Polygon],
    ours: Callable[[shapely.Polygon], object],
) -> None:
    taken = _timed({"floor": ours, "overlay": overlay}, works)
    slow, fast = statistics.median(taken["overlay"]), statistics.median(taken["floor"])
    print(f"geopandas overlay and sjoin: {slow:,.0f} µs, {slow / fast:,.0f} times ours, {len(works)} requests")


def check(
    ours: Callable[[shapely.Polygon], object],
    plain: Callable[..., contenders.Figures],
    works: Sequence[shapely.Polygon],
) -> int:
    """Hold the engine's figures against the plain tree's; returns how many figures were compared.

    Raises
    ------
    AssertionError
        An area differs by more than 1e-6 of it and 0.01 sq ft, a distance by 1e-6 m, a ring by 1e-5 and 1 sq ft.
    """
    compared = 0
    for number, work in enumerate(works):
        mine, theirs = _figures(ours(work), plain, work)
        for theme in ((t.theme, t.layer_id) for t in THEMES):
            _same(number, f"{theme} in the work", mine.work[theme], theirs.work[theme], AREA_M2, 1e-6)
            _same(number, f"{theme} in the lots", mine.lots[theme], theirs.lots[theme], AREA_M2, 1e-6)
            _same(number, f"{theme} nearest", mine.nearest[theme], theirs.nearest[theme], 1e-6, 0.0)
            compared += 3
            for lot, area in theirs.work_by_lot[theme].items():
                own = mine.work_by_lot[theme].get(lot, 0.0)
                _same(number, f"{theme} in the work on {lot}", own, area, AREA_M2, 1e-6)
                compared += 1
        for key, (in_work, in_lots) in theirs.rings.items():
            own_work, own_lots = mine.rings.get(key, (0.0, 0.0))
            _same(number, f"ring {key} in the work", own_work, in_work, RING_M2, 1e-5)
            _same(number, f"ring {key} in the lots", own_lots, in_lots, RING_M2, 1e-5)
            compared += 2
    print(f"{compared:,} figures of {len(works):,} requests are the same")
    return compared


def _figures(
    case: object, plain: Callable[..., contenders.Figures], work: shapely.Polygon
) -> tuple[contenders.Figures, contenders.Figures]:
    """Return our figures and the plain ones, for the lots that we counted: a lot only grazed is none."""
    mine = contenders.figures_of(case)
    return mine, plain(work, [lot.loc_id for lot in case.lots])  # type: ignore[attr-defined]


def _same(
    request: int, what: str, mine: float | None, theirs: float | None, absolute: float, relative: float
) -> None:
    if mine is None or theirs is None:
        assert mine is theirs, f"request {request}: {what} is {mine}, plain says {theirs}"
        return
    assert abs(mine - theirs) <= max(absolute, relative * abs(theirs)), (
        f"request {request}: {what} is {mine}, plain says {theirs}"
    )


if __name__ == "__main__":
    main()
