"""Report: a screening for a person at a terminal. Everything it says stands in the screening already.

In the order a reader needs it: what was looked at, what is affected, which rules are triggered and by how much,
what is too close to call, what could not be checked and why, what is clear, what to do next, by when, and on
which editions of maps and law all of it rests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.console import RenderableType

from app.reports.dated import dated
from app.reports.findings import (
    affected_maps,
    clear_maps,
    close_maps,
    told_maps,
    unchecked_maps,
    unmapped_maps,
)
from app.reports.page import bullets, entry, heading, pairs, paragraph, render, steps
from app.reports.place import as_if, lot, no_lots, outside, place
from app.reports.readings import readings
from app.reports.rulings import (
    approvals,
    clear_rules,
    close_rules,
    in_short,
    marked_close,
    open_rules,
    told_rules,
    triggered_rules,
)
from app.reports.tally import counts, not_known
from app.reports.words import activity, area, classes, counted, fact, quantity, share
from app.schemas.screening import DeadlineTold, DisturbanceTold, FindingTold, Screening, WatershedTold

CRS_SAID = {"file": "said by the file", "declared": "declared by you", "format": "fixed by the format"}
NOT_A_NO = "What could not be answered or checked may still bind the work: unknown is not a no."
GROUND = ("parcels", "towns")
"""Layers every answer rests on, though none of them is a finding."""
BY_WORD = "Rests on the delineation named; not seen here"
INVENTED = "This town is invented; it borrows a real town's bylaws to show how they are read."


def screening_table(screening: Screening, *, width: int | None = None, colour: bool = False) -> str:
    """Return the screening as text of at most ``width`` columns (100 when None), coloured only on request."""
    return render(_page(screening), width=width, colour=colour)


def _page(screening: Screening) -> Iterator[RenderableType]:
    yield from _headline(screening)
    yield from _under("What was looked at", _looked_at(screening))
    yield from _under("Affected: on the map, under or near the work", affected_maps(screening.findings))
    yield from _under("Rules triggered", triggered_rules(screening), otherwise=_none(screening))
    yield from _under(
        "Too close to call: a survey could turn the answer",
        (*close_rules(screening), *close_maps(screening.findings), *marked_close(screening)),
    )
    yield from _under("Not decided yet: this is not a no", open_rules(screening))
    yield from _under(
        "Could not be checked: this is not a no", (*_no_lots(screening), *unchecked_maps(screening.findings))
    )
    yield from _under(BY_WORD, (*told_maps(screening.findings), *told_rules(screening)))
    yield from _under(
        "Nothing mapped within reach, which does not mean nothing is there: only a delineation can tell",
        unmapped_maps(screening.findings),
    )
    yield from _under(
        "Clear, on these maps and as drawn", (*clear_maps(screening.findings), *clear_rules(screening))
    )
    yield from _under("What to do next", _next(screening))
    yield from _under("Deadlines", _deadlines(screening.deadlines, screening.on))
    yield from _under("How the text was read", readings(screening))
    yield from _under("What this rests on", _rests_on(screening))


def _under(title: str, told: Iterable[RenderableType], *, otherwise: str = "") -> Iterator[RenderableType]:
    """Return a section with its heading; without anything to tell, ``otherwise`` or nothing at all."""
    lines = list(told)
    if lines or otherwise:
        yield heading(title)
        yield from lines or [paragraph(otherwise)]


def _headline(screening: Screening) -> Iterator[RenderableType]:
    yield entry(f"Screening of {screening.input.name}: {place(screening)}, as of {screening.on}")
    yield paragraph("; ".join(in_short(screening)) + ".")
    if not_known(screening):
        yield paragraph(NOT_A_NO)
    if screening.town and screening.town.invented:
        yield paragraph(INVENTED, "dim")
    for warning in screening.warnings:
        yield paragraph(f"! {warning.message}", "yellow")
    called = approvals(screening)
    yield from _under("What this calls for", (*_as_if(screening, called), *bullets(called)))


def _as_if(screening: Screening, told: Sequence[object]) -> Iterator[RenderableType]:
    """Return that what follows is read onto another town's ground; nothing where it is not, or nothing follows."""
    if told and as_if(screening):
        yield paragraph(as_if(screening), "yellow")


def _no_lots(screening: Screening) -> Iterator[RenderableType]:
    """Return that nobody knows the lots, where no parcels are loaded."""
    if no_lots(screening):
        yield entry("Lots under the work: not checked", no_lots(screening), "Layers wanting: parcels")


def _none(screening: Screening) -> str:
    """Return that no rule is triggered, which is no all-clear while some wait for an answer or rest on a word."""
    unanswered = counts(screening).rules_undecided
    if not unanswered:
        return "None so far." if not_known(screening) else "None."
    waiting = counted(unanswered, "rule is", "rules are")
    return f"None so far; {waiting} not decided yet, and may still be triggered."


# ------------------------------------------------------------------------------------------ what was looked at


