"""Stage findings: what each layer says of the work, with the five statuses and how sure they are.

A hit is always ``affected``, whatever is missing around it. Absence counts only where a fresh enough edition covers
the ground as far as the theme reaches; where maps are known to miss things it is ``none_mapped`` at best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from spatial.case import Finding
from spatial.findings import reasons
from spatial.findings.coverage import CoverageOf, nearest_ground
from spatial.findings.stale import past_limit
from spatial.findings.verdict import Verdict, verdict
from spatial.index import IndexedLayer, LayerStack
from spatial.measure import MetLayer, meet
from spatial.measure.theme import ThemeMeasure, measure_theme
from spatial.model import Coverage, EditionRef, Status, Theme
from spatial.site import Site
from spatial.units import DISTANCE_TOLERANCE_FT, PERCENT

SEVERITY: tuple[Status, ...] = ("affected", "no_data", "not_checked", "none_mapped", "not_affected")
SHARED_GROUND = frozenset({"overlaps", "within", "contains"})

DELINEATED_THEMES = frozenset({"wetlands", "buffer_zone", "riverfront"})
"""Themes of which a delineation (a resource-area determination) says where they are and are not."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How the layers are asked: on which day, how exact the limit of work is, what was delineated."""

    on: date
    allow_stale: bool = False
    work_accuracy_ft: float = 1.0
    delineation: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Delineated:
    """A layer whose ground on the delineated lots is what was delineated, and the words that name it.

    ``whole`` False: not every lot under the work was delineated, so silence on the others is no answer.
    """

    layer: IndexedLayer
    words: str
    whole: bool = True


def find(
    site: Site, stack: LayerStack, asking: Asking, delineated: Mapping[str, Delineated] | None = None
) -> tuple[Finding, ...]:
    """Return one finding a theme and layer, themes in the stack's order, the worst first within a theme.

    Parameters
    ----------
    site
        The work and the lots under it, EPSG:26986.
    stack
        Layers; a theme whose layer is not in it is ``not_checked``, with the reason given for its absence.
    delineated
        By layer id, layers to be used instead of the stack's.
    """
    instead = delineated or {}
    layers = {**stack.layers, **{name: d.layer for name, d in instead.items()}}
    met = meet(site, stack, asking.work_accuracy_ft)
    if instead:
        own = LayerStack.of_layers({name: d.layer for name, d in instead.items()}, stack.themes)
        met |= meet(site, own, asking.work_accuracy_ft)
    coverage = CoverageOf(site, max((t.coverage_ft for t in stack.themes), default=0.0))
    made: list[Finding] = []
    for theme in stack.themes:
        layer = layers.get(theme.layer_id)
        if layer is None:
            made.append(_absent(theme, stack.absent))
            continue
        drawn, stated = instead.get(theme.layer_id), _stated(theme, asking)
        words = drawn.words if drawn else stated
        asked = _Asked(
            site,
            theme,
            layer,
            coverage,
            asking,
            words,
            delineation_whole=drawn is None or drawn.whole or bool(stated),
            delineation_measured=drawn is not None and drawn.whole,
        )
        made.append(_finding(asked, met[layer.id]))
    return _worst_first(made, stack.themes)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """One theme of one layer, and all that its answer depends on."""

    site: Site
    theme: Theme
    layer: IndexedLayer
    coverage: CoverageOf
    asking: Asking
    delineation: str | None
    delineation_whole: bool = True
    delineation_measured: bool = False


def _stated(theme: Theme, asking: Asking) -> str | None:
    return asking.delineation if theme.theme in DELINEATED_THEMES else None


def _absent(theme: Theme, absent: Mapping[str, str]) -> Finding:
    reason = absent.get(theme.layer_id, f"no edition of the layer {theme.layer_id} is loaded").rstrip(".")
    return Finding(
        theme=theme.theme,
        title=theme.title,
        layer_id=theme.layer_id,
        status="not_checked",
        certainty="certain",
        why=f"{theme.title} was not checked: {reason}. Nobody knows what lies here until it is.",
        within_ft=theme.within_ft,
    )


