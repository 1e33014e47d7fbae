"""Report: a screening for a person at a terminal. Everything it says stands in the screening already.

In the order a reader needs it: what was looked at, what is affected, which rules are triggered and by how much,
what is too close to call, what could not be checked and why, what is clear, what to do next, by when, and on
which editions of maps and law all of it rests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from app.reports.page import entry, heading, pairs, paragraph, render, steps
from app.reports.words import (
    RELATION_WORDS,
    RESULT_WORDS,
    STATUS_WORDS,
    against,
    area,
    counted,
    number,
    quantity,
)
from app.schemas.screening import (
    DeadlineTold,
    DeterminationTold,
    FindingTold,
    LayerTold,
    ParcelTold,
    Screening,
)

OPEN_RESULTS = ("needs_input", "indeterminate")
OPEN_STATUSES = ("not_checked", "no_data", "none_mapped")
TOUCHING = ("overlaps", "within", "contains")


def screening_table(screening: Screening, *, width: int | None = None, colour: bool = False) -> str:
    """Return the screening as text of at most ``width`` columns (100 when None), coloured only on request."""
    return render(_page(screening), width=width, colour=colour)


def _page(screening: Screening) -> Iterator[RenderableType]:
    yield from _headline(screening)
    yield from _looked_at(screening)
    yield from _affected(screening)
    yield from _triggered(screening)
    yield from _too_close(screening)
    yield from _open(screening)
    yield from _clear(screening)
    yield from _what_next(screening)
    yield from _deadlines(screening.deadlines)
    yield from _rests_on(screening)


def _headline(screening: Screening) -> Iterator[RenderableType]:
    town = screening.town.name if screening.town else "no town named"
    yield entry(f"Screening of {screening.input.name}: {town}, as of {screening.on}")
    results = [d.result for d in screening.determinations]
    close = sum(d.certainty == "too_close_to_call" for d in screening.determinations)
    unanswered = sum(result in OPEN_RESULTS for result in results)
    told = [
        f"{counted(results.count('triggered'), 'rule is', 'rules are')} triggered",
        f"{counted(unanswered, 'rule')} cannot be answered yet" if unanswered else "",
        f"{counted(close, 'answer is', 'answers are')} too close to call" if close else "",
    ]
    yield paragraph("; ".join(part for part in told if part) + ".")
    for warning in screening.warnings:
        yield paragraph(f"! {warning.message}", "yellow")


def _looked_at(screening: Screening) -> Iterator[RenderableType]:
    work, sent = screening.disturbance, screening.input
    yield heading("What was looked at")
    activities = ", ".join(f"{a.activity or 'not said'} {quantity(a.area_sqft, 'sqft')}" for a in work.by_activity)
    outside = work.outside_parcels_sqft
    rows = [
        ("Work", f"{area(work.area_sqft)}, {quantity(work.perimeter_ft, 'ft')} around"),
        ("Activities", activities),
        ("Outside any lot", quantity(outside, "sqft") if outside and number(outside) != "0" else ""),
        *(("Lot", _lot(parcel)) for parcel in screening.parcels),
        *(("Watershed", f"{h.name} (HUC12 {h.code}): {number(h.percent)} %") for h in screening.watersheds.huc12),
        (
            "File",
            f"{sent.format}, {counted(sent.n_features, 'feature')}, {sent.crs} ({_crs_source(sent.crs_source)})",
        ),
        *(("Note", note.message) for note in sent.notes),
        ("Kept as", screening.id),
    ]
    yield pairs(rows)


def _crs_source(source: str) -> str:
    return {"file": "said by the file", "declared": "declared by you", "format": "fixed by the format"}.get(
        source, source
    )


def _lot(parcel: ParcelTold) -> str:
    disturbed, percent = quantity(parcel.disturbed_sqft, "sqft"), quantity(parcel.disturbed_percent, "percent")
    share = f"{disturbed} of it disturbed ({percent})"
    return f"{parcel.site_address or 'no address'}, {parcel.loc_id}: {area(parcel.area_sqft)}, {share}"


# ------------------------------------------------------------------------------------------ what the maps show


def _affected(screening: Screening) -> Iterator[RenderableType]:
    hits = [finding for finding in screening.findings if finding.status == "affected"]
    if not hits:
        return
    yield heading("Affected: on the map, within reach of a rule")
    for finding in sorted(hits, key=_how_bad):
        close = "  [too close to call]" if finding.certainty == "too_close_to_call" else ""
        yield entry(f"{finding.title}{close}", _measure(finding), _zones(finding), _named(finding), _law(finding))


def _how_bad(finding: FindingTold) -> tuple[bool, float]:
    """Order ground under the work before ground near it, nearest first; themes keep their order otherwise."""
    return finding.relation not in TOUCHING, finding.nearest_ft or 0.0


def _measure(finding: FindingTold) -> str:
    under = finding.disturbance_sqft or 0.0
    told = [
        RELATION_WORDS.get(finding.relation, finding.relation),
        f"{quantity(under, 'sqft')} of the work ({number(finding.percent_of_disturbance or 0.0)} %)"
        if under
        else "",
        f"{quantity(finding.parcel_sqft, 'sqft')} of the lots" if finding.parcel_sqft else "",
        f"{quantity(finding.length_ft, 'ft')} of line under the work" if finding.length_ft else "",
        f"nearest {quantity(finding.nearest_ft, 'ft')} away" if finding.nearest_ft else "",
    ]
    return "; ".join(part for part in told if part)


def _zones(finding: FindingTold) -> str:
    told = [
        f"{number(zone.from_ft)}-{number(zone.to_ft)} ft: {quantity(zone.disturbance_sqft, 'sqft')}"
        for zone in finding.zones
        if zone.to_ft and zone.disturbance_sqft
    ]
    return f"Work by distance: {'; '.join(told)}" if told else ""


def _named(finding: FindingTold, most: int = 4) -> str:
    labels = list(dict.fromkeys(feature.label for feature in finding.features if feature.label))
    rest = f" and {len(labels) - most} more" if len(labels) > most else ""
    return f"On the map: {', '.join(labels[:most])}{rest}" if labels else ""


def _law(finding: FindingTold) -> str:
    sections = "; ".join(
        f"{law.title}, {law.section}" if law.section else law.title for law in finding.legal_provisions
    )
    asked = f" ({finding.authority})" if finding.authority else ""
    return f"Law: {sections}{asked}" if sections else ""


# ------------------------------------------------------------------------------------------ what the law says


def _triggered(screening: Screening) -> Iterator[RenderableType]:
    yield heading("Rules triggered")
    found = [rule for rule in screening.determinations if rule.result == "triggered"]
    if not found:
        yield paragraph("None.")
    for rule in found:
        close = "  [too close to call]" if rule.certainty == "too_close_to_call" else ""
        yield entry(f"{rule.title} ({rule.citation}){close}", _by_how_much(rule), rule.why, _approval(rule))


def _by_how_much(rule: DeterminationTold) -> str:
    if rule.measured is None or rule.threshold is None:
        return ""
    return against(rule.measured, rule.threshold, rule.unit)


def _approval(rule: DeterminationTold) -> str:
    told = [part for part in (rule.approval, rule.authority) if part]
    return f"Needs: {', from '.join(told)}" if told else ""


def _too_close(screening: Screening) -> Iterator[RenderableType]:
    rules = [r for r in screening.determinations if r.result == "not_triggered" and r.certainty != "certain"]
    maps = [
        f for f in screening.findings if f.status in ("not_affected", "none_mapped") and f.certainty != "certain"
    ]
    if not rules and not maps:
        return
    yield heading("Too close to call: a survey could turn the answer")
    for rule in rules:
        yield entry(f"{rule.title} ({rule.citation}): not triggered as drawn", _by_how_much(rule), rule.why)
    for finding in maps:
        yield entry(f"{finding.title}: {STATUS_WORDS[finding.status]}", _how_near(finding), finding.why)


def _how_near(finding: FindingTold) -> str:
    return f"nearest {quantity(finding.nearest_ft, 'ft')} away" if finding.nearest_ft is not None else ""


def _open(screening: Screening) -> Iterator[RenderableType]:
    rules = [rule for rule in screening.determinations if rule.result in OPEN_RESULTS]
    maps = [finding for finding in screening.findings if _is_open(finding)]
    if not rules and not maps:
        return
    yield heading("Not known yet: this is not a no")
    for rule in rules:
        asked = f"Tell us: {', '.join(rule.needs)}" if rule.needs else ""
        yield entry(f"{rule.title} ({rule.citation}): {RESULT_WORDS[rule.result]}", rule.why, asked)
    for finding in maps:
        yield entry(f"{finding.title}: {STATUS_WORDS[finding.status]}", finding.why)


def _is_open(finding: FindingTold) -> bool:
    """Tell whether a map leaves the question open; a near miss of an incomplete map is too close to call."""
    close = finding.status == "none_mapped" and finding.certainty != "certain"
    return finding.status in OPEN_STATUSES and not close


def _clear(screening: Screening) -> Iterator[RenderableType]:
    rules = [r for r in screening.determinations if r.result == "not_triggered" and r.certainty == "certain"]
    maps = [f for f in screening.findings if f.status == "not_affected" and f.certainty == "certain"]
    if not rules and not maps:
        return
    yield heading("Clear, on these maps and as drawn")
    yield pairs([(f"{finding.title}:", _clear_map(finding)) for finding in maps])
    for rule in rules:
        yield entry(f"{rule.title} ({rule.citation})", _by_how_much(rule) or rule.why, style="")


def _clear_map(finding: FindingTold) -> str:
    return _how_near(finding) or f"none within {quantity(finding.within_ft, 'ft')}"


# ------------------------------------------------------------------------------------------ what follows


def _what_next(screening: Screening) -> Iterator[RenderableType]:
    if screening.next_steps:
        yield heading("What to do next")
        yield steps(step.text for step in screening.next_steps)


def _deadlines(deadlines: Iterable[DeadlineTold]) -> Iterator[RenderableType]:
    rows = [(str(_last_day(deadline)), f"{deadline.what} ({deadline.citation})") for deadline in deadlines]
    if rows:
        yield heading("Deadlines")
        yield pairs(rows)


def _last_day(deadline: DeadlineTold) -> object:
    return deadline.practical or deadline.rolled


def _rests_on(screening: Screening) -> Iterator[RenderableType]:
    yield heading("What this rests on")
    yield pairs((law.title, f"edition {law.edition[:12]}") for law in screening.bylaws)
    layers = {finding.layer.id: finding.layer for finding in screening.findings if finding.layer.edition}
    yield pairs((f"{layer.id}", _edition(layer)) for layer in layers.values())
    yield paragraph("A screening is no survey and no permit; the boards named above decide.", "dim")


def _edition(layer: LayerTold) -> str:
    told = [
        f"edition {layer.edition}",
        f"fetched {layer.retrieved}" if layer.retrieved else "",
        f"good to {quantity(layer.accuracy_ft, 'ft')}" if layer.accuracy_ft else "",
        "" if layer.complete else "may miss things the law protects",
    ]
    return ", ".join(part for part in told if part)
