"""Waters impaired for a cause, or under a pollution budget (TMDL), that the work may drain to (AMB-32)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from spatial.case import FeatureHit
from spatial.decide.asking import Asked
from spatial.decide.phrases import feet, listed
from spatial.rules.determination import Determination

Answer = Literal["yes", "no", "unknown"]
NO_TMDL = frozenset({"", "no", "n", "none", "false", "0", "null"})
RECEIVING = "discharges_to"
NAMED_LOTS = 3
"""Lots whose use code is told; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Water:
    """An assessed water near the work or downstream of it; ``where`` says how it was met."""

    unit_id: str
    name: str
    category: str
    causes: str
    tmdl: str
    where: str


def impaired_water(asked: Asked) -> tuple[Determination, ...]:
    """Return one cause's answer: a water named as receiving triggers, one met near or downstream must be traced.

    Following watersheds downstream shows which waters may receive the runoff, not which do, so a unit on the way
    is ``indeterminate`` with its name until the drainage is traced (fact ``discharges_to``).
    """
    use = _use(asked)
    if use == "no":
        return (_other_use(asked),)
    waters = [(water, _concerned(asked, water)) for water in _waters(asked)]
    listed_for = [w for w, answer in waters if answer == "yes"]
    unsure = [w for w, answer in waters if answer == "unknown"]
    if any(_receives(asked, w) for w in listed_for):
        return (_named(asked, [w for w in listed_for if _receives(asked, w)], use),)
    if listed_for or unsure:
        return (_to_trace(asked, listed_for, unsure, use),)
    return (_none_met(asked, {w.unit_id.casefold() for w, _ in waters}),)


def _other_use(asked: Asked) -> Determination:
    """Return that the land is of another use, and by whose word; the assessors' codes ask for the applicant's."""
    bound = f"This cause binds {' and '.join(asked.words('uses'))} land only"
    stated = asked.facts.text("use")
    if stated is not None:
        return asked.answer("not_triggered", f"{bound}; the use is said to be {stated.replace('_', ' ')}.")
    codes = listed(
        [f"{lot.use_code} ({lot.site_address or lot.map_par_id or lot.loc_id})" for lot in asked.lots[:NAMED_LOTS]]
    )
    more = f" and {len(asked.lots) - NAMED_LOTS} lots more" if len(asked.lots) > NAMED_LOTS else ""
    why = (
        f"{bound}; by the assessors' use code {codes}{more} it is neither. A code tells what the land was taxed "
        "as, not what it will be: it would be otherwise if the work makes it so (fact use)."
    )
    return asked.answer("not_triggered", why, needs=("use",))


def _waters(asked: Asked) -> tuple[Water, ...]:
    near = [_near(feature) for finding in asked.findings_of("impaired_waters") for feature in finding.features]
    seen = {w.unit_id for w in near}
    below = [
        Water(
            d.unit_id,
            d.name,
            d.category,
            d.causes,
            d.tmdl,
            f"downstream, in HUC12 {d.huc12}" if d.steps else f"in HUC12 {d.huc12}",
        )
        for d in asked.case.downstream or ()
        if d.unit_id not in seen
    ]
    seen |= {w.unit_id for w in below}
    told = [
        Water(r.unit_id, r.name, r.category, r.causes, r.tmdl, "named as receiving the runoff")
        for r in asked.case.receiving
        if r.unit_id not in seen
    ]
    return (*near, *below, *told)


def _near(feature: FeatureHit) -> Water:
    text = {
        name: str(feature.attributes.get(name) or "") for name in ("unit_id", "name", "category", "causes", "tmdl")
    }
    return Water(
        text["unit_id"] or feature.id,
        text["name"] or feature.label,
        text["category"],
        text["causes"],
        text["tmdl"],
        f"{feet(feature.nearest_ft)} away",
    )


def _concerned(asked: Asked, water: Water) -> Answer:
    """Say whether a water is one the rule speaks of; a category or cause nobody recorded is unknown, never no."""
    has_tmdl = water.tmdl.strip().lower() not in NO_TMDL
    category = water.category.strip().upper()
    if asked.option("tmdl") == "yes":
        return _under_tmdl(asked, water.tmdl, category)
    bound = has_tmdl or category in asked.words("categories")
    if not bound and category in asked.words("free_categories"):
        return "no"
    causes = water.causes.strip().lower()
    if not causes:
        return "unknown"
    named = any(re.search(rf"\b{re.escape(word)}", causes) for word in asked.words("causes"))
    return ("yes" if bound else "unknown") if named else "no"


