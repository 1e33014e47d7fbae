"""New development or redevelopment, and how much runoff must be kept back or cleaned (AMB-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spatial.case import Finding
from spatial.decide.asking import Asked
from spatial.decide.disturbance import AREA_TOLERANCE_SQFT, FOOTPRINT, band_sqft, total_perimeter_ft
from spatial.decide.one_acre import counted_sqft
from spatial.decide.phrases import amount, sqft
from spatial.rules.determination import Determination, PolicyReading
from spatial.units import GALLONS_PER_CUFT, INCHES_PER_FOOT

Kind = Literal["new_development", "redevelopment"]
KINDS: tuple[Kind, Kind] = ("new_development", "redevelopment")
BEFORE, AFTER, CONFIRMED = "impervious_before_sqft", "impervious_after_sqft", "development_kind"


@dataclass(frozen=True, slots=True)
class Standing:
    """Which of the two drives, why, and whether both must be shown."""

    drives: Kind
    why: str
    mixed: bool
    needs: tuple[str, ...] = ()


def new_or_redevelopment(asked: Asked) -> tuple[Determination, ...]:
    """Return which performance standard applies: removal of solids and phosphorus, or the volume to retain.

    ``threshold`` is the volume to retain in cubic feet, None while the impervious area after the work is unknown;
    ``measured`` the volume the applicant says is retained. The stricter standard drives until a reviewer confirms.
    """
    gate = asked.decided.get(asked.option("follows"), "indeterminate")
    if gate != "triggered":
        return (_not_reached(asked, gate == "not_triggered"),)
    standing = classify(asked)
    volume = retention_cuft(asked, standing.drives)
    provided = asked.facts.number("retention_provided_cuft")
    missing = standing.needs + (() if volume is not None else (AFTER,))
    return (
        asked.answer(
            "triggered",
            f"{standing.why} {_standard(asked, standing.drives)}{_provided(provided, volume)}{_lifted(asked)}",
            certainty="too_close_to_call" if standing.mixed or _lifting(asked) else "certain",
            measured=provided,
            threshold=volume,
            unit="cuft",
            margin=provided - volume if provided is not None and volume is not None else None,
            needs=missing,
            readings=(*(_reading(asked, kind) for kind in _shown(standing)), *_lifted_reading(asked)),
        ),
    )


def classify(asked: Asked) -> Standing:
    """Return whether the ground counts as undeveloped: by existing impervious cover inside the limit of work.

    Any such cover makes redevelopment by definition; while some of the ground is undeveloped the new-development
    figures drive, until a reviewer confirms otherwise.
    """
    confirmed = asked.facts.text(CONFIRMED)
    existing = existing_impervious(asked)
    if confirmed in KINDS:
        return _confirmed(confirmed, existing)
    if existing is None:
        why = (
            "Existing impervious cover inside the limit of work is not known; the stricter standard is shown first."
        )
        return Standing("new_development", why, True, (BEFORE,))
    return _stated(asked, existing) if existing.stated else _mapped(asked, existing)


def _confirmed(kind: Kind, existing: Existing | None) -> Standing:
    """Return what a reviewer is said to have confirmed; redevelopment of ground without any cover is doubted."""
    said = f"The reviewer is said to have confirmed {_name(kind)}"
    bare = existing is not None and existing.certain and existing.most_sqft <= 0
    if kind == "redevelopment" and bare:
        why = f"{said}, yet no impervious cover exists inside the limit of work; the stricter drives."
        return Standing("new_development", why, True, (BEFORE, CONFIRMED))
    return Standing(kind, f"{said}.", False)


@dataclass(frozen=True, slots=True)
class Existing:
    """Impervious cover inside the limit of work, square feet; what a map shows may be more, never less.

    ``stated`` by the applicant; else ``certain`` False where the map or the limit of work may be off by what
    decides. ``beside`` is what the map shows where both are known, in words; ``doubted``: less than is stated.
    """

    least_sqft: float
    most_sqft: float
    stated: bool
    certain: bool = True
    beside: str = ""
    doubted: bool = False


def _stated(asked: Asked, existing: Existing) -> Standing:
    """Judge by what the applicant says; the map is told beside it."""
    area, beside = existing.least_sqft, existing.beside
    if area <= 0:
        why = f"No impervious cover exists inside the limit of work.{beside}"
        return Standing("new_development", why, False)
    work = counted_sqft(asked)
    said = f"{sqft(area)} of {sqft(work)} inside the limit of work is impervious now"
    if area > work + band_sqft(asked, work, total_perimeter_ft(asked, FOOTPRINT)):
        why = f"{sqft(area)} impervious inside a limit of work of {sqft(work)} cannot be; the stricter drives."
        return Standing("new_development", f"{why}{beside}", True, (BEFORE,))
    if area >= work - AREA_TOLERANCE_SQFT and not existing.doubted:
        return Standing("redevelopment", f"{said}: redevelopment.{beside}", False)
    on = "on mixed ground" if area < work - AREA_TOLERANCE_SQFT else "where the map shows less"
    why = f"{said}: redevelopment by definition, but {on} the stricter drives until a reviewer confirms."
    return Standing("new_development", f"{why}{beside}", True, (CONFIRMED,))


def _mapped(asked: Asked, existing: Existing) -> Standing:
    """Judge by a map alone: a baseline. It may find no cover, but never lifts the stricter standard by itself."""
    told = _shown_by_map(existing)
    if existing.most_sqft <= 0 and existing.certain:
        return Standing("new_development", f"{told} inside the limit of work: new development.", False)
    if existing.least_sqft <= 0:
        near = "The map shows no impervious cover inside the limit of work, but some that may reach into it"
        why = f"{near}; the stricter standard is shown first."
        return Standing("new_development", why, True, (BEFORE,))
    why = (
        f"{told} of {sqft(counted_sqft(asked))} inside the limit of work as impervious: redevelopment by "
        "definition, but a map is a baseline only and the stricter drives until a reviewer confirms."
    )
    return Standing("new_development", why, True, (BEFORE, CONFIRMED))


def existing_impervious(asked: Asked) -> Existing | None:
    """Return the impervious cover inside the limit of work: as stated, else as a layer shows it; None when unknown.

    A layer that shows none answers only where it covers all of the work.
    """
    maps = [m for m in map(_of_layer, asked.findings_of("impervious")) if m is not None]
    mapped = max(maps, key=lambda m: m.least_sqft, default=None)
    stated = asked.facts.number(BEFORE)
    if stated is None:
        return mapped
    beside = f" {_shown_by_map(mapped)}; the figure stated is used." if mapped is not None else ""
    doubted = mapped is not None and mapped.certain and mapped.most_sqft < stated
    return Existing(stated, stated, True, beside=beside, doubted=doubted)


def _of_layer(finding: Finding) -> Existing | None:
    seen = finding.disturbance_sqft
    if seen is None or (seen <= 0 and finding.coverage != "full") or finding.status in {"no_data", "not_checked"}:
        return None
    most = finding.grid.at_most_sqft if finding.grid and finding.grid.at_most_sqft is not None else seen
    return Existing(seen, most, False, finding.certainty == "certain")


def _shown_by_map(existing: Existing) -> str:
    if existing.most_sqft <= 0:
        return "The map shows no impervious cover"
    least, most = sqft(existing.least_sqft), sqft(existing.most_sqft)
    return f"The map shows {least if least == most else f'{least} to {most}'}"


def retention_cuft(asked: Asked, kind: Kind) -> float | None:
    """Return the volume to retain, inches of runoff over the impervious area after the work; None while unknown."""
    after = asked.facts.number(AFTER)
    return None if after is None else after * asked.number(f"{kind}_retention_in") / INCHES_PER_FOOT


def _shown(standing: Standing) -> tuple[Kind, ...]:
    return KINDS if standing.mixed else (standing.drives,)


def _reading(asked: Asked, kind: Kind) -> PolicyReading:
    provided = asked.facts.number("retention_provided_cuft")
    return PolicyReading("AMB-10", _standard(asked, kind), provided, retention_cuft(asked, kind), "triggered")


def _standard(asked: Asked, kind: Kind) -> str:
    tss, phosphorus = asked.number(f"{kind}_tss_percent"), asked.number(f"{kind}_tp_percent")
    depth, volume = asked.number(f"{kind}_retention_in"), retention_cuft(asked, kind)
    keep = f"retain {depth:g} inch over the impervious area after the work"
    if volume is not None:
        gallons = amount(volume * GALLONS_PER_CUFT, "gallons")
        keep = f"retain {amount(volume, 'cubic feet')} ({gallons}: {depth:g} inch over the impervious area)"
    removal = f"remove {tss:g} % of solids and {phosphorus:g} % of phosphorus a year"
    return f"{_name(kind).capitalize()}: {removal}, or {keep}."


def _provided(provided: float | None, volume: float | None) -> str:
    """Return whether the volume the design retains is enough; empty while one of the two is not known."""
    if provided is None or volume is None:
        return ""
    short = volume - provided
    said = f" The design is said to retain {amount(provided, 'cubic feet')}"
    return f"{said}, {amount(short, 'cubic feet')} too little." if short > 0 else f"{said}, which is enough."


def _lifting(asked: Asked) -> str:
    """Return the rule that would take this one away if the board agrees; empty when it is not triggered."""
    lifting = asked.option("lifted_by")
    return lifting if asked.decided.get(lifting) == "triggered" else ""


def _lifted(asked: Asked) -> str:
    rule = _lifting(asked)
    if not rule:
        return ""
    (title,), citation = asked.titles((rule,)), asked.bylaw.rule(rule).citation
    return f" It does not bind if the board agrees that {title} applies instead ({citation})."


def _lifted_reading(asked: Asked) -> tuple[PolicyReading, ...]:
    rule = _lifting(asked)
    return (
        (PolicyReading(rule, "if the board agrees that it applies", None, None, "not_triggered"),) if rule else ()
    )


def _name(kind: Kind) -> str:
    return kind.replace("_", " ")


def _not_reached(asked: Asked, certain: bool) -> Determination:
    if certain:
        return asked.answer(
            "not_triggered", "The standards for new development and redevelopment begin at an acre."
        )
    (title,) = asked.titles(asked.words("follows"))
    why = f"Whether {title} is triggered is not known yet, so neither is the standard."
    return asked.answer("needs_input", why)
