"""The printed lot and its trees: nothing open told as nothing, codes in words, whose rules on whose ground."""

from __future__ import annotations

import pytest

from app.lots import elsewhere
from app.reports.tree_page import DUTY_WORDS, LENT, _planted
from spatial.model import Town
from spatial.trees.model import Mitigation

DOVER, BELLINGHAM = Town(78, "dover", "Dover"), Town(25, "bellingham", "Bellingham")


def mitigation(removed_in: float, undecided_in: float, caliper_in: float | None) -> Mitigation:
    trees = {} if caliper_in is None else {2.0: round(caliper_in / 2)}
    return Mitigation(removed_in, undecided_in, caliper_in, trees, None, ())


@pytest.mark.parametrize(
    ("removed_in", "undecided_in", "caliper_in", "told"),
    [
        (28.0, 0.0, 14.0, "14 inches of caliper: 7 of 2 in"),
        (
            28.0,
            10.0,
            14.0,
            "not known: 10 inches of trunk are not decided; for the rest 14 inches of caliper: 7 of 2 in",
        ),
        (0.0, 14.0, 0.0, "not known: 14 inches of trunk are not decided"),
        (28.0, 0.0, None, "not known: how much is planted for an inch removed is not held"),
    ],
)
def test_what_is_planted_is_not_told_as_none_while_a_tree_is_open(
    removed_in: float, undecided_in: float, caliper_in: float | None, told: str
) -> None:
    assert _planted(mitigation(removed_in, undecided_in, caliper_in)) == told


def test_yards_read_onto_another_towns_lot_say_so_and_bind_nobody_there() -> None:
    (said,) = elsewhere(DOVER, BELLINGHAM)
    assert said.startswith("The lot lies in Bellingham, not in Dover") and "bind nobody" in said
    assert elsewhere(DOVER, DOVER) == elsewhere(DOVER, None) == elsewhere(None, DOVER) == ()


def test_every_code_on_the_page_has_its_words_before_it() -> None:
    coded = [text for text in (*DUTY_WORDS.values(), LENT) if "AMB-" in text]
    assert coded and all("our reading of" in text.partition("AMB-")[0] for text in coded)
    assert "not known" in LENT