def _under_tmdl(asked: Asked, tmdl: str, category: str) -> Answer:
    """Say whether a water has a TMDL; where nobody recorded it, a listed water may have one for another cause."""
    if category in asked.words("tmdl_categories"):
        return "yes"
    if not tmdl.strip():
        return "no" if category in asked.words("free_categories") else "unknown"
    return "no" if tmdl.strip().lower() in NO_TMDL else "yes"


def _receives(asked: Asked, water: Water) -> bool:
    return water.unit_id.casefold() in {name.casefold() for name in _stated(asked)}


def _stated(asked: Asked) -> tuple[str, ...]:
    """Return the waters that the applicant says receive the runoff, as written."""
    return tuple(name.strip() for name in (asked.facts.text(RECEIVING) or "").split(",") if name.strip())


def _named(asked: Asked, waters: list[Water], use: Answer) -> Determination:
    why = f"The work discharges to {_names(waters)}."
    if use == "unknown":
        open_use = "Whether the land is commercial or industrial is not known"
        against = ": the assessors' codes say so, the applicant does not" if asked.facts.text("use") else ""
        return asked.answer("needs_input", f"{why} {open_use}{against}.", needs=("use",))
    return asked.answer("triggered", why)


def _to_trace(asked: Asked, found: list[Water], unsure: list[Water], use: Answer) -> Determination:
    listed_for = f"Listed for this: {_names(found)}." if found else ""
    in_doubt = f"Listed, but whether for this is not recorded: {_names(unsure)}." if unsure else ""
    why = " ".join(part for part in (listed_for, in_doubt, _to_do(asked, unsure)) if part)
    needs = (*(() if _stated(asked) else (RECEIVING,)), *(("use",) if use == "unknown" else ()))
    return asked.answer("indeterminate", why, needs=needs)


def _to_do(asked: Asked, unsure: list[Water]) -> str:
    """Return what would settle it: a trace, the rest of the way, or a look into the list."""
    said = _stated(asked)
    if not said:
        return "Trace where the runoff goes, then name the receiving water."
    if any(_receives(asked, w) for w in unsure):
        return "It receives the runoff: look up in the list what it is listed for."
    return f"The runoff is said to go to {listed(said)}; show whether it reaches these waters from there."


def _names(waters: list[Water]) -> str:
    return listed([f"{w.unit_id} {w.name} (category {w.category or 'unknown'}, {w.where})" for w in waters])


def _none_met(asked: Asked, known: set[str]) -> Determination:
    said = _stated(asked)
    strange = [name for name in said if name.casefold() not in known]
    reasons = [f"{listed(strange)}, named as receiving the runoff, stands in no list looked at"] if strange else []
    reasons += [f.why for f in asked.findings_of("impaired_waters") if f.status in {"no_data", "not_checked"}]
    if not asked.findings_of("impaired_waters"):
        reasons.append("no layer of assessed waters was asked")
    if asked.case.downstream is None:
        reasons.append("the watersheds downstream could not be followed")
    if asked.case.downstream_end is not None:
        reasons.append(f"the watersheds downstream could not be followed to the sea: {asked.case.downstream_end}")
    if any(f.coverage != "full" for f in asked.findings_of("huc12")):
        reasons.append("the work lies partly in watersheds that are not loaded")
    if reasons:
        needs = () if said and not strange else (RECEIVING,)
        return asked.answer("indeterminate", f"Not known: {listed(reasons)}.", needs=needs)
    return asked.answer("not_triggered", "No water listed for this lies near the work or downstream of it.")


def _use(asked: Asked) -> Answer:
    """Say whether the land use is one the rule binds; a rule that names none binds all.

    An applicant's word against the assessors' codes leaves it unknown.
    """
    bound = asked.words("uses")
    if not bound:
        return "yes"
    stated, assessed = asked.facts.text("use"), _assessed_use(asked)
    if stated is None:
        return assessed
    return "yes" if stated in bound else "unknown" if assessed == "yes" else "no"


def _assessed_use(asked: Asked) -> Answer:
    """Say what the assessors' codes of the lots come to; any lot of a bound use binds."""
    codes = [lot.use_code for lot in asked.lots]
    if not codes or any(code is None for code in codes):
        return "unknown"
    kinds: set[Answer] = {_use_of_code(asked, str(code)) for code in codes}
    return "yes" if "yes" in kinds else "unknown" if "unknown" in kinds else "no"


def _use_of_code(asked: Asked, code: str) -> Answer:
    """Read an assessors' use code by its first digit; a mixed use is not known."""
    if code[:1] in asked.words("use_code_digits"):
        return "yes"
    return "unknown" if code[:1] in asked.words("mixed_use_code_digits") else "no"
