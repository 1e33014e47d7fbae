"""The whole question: lots found by themselves, work by class and by lot, towns, watersheds, law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
import shapely
from shapes import ON, box, frame, line, point, polygon, submission, theme, turned

from layers.law import load_law
from spatial.errors import ParameterRefused
from spatial.facts import Facts
from spatial.index import LayerStack
from spatial.model import LayerFrame, SiteFeature, Submission, Town
from spatial.question import Question
from spatial.screen import lots_under, measure, screen

DOVER = Town(78, "dover", "Dover", ("dover-159",))
LYNNFIELD = Town(164, "lynnfield", "Lynnfield", ("lynnfield-320",))
NATICK = Town(198, "natick", "Natick")
TOWNS = {town.id: town for town in (DOVER, LYNNFIELD, NATICK)}

LOTS = {"A": box(0, 0, 200, 200), "B": box(200, 0, 400, 200), "WAY": box(0, 200, 400, 250)}


def parcels(
    lots: dict[str, shapely.Geometry] = LOTS, towns: Sequence[int | None] = (78, 78, 78), **ref: object
) -> LayerFrame:
    return frame(
        "parcels",
        list(lots.values()),
        ids=list(lots),
        attributes={
            "town_id": towns,
            "poly_type": ["ROW" if name == "WAY" else "FEE" for name in lots],
            "lot_size_sqft": [39_000.0] * len(lots),
            "site_address": [f"{n} MAIN ST" for n in range(len(lots))],
        },
        **{"accuracy_ft": [5.0] * len(lots), **ref},  # type: ignore[arg-type]
    )


def question(
    work: Submission, loc_ids: tuple[str, ...] = (), town: Town | None = None, **facts: object
) -> Question:
    return Question(work, loc_ids, town, Facts(facts), ON, TOWNS)  # type: ignore[arg-type]


def stack(*frames: LayerFrame) -> LayerStack:
    themes = tuple(theme(f.ref.layer_id) for f in frames if f.ref.layer_id not in {"parcels", "towns"})
    return LayerStack.build(frames, themes, {})


def named(activity: str | None, shape: shapely.Geometry, **attributes: object) -> SiteFeature:
    return SiteFeature(f"{activity}-{shape.bounds[0]:.0f}", shape, attributes, activity=activity)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ lots


def test_the_parcels_under_the_work_are_found_largest_share_first() -> None:
    work = submission(box(150, 50, 300, 100))
    assert [p.loc_id for p in lots_under(work, stack(parcels()))] == ["B", "A"]
    case, _ = measure(question(work), stack(parcels()))
    assert [(lot.loc_id, round(lot.disturbed_sqft), round(lot.area_sqft)) for lot in case.lots] == [
        ("B", 5_000, 40_000),
        ("A", 2_500, 40_000),
    ]
    assert case.lots[0].disturbed_percent == pytest.approx(12.5)
    assert case.disturbance.outside_parcels_sqft == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("reach", "counted"), [(0.5, ["A"]), (4.9, ["A"]), (5.1, ["A", "B"]), (30, ["A", "B"])])
def test_a_neighbour_entered_by_less_than_its_accuracy_is_named_but_not_counted(
    reach: float, counted: list[str]
) -> None:
    case, _ = measure(question(submission(box(50, 50, 200 + reach, 100))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == counted
    said = [w for w in case.warnings if w.code == "parcel_grazed"]
    assert bool(said) == (counted == ["A"])
    if said:
        assert "Parcel B" in said[0].message
        assert case.disturbance.outside_parcels_sqft == pytest.approx(reach * 50, abs=0.01)


def test_work_that_touches_a_lot_line_enters_no_neighbour() -> None:
    case, _ = measure(question(submission(box(0, 0, 200, 200))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]
    assert [w.code for w in case.warnings] == []


def test_small_work_near_a_line_still_lies_on_its_lot() -> None:
    case, _ = measure(question(submission(box(197, 50, 199, 52))), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]


def test_work_outside_the_parcels_is_said() -> None:
    case, _ = measure(question(submission(box(-100, 0, 100, 100))), stack(parcels()))
    assert case.disturbance.outside_parcels_sqft == pytest.approx(10_000, abs=0.01)
    assert "work_outside_parcels" in {w.code for w in case.warnings}


def test_named_parcels_are_the_lots_and_others_entered_are_said() -> None:
    case, _ = measure(question(submission(box(150, 50, 300, 100)), ("A",)), stack(parcels()))
    assert [lot.loc_id for lot in case.lots] == ["A"]
    assert case.disturbance.outside_parcels_sqft == pytest.approx(5_000, abs=0.01)
    assert {"parcel_not_named", "work_outside_parcels"} <= {w.code for w in case.warnings}


def test_a_named_parcel_without_work_is_said() -> None:
    case, _ = measure(question(submission(box(10, 10, 20, 20)), ("A", "B")), stack(parcels()))
    assert [(lot.loc_id, round(lot.disturbed_sqft)) for lot in case.lots] == [("A", 100), ("B", 0)]
    assert "parcel_without_work" in {w.code for w in case.warnings}


def test_a_parcel_nobody_holds_is_refused() -> None:
    with pytest.raises(ParameterRefused, match="'C'") as refused:
        measure(question(submission(box(10, 10, 20, 20)), ("C",)), stack(parcels()))
    assert refused.value.code == "parcel_unknown"


def test_a_way_is_no_lot_for_shares_but_is_listed() -> None:
    work = submission(box(0, 150, 100, 240))
    case, _ = measure(question(work), stack(parcels(), frame("wetlands", [box(-900, 150, 900, 900)])))
    assert {lot.loc_id: lot.poly_type for lot in case.lots} == {"A": "FEE", "WAY": "ROW"}
    (found,) = case.findings
    assert [share.loc_id for share in found.by_parcel] == ["A"]
    assert found.parcel_sqft == pytest.approx(10_000, abs=0.01)
    assert "work_in_way" in {w.code for w in case.warnings}


def test_a_long_way_is_met_piece_by_piece() -> None:
    """A right of way of many vertices, cut small: the work on it is the work on its pieces together."""
    edge = [(x, 200 + 3 * (x % 2)) for x in range(-3_000, 3_000)]
    way = polygon([*edge, (3_000, 250), (-3_000, 250)])
    held = stack(parcels({"A": LOTS["A"], "WAY": way}, towns=(78, 78)))
    case, _ = measure(question(submission(box(-500, 210, 900, 240))), held)
    assert [(lot.loc_id, round(lot.disturbed_sqft)) for lot in case.lots] == [("WAY", 42_000)]
    assert case.disturbance.outside_parcels_sqft == 0.0


def test_a_parcel_edition_without_columns_is_still_parcels() -> None:
    bare = frame("parcels", [LOTS["A"]], ids=["A"])
    case, towns = measure(question(submission(box(0, 0, 50, 50))), stack(bare))
    (lot,) = case.lots
    assert (lot.town_id, lot.poly_type, lot.lot_size_sqft, lot.site_address) == (None, "FEE", None, None)
    assert towns == ()


def test_no_parcel_layer_is_unknown_not_none() -> None:
    empty = LayerStack.build((), (), {"parcels": "the import failed"})
    case, _ = measure(question(submission(box(10, 10, 20, 20))), empty)
    assert case.lots == ()
    assert next(w for w in case.warnings if w.code == "parcels_unknown").message.endswith("the import failed.")


# ------------------------------------------------------------------------------------------------ classes


@pytest.mark.parametrize(
    ("activity", "classes"),
    [
        ("grading", {"grading"}),
        ("clearing", {"clearing"}),
        ("tree_removal", {"clearing"}),
        ("building", {"grading", "clearing"}),
        ("paving", {"grading", "clearing"}),
        ("storage", {"grading", "clearing"}),
        (None, {"grading", "clearing"}),
        ("blasting", {"grading", "clearing"}),
    ],
)
def test_activities_have_their_classes(activity: str | None, classes: set[str]) -> None:
    case, _ = measure(question(submission(features=[named(activity, box(0, 0, 100, 50))])), stack(parcels()))
    assert case.disturbance.by_class_sqft == {name: pytest.approx(5_000) for name in classes}
    assert case.lots[0].by_class_sqft == {name: pytest.approx(5_000) for name in classes}
    assert set(case.disturbance.by_activity_sqft) == {activity or "unnamed"}


@pytest.mark.parametrize(
    ("said", "classes"),
    [("clearing", {"clearing"}), ("Grading, clearing", {"grading", "clearing"}), ("?", {"grading", "clearing"})],
)
def test_a_feature_may_say_what_it_counts_as(said: str, classes: set[str]) -> None:
    feature = named("storage", box(0, 0, 100, 50), counts_as=said)
    case, _ = measure(question(submission(features=[feature])), stack(parcels()))
    assert set(case.disturbance.by_class_sqft) == classes


def test_each_class_is_the_union_of_its_own_work() -> None:
    """TD-04 and TD-01: overlapping grades count once; grading and clearing are not added."""
    work = submission(
        features=[
            named("grading", box(0, 0, 100, 30)),
            named("grading", box(0, 20, 100, 50)),
            named("clearing", box(0, 40, 100, 90)),
        ]
    )
    case, _ = measure(question(work), stack(parcels()))
    assert case.disturbance.by_class_sqft == {"grading": pytest.approx(5_000), "clearing": pytest.approx(5_000)}
    assert case.disturbance.area_sqft == pytest.approx(9_000)
    assert case.disturbance.by_class_perimeter_ft == {"grading": pytest.approx(300), "clearing": pytest.approx(300)}


def test_tree_points_are_counted_never_cleared() -> None:
    case, _ = measure(question(submission(box(0, 0, 10, 10), tree_points=7)), stack(parcels()))
    assert case.disturbance.tree_points == 7


# ------------------------------------------------------------------------------------------------ towns


def test_a_site_in_two_towns_has_the_bylaws_of_both() -> None:
    held = stack(parcels(towns=(78, 164, 78)))
    answer = screen(question(submission(box(150, 50, 300, 100))), held, load_law(None))
    assert {b.id for b in answer.bylaws} >= {"dover-159", "lynnfield-320", "ma-310cmr10"}
    assert answer.case.town == LYNNFIELD
    assert "several_towns" in {w.code for w in answer.warnings}


def test_a_town_without_a_bylaw_gets_state_rules_and_a_sentence() -> None:
    held = stack(parcels(towns=(198, 198, 198)))
    answer = screen(question(submission(box(10, 10, 60, 60))), held, load_law(None))
    assert answer.bylaws and all(b.statewide for b in answer.bylaws)
    assert "town_without_bylaw" in {w.code for w in answer.warnings}


def test_the_town_is_found_on_the_map_where_no_parcel_names_it() -> None:
    towns = frame("towns", [box(-900, -900, 100, 900), box(100, -900, 900, 900)], attributes={"town_id": [78, 164]})
    _, found = measure(question(submission(box(50, 0, 200, 100))), stack(towns))
    assert found == (LYNNFIELD, DOVER)


def test_work_that_leaves_the_loaded_parcels_for_another_town_has_its_bylaws_too() -> None:
    towns = frame("towns", [box(-900, -900, 200, 900), box(200, -900, 900, 900)], attributes={"town_id": [78, 164]})
    dover_only = parcels({"A": LOTS["A"]}, towns=(78,))
    _, found = measure(question(submission(box(150, 0, 400, 100))), stack(towns, dover_only))
    assert found == (DOVER, LYNNFIELD)
    _, inside = measure(question(submission(box(150, 0, 200, 100))), stack(towns, dover_only))
    assert inside == (DOVER,)


def test_a_parcel_not_named_brings_its_town() -> None:
    held = stack(parcels(towns=(78, 164, 78)))
    _, found = measure(question(submission(box(150, 50, 300, 100)), ("A",)), held)
    assert found == (DOVER, LYNNFIELD)


def test_nothing_known_of_the_town_is_said() -> None:
    case, found = measure(question(submission(box(0, 0, 10, 10))), stack())
    assert (found, case.town) == ((), None)
    assert "town_unknown" in {w.code for w in case.warnings}


def test_another_town_than_the_parcels_is_said() -> None:
    case, found = measure(question(submission(box(0, 0, 10, 10)), town=LYNNFIELD), stack(parcels()))
    assert [t.slug for t in found] == ["lynnfield", "dover"]
    assert "town_differs" in {w.code for w in case.warnings}


# ------------------------------------------------------------------------------------------------ law


def test_the_answer_decides_by_what_was_measured() -> None:
    """TD-02 made whole: 9,800 sq ft on a lot of 39,000 assessed reach 25 % of it, 5,500 sq ft the sooner."""
    held = stack(parcels(), frame("wetlands", [], complete=False))
    answer = screen(question(submission(box(0, 0, 100, 98))), held, load_law(None))
    results = {d.rule: d.result for d in answer.determinations}
    assert results["dover-159.grade_change"] == "triggered"
    assert results["dover-159.clearing"] == "triggered"
    assert answer.next_steps


# ------------------------------------------------------------------------------------------------ watersheds


def test_watersheds_and_what_lies_downstream() -> None:
    huc12 = frame(
        "huc12",
        [box(-900, -900, 120, 900), box(120, -900, 900, 900), box(900, -900, 1_900, 900)],
        attributes={
            "code": ["010900010101", "010900010102", "010900010103"],
            "name": ["Upper", "Middle", "Lower"],
            "to_code": ["010900010102", "010900010103", "OCEAN"],
        },
    )
    impaired = frame(
        "impaired_waters",
        [line((1_000, 0), (1_500, 0)), line((0, 500), (50, 500)), line((1_000, 9), (1_500, 9))],
        kind="line",
        attributes={
            "unit_id": ["MA72-07", "MA72-01", "MA72-09"],
            "name": ["Charles", "Brook", "Clean"],
            "category": ["5", "4A", "2"],
            "causes": ["Phosphorus", None, None],
            "tmdl": ["yes", None, None],
        },
    )
    themes = (
        theme("huc12", share=True, report=("code", "name", "to_code")),
        theme("impaired_waters", where={"category": ("4A", "5")}, within_ft=200),
    )
    held = LayerStack.build((huc12, impaired), themes, {})
    case, _ = measure(question(submission(box(0, 0, 300, 200))), held)
    assert [(w.code, w.percent) for w in case.watersheds] == [
        ("010900010102", pytest.approx(60.0)),
        ("010900010101", pytest.approx(40.0)),
    ]
    assert case.downstream is not None
    assert [(d.unit_id, d.huc12, d.steps) for d in case.downstream] == [
        ("MA72-01", "010900010101", 0),
        ("MA72-07", "010900010103", 1),
    ]
    alone, _ = measure(question(submission(box(0, 0, 300, 200))), LayerStack.build((huc12,), themes, {}))
    assert alone.downstream is None


def test_a_proposed_mitigation_has_its_watershed() -> None:
    huc12 = frame("huc12", [box(-900, -900, 900, 900)], attributes={"code": ["01"], "name": ["Upper"]})
    place = SiteFeature("m", point(10, 10), {}, role="mitigation")
    held = LayerStack.build((huc12,), (theme("huc12", share=True),), {})
    case, _ = measure(question(submission(box(0, 0, 300, 200), features=[place])), held)
    assert [(w.code, w.percent) for w in case.mitigation] == [("01", 100.0)]


# ------------------------------------------------------------------------------------------------ delineation

FLAGS = {"by": "PWS 123", "on": "2026-05-04", "orad": "123-456"}
WETLAND_THEMES = (
    theme("wetlands"),
    theme("buffer_zone", "wetlands", within_ft=100, bands_ft=(50.0, 100.0)),
)


def flagged(*shapes: shapely.Geometry) -> list[SiteFeature]:
    return [SiteFeature(f"d{n}", shape, FLAGS, role="delineation") for n, shape in enumerate(shapes)]


def wetlands(*shapes: shapely.Geometry) -> LayerStack:
    mapped = frame("wetlands", shapes, complete=False, accuracy_ft=[33.3] * len(shapes))
    return LayerStack.build((parcels(), mapped), WETLAND_THEMES, {})


def test_a_delineated_area_replaces_the_map_on_its_lot() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    before, _ = measure(question(submission(work)), held)
    assert before.findings[0].status == "affected"
    after, _ = measure(question(submission(work, features=flagged(box(0, 0, 20, 200)))), held)
    wet, buffer = after.findings
    assert (wet.status, wet.certainty, wet.nearest_ft) == ("not_affected", "certain", pytest.approx(30))
    assert (buffer.status, buffer.nearest_ft) == ("affected", pytest.approx(30))
    assert [round(z.disturbance_sqft) for z in buffer.zones] == [0, 2_000, 5_000]
    assert wet.delineation and "PWS 123, 2026-05-04, 123-456" in wet.delineation
    assert wet.delineation in wet.why
    assert wet.edition is not None and wet.edition.part == "delineation"


def test_off_the_delineated_lot_the_map_still_speaks() -> None:
    held = wetlands(box(150, 0, 400, 200))
    case, _ = measure(question(submission(box(50, 50, 120, 150), features=flagged(box(0, 0, 20, 200)))), held)
    buffer = next(f for f in case.findings if f.theme == "buffer_zone")
    assert sorted(round(f.nearest_ft) for f in buffer.features) == [30, 80]


def test_a_closed_line_is_an_area_and_an_open_one_an_edge() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    ring = line((0, 0), (20, 0), (20, 200), (0, 200), (0, 0))
    closed, _ = measure(question(submission(work, features=flagged(ring))), held)
    assert (closed.findings[0].status, closed.findings[0].nearest_ft) == ("not_affected", pytest.approx(30))
    open_line, _ = measure(question(submission(work, features=flagged(line((20, -10), (20, 210))))), held)
    assert open_line.findings[0].status == "affected"
    assert open_line.findings[0].certainty == "too_close_to_call"


def test_a_delineation_stated_as_a_fact_lifts_what_is_not_mapped() -> None:
    held = wetlands(box(900, 0, 950, 50))
    work = submission(box(50, 50, 150, 150))
    assert measure(question(work), held)[0].findings[0].status == "none_mapped"
    stated, _ = measure(question(work, delineation="ORAD 123-456 of 2026-05-04"), held)
    assert stated.findings[0].status == "not_affected"
    assert "ORAD 123-456" in stated.findings[0].why


def test_a_delineation_elsewhere_takes_nothing_away() -> None:
    held = wetlands(box(0, 0, 60, 200))
    work = box(50, 50, 150, 150)
    case, _ = measure(question(submission(work, features=flagged(box(250, 0, 260, 200)))), held)
    assert case.findings[0].status == "affected"


# ------------------------------------------------------------------------------------------------ invariance


@pytest.mark.parametrize(
    ("degrees", "east", "north"), [(0, 731.3, -202.7), (33.3, 0, 0), (90, 12.5, 7), (211, -900, 1_500)]
)
def test_moving_and_turning_everything_changes_nothing(degrees: float, east: float, north: float) -> None:
    def at(shape: shapely.Geometry) -> shapely.Geometry:
        return turned(shape, degrees, east, north)

    def seen(move: bool) -> list[float]:
        put = at if move else (lambda shape: shape)
        lots = {name: put(shape) for name, shape in LOTS.items()}
        wet = frame("wetlands", [put(box(-80, 20, 60, 190)), put(box(280, 50, 500, 150))])
        held = LayerStack.build((parcels(lots), wet), WETLAND_THEMES, {})
        case, _ = measure(question(submission(put(box(50, 50, 300, 150)))), held)
        areas = [v for f in case.findings for v in (f.disturbance_sqft, f.parcel_sqft, f.nearest_ft, f.margin_ft)]
        zones = [v for f in case.findings for z in f.zones for v in (z.disturbance_sqft, z.parcel_sqft)]
        return [v or 0.0 for v in (*areas, *zones, *(lot.disturbed_sqft for lot in case.lots))]

    assert seen(True) == pytest.approx(seen(False), rel=1e-6, abs=0.01)


def test_work_is_never_exacter_than_its_coordinate_system() -> None:
    """A drawing in NAD27 is good to 33 ft: ground 20 ft away is too close to call then, whatever is stated."""
    work = submission(box(0, 0, 60, 60))
    coarse = replace(work, accuracy_ft=33.0)
    held = stack(frame("priority_habitat", [box(80, 0, 200, 60)], accuracy_ft=[5.0]))
    [sure], [doubted] = (measure(question(one), held)[0].findings for one in (work, coarse))
    assert (sure.status, sure.certainty) == ("not_affected", "certain")
    assert (doubted.status, doubted.certainty) == ("not_affected", "too_close_to_call")
    assert question(coarse).facts_judged.number("work_accuracy_ft") == 33.0
    assert question(replace(work, accuracy_ft=0.5)).facts_judged.number("work_accuracy_ft") is None
