"""Report: a screening for a person at a terminal. Everything it says stands in the screening already.

In the order a reader needs it: what was looked at, what is affected, which rules are triggered and by how much,
what is too close to call, what could not be checked and why, what is clear, what to do next, by when, and on
which editions of maps and law all of it rests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from rich.console import RenderableType

from app.reports.findings import affected_maps, clear_maps, close_maps, unchecked_maps, unmapped_maps
from app.reports.page import bullets, entry, heading, pairs, paragraph, render, steps
from app.reports.rulings import approvals, clear_rules, close_rules, open_rules, triggered_rules
from app.reports.words import area, counted, number, quantity
from app.schemas.screening import DeadlineTold, LayerTold, ParcelTold, Screening, WatershedTold

CRS_SAID = {"file": "said by the file", "declared": "declared by you", "format": "fixed by the format"}
INVENTED = "This town is invented; it borrows a real town's bylaws to show how they are read."


def screening_table(screening: Screening, *, width: int | None = None, colour: bool = False) -> str:
    """Return the screening as text of at most ``width`` columns (100 when None), coloured only on request."""
    return render(_page(screening), width=width, colour=colour)


def _page(screening: Screening) -> Iterator[RenderableType]:
    yield from _headline(screening)
    yield from _under("What was looked at", _looked_at(screening))
    yield from _under("Affected: on the map, within reach of a rule", affected_maps(screening.findings))
    yield from _under("Rules triggered", triggered_rules(screening), otherwise="None.")
    yield from _under(
        "Too close to call: a survey could turn the answer",
        (*close_rules(screening), *close_maps(screening.findings)),
    )
    yield from _under("Not decided yet: this is not a no", open_rules(screening))
    yield from _under("Could not be checked: this is not a no", unchecked_maps(screening.findings))
    yield from _under(
        "Nothing mapped, which does not mean nothing is there: only a delineation can tell",
        unmapped_maps(screening.findings),
    )
    yield from _under(
        "Clear, on these maps and as drawn", (*clear_maps(screening.findings), *clear_rules(screening))
    )
    yield from _under("What to do next", _next(screening))
    yield from _under("Deadlines", _deadlines(screening.deadlines))
    yield from _under("What this rests on", _rests_on(screening))


def _under(title: str, told: Iterable[RenderableType], *, otherwise: str = "") -> Iterator[RenderableType]:
    """Return a section with its heading; without anything to tell, ``otherwise`` or nothing at all."""
    lines = list(told)
    if lines or otherwise:
        yield heading(title)
        yield from lines or [paragraph(otherwise)]


def _headline(screening: Screening) -> Iterator[RenderableType]:
    town = screening.town.name if screening.town else "no town named"
    yield entry(f"Screening of {screening.input.name}: {town}, as of {screening.on}")
    yield paragraph(_summary(screening))
    if screening.town and screening.town.invented:
        yield paragraph(INVENTED, "dim")
    for warning in screening.warnings:
        yield paragraph(f"! {warning.message}", "yellow")
    yield from _under("What this calls for", bullets(approvals(screening)))


def _summary(screening: Screening) -> str:
    rules = screening.determinations
    advice = sum(rule.result == "triggered" and rule.advisory for rule in rules)
    triggered = sum(rule.result == "triggered" for rule in rules) - advice
    unanswered = sum(rule.result in ("needs_input", "indeterminate") for rule in rules)
    close = sum(rule.certainty == "too_close_to_call" for rule in rules)
    told = [
        f"{counted(triggered, 'rule is', 'rules are')} triggered{f', {advice} more as advice' if advice else ''}",
        f"{counted(unanswered, 'rule')} cannot be answered yet" if unanswered else "",
        f"{counted(close, 'answer is', 'answers are')} too close to call" if close else "",
    ]
    return "; ".join(part for part in told if part) + "."


# ------------------------------------------------------------------------------------------ what was looked at


def _looked_at(screening: Screening) -> Iterator[RenderableType]:
    work, sent, outside = screening.disturbance, screening.input, screening.disturbance.outside_parcels_sqft
    activities = ", ".join(f"{a.activity or 'not said'} {quantity(a.area_sqft, 'sqft')}" for a in work.by_activity)
    yield pairs(
        [
            ("Work", f"{area(work.area_sqft)}, {quantity(work.perimeter_ft, 'ft')} around"),
            ("Activities", activities),
            ("Outside any lot", quantity(outside, "sqft") if number(outside) != "0" else ""),
            *(("Lot", _lot(parcel)) for parcel in screening.parcels),
            *_watersheds(screening),
            ("Facts", _facts(screening)),
            (
                "File",
                f"{sent.format}, {counted(sent.n_features, 'feature')}, {sent.crs} ({CRS_SAID[sent.crs_source]})",
            ),
            *(("Note", note.message) for note in sent.notes),
            ("Kept as", screening.id),
        ]
    )


def _facts(screening: Screening) -> str:
    """Return the facts given, and the defaults of those not given."""
    told = screening.facts.items()
    return ", ".join(f"{name} {number(value) if isinstance(value, float) else value}" for name, value in told)


def _lot(parcel: ParcelTold) -> str:
    disturbed, percent = quantity(parcel.disturbed_sqft, "sqft"), quantity(parcel.disturbed_percent, "percent")
    named = f"{parcel.site_address or 'no address'}, {parcel.loc_id}"
    return f"{named}: {area(parcel.area_sqft)}, {disturbed} of it disturbed ({percent})"


def _watersheds(screening: Screening) -> Iterator[tuple[str, str]]:
    """Return the watersheds; the map of each level may be too coarse to split the work."""
    levels: dict[str, list[WatershedTold]] = {
        "huc10": screening.watersheds.huc10,
        "huc12": screening.watersheds.huc12,
    }
    close = {f.theme for f in screening.findings if f.status == "affected" and f.certainty != "certain"}
    for level, shares in levels.items():
        told = ", ".join(f"{share.name} {share.code} ({number(share.percent)} %)" for share in shares)
        yield level.upper(), f"{told}{'; too close to call' if told and level in close else ''}"


# ------------------------------------------------------------------------------------------ what follows


def _next(screening: Screening) -> Iterator[RenderableType]:
    if screening.next_steps:
        yield steps(step.text for step in screening.next_steps)


def _deadlines(deadlines: Iterable[DeadlineTold]) -> Iterator[RenderableType]:
    for deadline in sorted(deadlines, key=_last_day):
        dates = [
            f"board acts by {deadline.board_act_by}" if deadline.board_act_by else "",
            f"applicant may rely from {deadline.applicant_may_rely_from}"
            if deadline.applicant_may_rely_from
            else "",
            f"counted {deadline.raw}, not a working day" if deadline.raw != _last_day(deadline) else "",
        ]
        told = "; ".join(part for part in dates if part)
        yield entry(f"{_last_day(deadline)}  {deadline.what} ({deadline.citation})", told, style="")


def _last_day(deadline: DeadlineTold) -> date:
    return deadline.practical or deadline.rolled


def _rests_on(screening: Screening) -> Iterator[RenderableType]:
    for law in screening.bylaws:
        yield entry(f"{law.title}: edition {law.edition[:12]}", style="")
    layers = {(f.layer.id, f.layer.part): f.layer for f in screening.findings if f.layer.edition}
    for layer in layers.values():
        yield entry(f"{layer.id}: {_edition(layer)}", style="")
    yield paragraph("A screening is no survey and no permit; the boards named above decide.", "dim")


def _edition(layer: LayerTold) -> str:
    told = [
        f"edition {layer.edition}",
        f"fetched {layer.retrieved}" if layer.retrieved else "",
        f"good to {quantity(layer.accuracy_ft, 'ft')}" if layer.accuracy_ft else "",
        "" if layer.complete else "may miss things the law protects",
    ]
    return ", ".join(part for part in told if part)
