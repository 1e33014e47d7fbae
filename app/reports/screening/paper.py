"""A screening as a PDF to attach to an application: everything it says stands in the screening already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from app.reports.drawing import Shape
from app.reports.place import as_if, lot, outside, place
from app.reports.press import printed
from app.reports.readings import lost_numbers, reading, spoken
from app.reports.rulings import approvals, in_short
from app.reports.screening.plan import legend, plan_svg
from app.reports.screening.rows import (
    FeatureRow,
    edition_rows,
    feature_rows,
    finding_groups,
    rule_groups,
    ways_under,
)
from app.reports.tally import not_known
from app.reports.words import activity, area, classes, counted, fact, number, quantity, share
from app.schemas.screening import DeadlineTold, Screening

TEMPLATE = Path(__file__).parent / "report.typ"
PAGE_IN = 7.0
"""Width of the map on the page, inches."""

STATEMENT = (
    "This is a screening of public maps against the rules named in it. It is no delineation, no survey, no legal "
    "advice and no permit; the boards named here decide."
)
CERTAINTY = (
    ("certain", "moving the map or the limit of work by its accuracy would not turn the answer."),
    ("too close to call", "it would. The margin says by how much; a survey or a delineation decides."),
    ("none mapped", "the map shows nothing here but is known to miss things the law protects: no answer is no."),
    ("could not be checked", "no edition of the map is loaded, or it does not reach here. Unknown is not a no."),
    ("by a delineation's word", "nobody here saw what it found; a distance told beside it is the map's."),
    ("not affected", "a map that is complete and covers the ground shows nothing within reach."),
)
NOT_A_NO = "what could not be answered or checked may still bind the work: unknown is not a no"
SOURCE = {"file": "said by the file", "declared": "declared", "format": "fixed by the format"}


def report_pdf(told: Screening, shapes: Sequence[Shape]) -> bytes:
    """Return the report: what was screened with its map, what is affected and triggered, and on what it rests.

    Parameters
    ----------
    told
        The answer.
    shapes
        The shapes kept with it, EPSG:26986.
    """
    features = feature_rows(told.findings)
    numbers = {row.shape: row.number for row in features}
    drawing, feet_wide = plan_svg(shapes, numbers)
    titles = {f.layer.id: f.layer.title or f.title for f in told.findings}
    data = {
        "title": "Screening of a piece of work",
        "name": told.input.name,
        "id": told.id,
        "on": told.on.isoformat(),
        "town": place(told),
        "as_if": as_if(told),
        "invented": told.town is not None and told.town.invented,
        "statement": STATEMENT,
        "summary": [*in_short(told), *((NOT_A_NO,) if not_known(told) else ())],
        "warnings": [warning.message for warning in told.warnings],
        "called": approvals(told),
        "work": _work(told),
        "map": drawing,
        "map_alt": _alt(told, features),
        "map_scale": f"1 inch is about {number(feet_wide / PAGE_IN)} feet",
        "legend": [asdict(key) for key in legend(shapes, titles)],
        "findings": list(finding_groups(told.findings)),
        "rules": list(rule_groups(told)),
        "under": list(ways_under(told.determinations)),
        "steps": [step.text for step in told.next_steps],
        "deadlines": [_deadline(one, told.on) for one in told.deadlines],
        "readings": _readings(told),
        "features": [asdict(row) for row in features],
        "editions": list(edition_rows(told)),
        "laws": [(law.title, law.edition[:16]) for law in told.bylaws],
        "certainty": CERTAINTY,
        "traces": _traces(told),
    }
    return printed(TEMPLATE, data, created=told.created)


def _readings(told: Screening) -> list[tuple[str, str]]:
    """Return how ambiguous text was read, for every reading the paper prints, and what brackets stand for."""
    rows = [(f"{one.id}. {one.question}", reading(one)) for one in spoken(told, every_reading=True)]
    brackets = lost_numbers(told)
    return [*rows, (f"{brackets[0]}.", f"{brackets[1]}.")] if brackets else rows


def _work(told: Screening) -> list[tuple[str, str]]:
    work, sent = told.disturbance, told.input
    activities = ", ".join(f"{activity(a.activity)} {quantity(a.area_sqft, 'sqft')}" for a in work.by_activity)
    facts = ", ".join(f"{name.replace('_', ' ')} {fact(value)}" for name, value in told.facts.items())
    counted_as = classes(((c.activity, c.area_sqft) for c in work.by_class), [a.activity for a in work.by_activity])
    rows = [
        ("Work", f"{area(work.area_sqft)}, {quantity(work.perimeter_ft, 'ft')} around"),
        ("Activities", activities),
        ("Counted as", counted_as),
        *outside(told),
        *(lot(parcel) for parcel in told.parcels),
        *(("Watershed", text) for text in _watersheds(told)),
        ("Facts, given or usual", facts),
        ("File", f"{sent.name}: {sent.format}, {counted(sent.n_features, 'feature')}"),
        ("Coordinates", f"{sent.crs}, {SOURCE[sent.crs_source]}"),
        *(("Note", note.message) for note in sent.notes),
        ("Not looked at here", "; ".join(told.not_looked_at)),
    ]
    return [(name, value) for name, value in rows if value]


def _watersheds(told: Screening) -> Iterable[str]:
    close = {f.theme for f in told.findings if f.status == "affected" and f.certainty != "certain"}
    for level, shares in (("huc10", told.watersheds.huc10), ("huc12", told.watersheds.huc12)):
        for one in shares:
            mark = "; too close to call" if level in close else ""
            yield f"{level.upper()} {one.code} {one.name} ({share(one.percent)}{mark})"


def _deadline(one: DeadlineTold, on: date) -> tuple[str, ...]:
    last = one.practical or one.rolled
    board = one.board_act_by.isoformat() if one.board_act_by else ""
    past = " (past)" if last < on else ""
    return f"{one.what} ({one.citation})", one.raw.isoformat(), f"{last.isoformat()}{past}", board


def _alt(told: Screening, features: Sequence[FeatureRow]) -> str:
    lots = counted(len(told.parcels), "lot")
    met = counted(len(features), "mapped feature")
    return f"Map, north up: {area(told.disturbance.area_sqft)} of work on {lots}, with {met} near or under it."


def _traces(told: Screening) -> list[tuple[str, str]]:
    return [
        ("Screening", told.id),
        ("First asked", told.created),
        ("Law and maps as of", told.on.isoformat()),
        ("SHA-256 of the file", told.input.sha256),
        ("Measured in", f"{told.crs}, US survey feet"),
        ("Made by", f"Metes, engine {told.engine}"),
    ]