def _finding(asked: _Asked, met: MetLayer) -> Finding:
    theme, site, work_ft = asked.theme, asked.site, asked.asking.work_accuracy_ft
    measured = measure_theme(site, theme, asked.layer, met, work_accuracy_ft=work_ft)
    judged = _judge(asked, measured)
    status, ref = judged.status, judged.ref
    sure = verdict(theme, measured, hit=status == "affected", work_accuracy_ft=work_ft)
    sure = sure if status not in {"no_data", "not_checked"} else replace(sure, certainty="certain")
    parcel = measured.parcel_sqft if asked.coverage.of_lots(asked.layer.coverage) else None
    return Finding(
        theme=theme.theme,
        title=theme.title,
        layer_id=theme.layer_id,
        status=status,
        certainty=sure.certainty,
        why=_why(asked, measured, sure, judged),
        relation=measured.relation,
        margin_ft=sure.margin_ft,
        accuracy_ft=sure.accuracy_ft,
        disturbance_sqft=measured.disturbance_sqft,
        percent_of_disturbance=_percent(measured.disturbance_sqft, site.work.area_sqft),
        parcel_sqft=parcel,
        percent_of_parcel=_percent(parcel, site.lots_sqft),
        length_ft=measured.length_ft,
        count=measured.count,
        nearest_ft=measured.nearest_ft,
        within_ft=theme.within_ft,
        zones=measured.zones,
        features=measured.features,
        by_parcel=measured.by_parcel,
        edition=ref,
        coverage=judged.coverage,
        complete=all(r.complete for r in ((ref,) if ref else asked.layer.refs)) and asked.delineation_whole,
        delineation=asked.delineation,
        delineation_whole=asked.delineation_whole,
        delineation_measured=asked.delineation_measured,
        searched_ft=measured.searched_ft,
    )


def _percent(part: float | None, whole: float) -> float | None:
    return PERCENT * (part / whole) if part is not None and whole > 0 else None


def _hit(theme: Theme, measured: ThemeMeasure) -> bool:
    """Say whether the work meets the theme: shared ground, or near enough where the theme reaches out."""
    near = measured.nearest_ft is not None and measured.nearest_ft <= theme.within_ft + DISTANCE_TOLERANCE_FT
    return measured.relation in SHARED_GROUND or (near and theme.within_ft > 0)


class _Judged(NamedTuple):
    """The status and what it rests on; ``old`` are editions past their limit, with their age in days.

    ``ref`` is None where no edition covers the ground and none showed anything near it: it rests on none.
    """

    status: Status
    ref: EditionRef | None
    coverage: Coverage
    old: tuple[tuple[EditionRef, int], ...]


def _judge(asked: _Asked, measured: ThemeMeasure) -> _Judged:
    ref, old = _edition(asked, measured), past_limit(asked.layer, asked.site, asked.asking.on, measured.searched_ft)
    coverage = asked.coverage.around_work(asked.layer.coverage, measured.searched_ft)
    if _hit(asked.theme, measured):
        return _Judged("affected", ref, coverage, old)
    if old and not asked.asking.allow_stale:
        return _Judged("not_checked", ref, coverage, old)
    if coverage != "full":
        blind = coverage == "none" and measured.nearest_ft is None
        return _Judged("no_data", None if blind else ref, coverage, old)
    answered = asked.delineation_whole and (ref.complete or asked.delineation)
    return _Judged("not_affected" if answered else "none_mapped", ref, coverage, old)


def _edition(asked: _Asked, measured: ThemeMeasure) -> EditionRef:
    """Return the edition that decides: the one of the nearest feature, else one that covers the work."""
    refs = asked.layer.refs
    if measured.nearest_ft is not None or measured.features or len(refs) == 1:
        return refs[measured.edition]
    return next(iter(_concerned(asked)), refs[0])


def _concerned(asked: _Asked) -> tuple[EditionRef, ...]:
    """Return the editions whose ground the work lies on; all when it lies on none."""
    frames = asked.layer.frames
    if len(frames) == 1:
        return asked.layer.refs
    work = asked.site.work.geometry
    here = tuple(f.frame.ref for f in frames if f.frame.coverage.intersects(work))
    return here or asked.layer.refs


def _why(asked: _Asked, measured: ThemeMeasure, sure: Verdict, judged: _Judged) -> str:
    status, allowed = judged.status, asked.asking.allow_stale
    seen, gap = reasons.seen(asked.theme, measured, judged.coverage), ""
    if judged.ref is None:
        grounds = [(frame.frame.ref, frame.frame.coverage) for frame in asked.layer.frames]
        seen = reasons.uncovered(asked.theme, nearest_ground(grounds, asked.site.work.geometry))
    else:
        gap = reasons.gap(status, judged.coverage, measured.searched_ft, judged.ref)
    said = [
        seen,
        reasons.untold(asked.theme, measured) if status == "affected" else "",
        reasons.doubt(sure.certainty, sure.margin_ft, sure.band_ft),
        *(reasons.stale(ref, age, status, allowed=allowed) for ref, age in judged.old),
        gap,
        reasons.delineated(asked.delineation, measured=asked.delineation_measured),
    ]
    return " ".join(part for part in said if part)


def _worst_first(made: Sequence[Finding], themes: Sequence[Theme]) -> tuple[Finding, ...]:
    place = {name: n for n, name in enumerate(dict.fromkeys(theme.theme for theme in themes))}
    return tuple(sorted(made, key=lambda f: (place[f.theme], SEVERITY.index(f.status))))
