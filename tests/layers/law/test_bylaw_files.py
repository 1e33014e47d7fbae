"""The bylaw files we ship are true to the texts, and a wrong one is refused with a sentence."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from layers.law import BYLAWS, FACTS, load_files, load_law
from layers.law.bylaws import read_bylaw
from layers.law.facts import read_facts
from spatial.errors import Internal
from spatial.model import Town

LAW = load_law(None)
SHARED = Path(os.environ.get("METES_SHARED", Path(__file__).resolve().parents[4] / "shared"))
CONTRACT = [
    "dover-159.grade_change",
    "dover-159.clearing",
    "dover-159.fill_storage",
    "dover-159.resource_area",
    "dover-181.storm_line",
    "lynnfield-320.land_disturbance",
    "lynnfield-320.new_or_redevelopment",
    "lynnfield-320.habitat_500ft",
    "ma-310cmr10.resource_area",
    "ma-310cmr10.buffer_zone",
    "ma-310cmr10.riverfront",
    "ma-310cmr10.blsf",
    "ma-321cmr10.priority_habitat",
]


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_fixed_rule_ids_exist():
    held = {r.id for b in LAW.bylaws for r in b.rules}
    assert set(CONTRACT) <= held


@pytest.mark.shared
@pytest.mark.parametrize("name", ["dover-159", "lynnfield-320"])
def test_every_quote_stands_in_the_text(name):
    text = plain((SHARED / "bylaws" / f"{name}.txt").read_text(encoding="utf-8"))
    bylaw = LAW.bylaw(name)
    quoted = [*bylaw.rules, *bylaw.exemptions, *bylaw.clocks]
    assert [q.id for q in quoted if plain(q.quote) not in text] == []


@pytest.mark.parametrize("bylaw", LAW.bylaws, ids=[b.id for b in LAW.bylaws])
def test_every_rule_has_its_law(bylaw):
    assert bylaw.title and bylaw.citation and bylaw.url
    declared = {p.id for p in bylaw.policies}
    for rule in bylaw.rules:
        assert rule.citation and rule.quote and rule.authority
        assert set(rule.policies) <= declared
        assert all(n.citation for n in rule.numbers.values())
    used = {p for r in bylaw.rules for p in r.policies} | {p for c in bylaw.clocks for p in c.policies}
    assert declared == used


def test_what_was_not_found_is_empty_and_what_was_not_verified_says_so():
    rate = LAW.bylaw("dover-159").rule("dover-159.tree_mitigation").numbers["contribution_usd_per_in"]
    assert (rate.value, rate.tag) == (None, "?")
    river = LAW.bylaw("ma-310cmr10").rule("ma-310cmr10.riverfront")
    assert river.unverified and river.numbers["riverfront_ft"].unverified


def test_towns_get_their_own_and_the_states():
    def ids(*towns: Town) -> list[str]:
        return [b.id for b in LAW.bylaws_for(towns)]

    dover, lynnfield = Town(78, "dover", "Dover"), Town(164, "lynnfield", "Lynnfield")
    invented = Town(901, "doverbrook", "Doverbrook (invented)", ("dover-159",), invented=True)
    assert ids() == ["ma-310cmr10", "ma-321cmr10"]
    assert ids(Town(8, "amherst", "Amherst")) == ["ma-310cmr10", "ma-321cmr10"]
    assert ids(dover) == ["dover-159", "dover-181", "ma-310cmr10", "ma-321cmr10"]
    assert ids(dover, lynnfield)[2:4] == ["lynnfield-240", "lynnfield-320"]
    assert ids(invented) == ["dover-159", "ma-310cmr10", "ma-321cmr10"]
    assert LAW.bylaws_for([dover, invented])[0].town_ids == (78, 901)


def test_an_edition_is_the_file(tmp_path):
    source = (BYLAWS / "dover-181.toml").read_text(encoding="utf-8")
    facts = read_facts(FACTS)
    same, other = tmp_path / "a.toml", tmp_path / "b.toml"
    same.write_text(source, encoding="utf-8")
    other.write_text(source.replace("value = 150", "value = 160"), encoding="utf-8")
    assert read_bylaw(same, facts).edition == LAW.bylaw("dover-181").edition
    assert read_bylaw(other, facts).edition != LAW.bylaw("dover-181").edition


WRONG = [
    ('title = "Dover Wetlands Protection"', 'titel = "Dover"', "title"),
    ('citation = "Ch. 181, permit requirement"', 'citation = ""', "citation"),
    ('citation = "Ch. 263 of 12-9-2020"\n', "", "citation"),
    ('themes = ["floodplain"]', 'themes = ["floodplane"]', "'floodplane' is not known"),
    ('facts = ["delineation"]', 'facts = ["delineations"]', "'delineations' is not known"),
    ('policies = ["AMB-07"]', 'policies = ["AMB-70"]', "'AMB-70' is not known"),
    ('evaluate = "within_distance"', 'evaluate = "within"', "'within' is not known"),
    ("value = 200", "", "tagged '?'"),
    ("in_force_from = 2020-12-09", 'in_force_from = "someday"', "in_force_from"),
    ('id = "dover-181.riverfront"', 'id = "dover-182.riverfront"', "begins with 'dover-181.'"),
    ('id = "dover-181.riverfront"', 'id = "dover-181.storm_line"', "used twice"),
    ('town = "dover"', 'town = "dover"\nstatewide = true', "names its town or is statewide"),
    ('kind = "bylaw"', "kind = bylaw", "not TOML"),
    ('themes = ["riverfront"]\n\n[[rule]]', 'themes = ["wetlands"]\n\n[[rule]]', "'wetlands' is not known"),
    (
        'policies = ["AMB-07"]\nnext',
        'policies = ["AMB-07"]\noptions = { layers = "ponds" }\nnext',
        "'ponds' is not known",
    ),
    (
        'policies = ["AMB-07"]\nnext',
        'policies = ["AMB-07"]\noptions = { follows = "x.y" }\nnext',
        "'x.y' is not known",
    ),
]


@pytest.mark.parametrize(("old", "new", "says"), WRONG, ids=[w[2] for w in WRONG])
def test_a_wrong_file_is_refused_with_a_sentence(tmp_path, old, new, says):
    text = (BYLAWS / "dover-181.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "dover-181.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Internal, match=re.escape(says)) as refused:
        load_files([path], FACTS)
    assert refused.value.file == "dover-181.toml"
    assert str(tmp_path) not in refused.value.detail


def test_a_clock_counts_from_a_date(tmp_path):
    text = (BYLAWS / "ma-321cmr10.toml").read_text(encoding="utf-8")
    path = tmp_path / "ma-321cmr10.toml"
    path.write_text(text.replace('["mesa_filed_on"]', '["use"]'), encoding="utf-8")
    with pytest.raises(Internal, match="'use' is not known"):
        load_files([path], FACTS)


def test_provisions_stand_behind_findings():
    sections = {p.section for p in LAW.bylaw("ma-310cmr10").provisions if p.theme == "riverfront"}
    assert sections == {"310 CMR 10.58", "M.G.L. c. 131, § 40"}
    statute = next(p for p in LAW.bylaw("ma-310cmr10").provisions if p.section.startswith("M.G.L."))
    assert statute.type == "statute" and statute.url


def test_every_ambiguity_we_know_of_is_answered_somewhere():
    rooms = [Path(__file__).parents[3] / room for room in ("layers", "spatial", "app")]
    texts = [p.read_text(encoding="utf-8") for r in rooms for kind in ("*.toml", "*.py") for p in r.rglob(kind)]
    said = {word for text in texts for word in re.findall(r"AMB-\d\d", text)}
    assert said == {f"AMB-{n:02}" for n in range(1, 35)}
