"""Whether a proposed off-site mitigation may serve this site: it must lie in the same watershed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial.case import WatershedShare
from spatial.decide.asking import Asked, strictest
from spatial.decide.development import KINDS, Kind, classify
from spatial.decide.phrases import listed
from spatial.rules.determination import Determination, PolicyReading, Result
from spatial.units import PERCENT

MITIGATION, DISCHARGE = "mitigation_huc12", "discharge_huc12"
SIDES = {DISCHARGE: "the work", MITIGATION: "the mitigation"}
HUC12 = "huc12"
GAP_PERCENT = 0.01
"""Shares of the ground add up to all of it but for this, which is the noise of cutting."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The site's watersheds and the mitigation's, as text; a site that straddles has several.

    ``gaps``: the facts that would say what the loaded watersheds do not show. ``beside``: what the map says
    against the applicant's word for the site's watershed.
    """

    site: tuple[str, ...]
    mitigation: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    beside: str = ""


def offsite_mitigation(asked: Asked) -> tuple[Determination, ...]:
    """Return ``triggered`` when the proposed mitigation lies outside the watershed the rule allows.

    New development asks for the same HUC12, redevelopment for the same HUC10 (its first ten digits).
    """
    pair = _pair(asked)
    if not pair.mitigation and not asked.case.mitigation_drawn:
        return (asked.answer("not_triggered", "No off-site mitigation was named, so there is none to compare."),)
    if pair.gaps:
        sides = listed([SIDES[gap] for gap in pair.gaps])
        why = f"The loaded maps do not show the whole watershed of {sides}, so the two cannot be compared."
        return (asked.answer("indeterminate", why, needs=pair.gaps),)
    standing = classify(asked)
    shown = KINDS if standing.mixed else (standing.drives,)
    readings = tuple(_reading(asked, kind, pair) for kind in shown)
    driving = next(r for r, kind in zip(readings, shown, strict=True) if kind == standing.drives)
    needs = (DISCHARGE,) if driving.result == "needs_input" else ()
    certain = len({r.result for r in readings}) == 1 and not pair.beside and not _near_a_divide(asked)
    return (
        asked.answer(
            driving.result,
            driving.text + pair.beside,
            certainty="certain" if certain else "too_close_to_call",
            needs=needs,
            readings=readings,
        ),
    )


def _pair(asked: Asked) -> Pair:
    """Return both sides: the applicant's word where given, else the map; all of a drawn mitigation counts."""
    stated, discharge = asked.facts.text(MITIGATION), asked.facts.text(DISCHARGE)
    under, proposed = _codes(asked.case.watersheds), _codes(asked.case.mitigation)
    drawn_only = asked.case.mitigation_drawn and stated is None
    gaps = (
        *((DISCHARGE,) if discharge is None and not _whole(asked.case.watersheds) else ()),
        *((MITIGATION,) if drawn_only and not _whole(asked.case.mitigation) else ()),
    )
    against = discharge is not None and under and discharge not in under
    return Pair(
        site=under if discharge is None else (discharge,),
        mitigation=(*((stated,) if stated else ()), *proposed),
        gaps=gaps,
        beside=f" But the map shows the work in {listed(under)}, not where it is said to discharge."
        if against
        else "",
    )


def _near_a_divide(asked: Asked) -> bool:
    """Say whether the map may be off by more than the work lies from the next watershed; not once it is said."""
    near = any(f.certainty != "certain" for f in asked.findings_of(HUC12))
    return near and asked.facts.text(DISCHARGE) is None


def _codes(shares: Sequence[WatershedShare]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w.code for w in shares if w.level == HUC12))


def _whole(shares: Sequence[WatershedShare]) -> bool:
    """Say whether the watersheds add up to all of the ground."""
    return sum(w.percent for w in shares if w.level == HUC12) >= PERCENT - GAP_PERCENT


def _reading(asked: Asked, kind: Kind, pair: Pair) -> PolicyReading:
    digits = int(asked.number(f"{kind}_huc_digits"))
    width = int(asked.number("new_development_huc_digits"))
    site = {code.zfill(width)[:digits] for code in pair.site}
    mitigation = {code.zfill(width)[:digits] for code in pair.mitigation}
    result = strictest(tuple(_compared(site, code) for code in sorted(mitigation)))
    name = kind.replace("_", " ")
    said = {
        "not_triggered": f"allowed: the mitigation lies in the site's HUC{digits}",
        "triggered": f"not allowed: mitigation in {listed(sorted(mitigation))}, outside the site's HUC{digits}",
        "needs_input": f"the site straddles HUC{digits}s; say into which it discharges",
    }
    return PolicyReading("AMB-19", f"For {name}, {said[result]} ({listed(sorted(site))}).", None, None, result)


def _compared(site: set[str], mitigation: str) -> Result:
    if mitigation not in site:
        return "triggered"
    return "not_triggered" if len(site) == 1 else "needs_input"