def _looked_at(screening: Screening) -> Iterator[RenderableType]:
    work, sent = screening.disturbance, screening.input
    activities = ", ".join(f"{activity(a.activity)} {quantity(a.area_sqft, 'sqft')}" for a in work.by_activity)
    yield pairs(
        [
            ("Work", f"{area(work.area_sqft)}, {quantity(work.perimeter_ft, 'ft')} around"),
            ("Activities", activities),
            ("Counted as", classes(((c.activity, c.area_sqft) for c in work.by_class), _activities(work))),
            *outside(screening),
            *(lot(parcel) for parcel in screening.parcels),
            *_watersheds(screening),
            ("Facts, given or usual", _facts(screening)),
            (
                "File",
                f"{sent.format}, {counted(sent.n_features, 'feature')}, {sent.crs} ({CRS_SAID[sent.crs_source]})",
            ),
            *(("Note", note.message) for note in sent.notes),
            ("Not looked at here", "; ".join(screening.not_looked_at)),
            ("Kept as", screening.id),
        ]
    )


def _activities(work: DisturbanceTold) -> list[str]:
    return [one.activity for one in work.by_activity]


def _facts(screening: Screening) -> str:
    """Return the facts given, and the defaults of those not given."""
    return ", ".join(f"{name} {fact(value)}" for name, value in screening.facts.items())


def _watersheds(screening: Screening) -> Iterator[tuple[str, str]]:
    """Return the watersheds; the map of each level may be too coarse to split the work."""
    levels: dict[str, list[WatershedTold]] = {
        "huc10": screening.watersheds.huc10,
        "huc12": screening.watersheds.huc12,
    }
    close = {f.theme for f in screening.findings if f.status == "affected" and f.certainty != "certain"}
    for level, shares in levels.items():
        told = ", ".join(f"{one.name} {one.code} ({share(one.percent)})" for one in shares)
        yield level.upper(), f"{told}{'; too close to call' if told and level in close else ''}"


# ------------------------------------------------------------------------------------------ what follows


def _next(screening: Screening) -> Iterator[RenderableType]:
    if screening.next_steps:
        yield from _as_if(screening, screening.next_steps)
        yield steps(step.text for step in screening.next_steps)


def _deadlines(deadlines: Iterable[DeadlineTold], on: date) -> Iterator[RenderableType]:
    """Return each date; one that is past says so, and silence of a board is never told as its approval."""
    for deadline in sorted(deadlines, key=_last_day):
        dates = [
            f"board acts by {deadline.board_act_by}" if deadline.board_act_by else "",
            f"if the board has not acted and nothing was extended, the applicant may rely on that from "
            f"{deadline.applicant_may_rely_from}"
            if deadline.applicant_may_rely_from
            else "",
            f"counted {deadline.raw}, not a working day" if deadline.raw != _last_day(deadline) else "",
            _past(deadline, on),
        ]
        told = "; ".join(part for part in dates if part)
        yield entry(f"{_last_day(deadline)}  {deadline.what} ({deadline.citation})", told, style="")


def _past(deadline: DeadlineTold, on: date) -> str:
    if _last_day(deadline) >= on:
        return ""
    return f"past on {on}{': ask the board what it did' if deadline.board_act_by else ''}"


def _last_day(deadline: DeadlineTold) -> date:
    return deadline.practical or deadline.rolled


def _rests_on(screening: Screening) -> Iterator[RenderableType]:
    for law in screening.bylaws:
        yield entry(f"{law.title}: edition {law.edition[:12]}", style="")
    layers: dict[tuple[str, str | None], list[FindingTold]] = {}
    for finding in screening.findings:
        if finding.layer.edition:
            layers.setdefault((finding.layer.id, finding.layer.part), []).append(finding)
    for (layer_id, part), found in layers.items():
        yield entry(f"{layer_id} ({part}): {_edition(found)}", style="")
    for ground in screening.editions:
        if ground.layer in GROUND:
            told = (f"edition {ground.edition}", *dated(ground.published, ground.retrieved, ground.source_url))
            yield entry(f"{ground.layer} ({ground.part}): {', '.join(told)}", style="")
    yield paragraph("A screening is no survey and no permit; the boards named above decide.", "dim")


def _edition(found: Sequence[FindingTold]) -> str:
    """Return an edition in words; its features may be good to different distances."""
    layer = found[-1].layer
    good = sorted(
        {quantity(f.layer.accuracy_ft, "ft"): f.layer.accuracy_ft for f in found if f.layer.accuracy_ft}.items(),
        key=lambda one: one[1],
    )
    told = [
        f"edition {layer.edition}",
        *dated(layer.published, layer.retrieved, layer.source_url),
        f"good to {' to '.join(dict.fromkeys((good[0][0], good[-1][0])))}" if good else "",
        "" if layer.complete else "may miss things the law protects",
    ]
    return ", ".join(part for part in told if part)
