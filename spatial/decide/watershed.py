"""Whether a proposed off-site mitigation may serve this site: it must lie in the same watershed."""

from __future__ import annotations

from dataclasses import dataclass

from spatial.decide.asking import Asked, strictest
from spatial.decide.development import KINDS, Kind, classify
from spatial.decide.phrases import listed
from spatial.rules.determination import Determination, PolicyReading, Result

MITIGATION, DISCHARGE = "mitigation_huc12", "discharge_huc12"
HUC12 = "huc12"


@dataclass(frozen=True, slots=True)
class Pair:
    """The site's watersheds and the mitigation's, as text; a site that straddles has several."""

    site: tuple[str, ...]
    mitigation: tuple[str, ...]


def offsite_mitigation(asked: Asked) -> tuple[Determination, ...]:
    """Return ``triggered`` when the proposed mitigation lies outside the watershed the rule allows.

    New development asks for the same HUC12, redevelopment for the same HUC10 (its first ten digits).
    """
    pair = Pair(_site(asked), _mitigation(asked))
    if not pair.mitigation:
        return (asked.answer("not_triggered", "No off-site mitigation is proposed."),)
    if not pair.site:
        why = "The site's own HUC12 is not known, so the mitigation's cannot be compared with it."
        return (asked.answer("indeterminate", why, needs=(DISCHARGE,)),)
    standing = classify(asked)
    shown = KINDS if standing.mixed else (standing.drives,)
    readings = tuple(_reading(asked, kind, pair) for kind in shown)
    driving = next(r for r, kind in zip(readings, shown, strict=True) if kind == standing.drives)
    needs = (DISCHARGE,) if driving.result == "needs_input" else ()
    certain = len({r.result for r in readings}) == 1
    return (
        asked.answer(
            driving.result,
            driving.text,
            certainty="certain" if certain else "too_close_to_call",
            needs=needs,
            readings=readings,
        ),
    )


def _site(asked: Asked) -> tuple[str, ...]:
    discharge = asked.facts.text(DISCHARGE)
    if discharge is not None:
        return (discharge,)
    return tuple(dict.fromkeys(w.code for w in asked.case.watersheds if w.level == HUC12))


def _mitigation(asked: Asked) -> tuple[str, ...]:
    stated = asked.facts.text(MITIGATION)
    if stated is not None:
        return (stated,)
    return tuple(dict.fromkeys(w.code for w in asked.case.mitigation if w.level == HUC12))


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
