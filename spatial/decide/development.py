"""New development or redevelopment, and how much runoff must be kept back or cleaned (AMB-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spatial.decide.asking import Asked
from spatial.decide.disturbance import AREA_TOLERANCE_SQFT
from spatial.decide.one_acre import counted_sqft
from spatial.decide.phrases import amount, sqft
from spatial.rules import Determination, PolicyReading
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
            f"{standing.why} {_standard(asked, standing.drives)}",
            certainty="too_close_to_call" if standing.mixed else "certain",
            measured=provided,
            threshold=volume,
            unit="cuft",
            margin=provided - volume if provided is not None and volume is not None else None,
            needs=missing,
            readings=tuple(_reading(asked, kind) for kind in _shown(standing)),
        ),
    )


def classify(asked: Asked) -> Standing:
    """Return whether the ground counts as undeveloped: by existing impervious cover inside the limit of work.

    Any such cover makes redevelopment by definition; while some of the ground is undeveloped the new-development
    figures drive, until a reviewer confirms otherwise.
    """
    confirmed = asked.facts.text(CONFIRMED)
    if confirmed in KINDS:
        return Standing(confirmed, f"The reviewer confirmed {_name(confirmed)}.", False)
    existing = existing_impervious(asked)
    if existing is None:
        why = (
            "Existing impervious cover inside the limit of work is not known; the stricter standard is shown first."
        )
        return Standing("new_development", why, True, (BEFORE,))
    if existing <= 0:
        return Standing("new_development", "No impervious cover exists inside the limit of work.", False)
    said = f"{sqft(existing)} of {sqft(counted_sqft(asked))} inside the limit of work is impervious now"
    if existing >= counted_sqft(asked) - AREA_TOLERANCE_SQFT:
        return Standing("redevelopment", f"{said}: redevelopment.", False)
    why = f"{said}: redevelopment by definition, but on mixed ground the stricter drives until a reviewer confirms."
    return Standing("new_development", why, True, (CONFIRMED,))


def existing_impervious(asked: Asked) -> float | None:
    """Return the impervious cover inside the limit of work: as stated, else as a layer that covers it shows."""
    stated = asked.facts.number(BEFORE)
    if stated is not None:
        return stated
    measured = [f.disturbance_sqft for f in asked.findings_of("impervious") if f.coverage == "full"]
    known = [area for area in measured if area is not None]
    return max(known, default=None)


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


def _name(kind: Kind) -> str:
    return kind.replace("_", " ")


def _not_reached(asked: Asked, certain: bool) -> Determination:
    if certain:
        return asked.answer(
            "not_triggered", "The standards for new development and redevelopment begin at an acre."
        )
    why = "Whether a permit is needed is not known yet, so neither is the standard."
    return asked.answer("needs_input", why, needs=("common_plan",))
