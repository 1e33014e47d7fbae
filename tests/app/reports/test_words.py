"""Numbers in words: rounded for the reader, never across a limit."""

from __future__ import annotations

import pytest

from app.reports import words


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0"),
        (0.204, "0.2"),
        (9.999, "10"),
        (54.444, "54.4"),
        (100.0, "100"),
        (1234.56, "1,235"),
        (-3.5, "-3.5"),
        (-0.001, "0"),
    ],
)
def test_number_keeps_the_decimals_it_needs(value: float, told: str) -> None:
    assert words.number(value) == told


@pytest.mark.parametrize(
    ("measured", "threshold", "unit", "told"),
    [
        (5812.0, 5500.0, "sqft", "5,812 sq ft, limit 5,500 sq ft: 312 sq ft over"),
        (5499.9, 5500.0, "sqft", "5,500 sq ft, limit 5,500 sq ft: 0.1 sq ft under"),
        (5500.0, 5500.0, "sqft", "5,500 sq ft, limit 5,500 sq ft: exactly at the limit"),
        (120.0, 100.0, "cuyd", "120 cubic yards, limit 100 cubic yards: 20 cubic yards over"),
        (25.0, 100.0, "ft", "25 ft away, limit 100 ft: 75 ft inside"),
        (100.01, 100.0, "ft", "100 ft away, limit 100 ft: 0.01 ft beyond"),
        (3.0, 1.0, None, "3, limit 1: 2 over"),
    ],
)
def test_against_says_by_how_much(measured: float, threshold: float, unit: str | None, told: str) -> None:
    assert words.against(measured, threshold, unit) == told


def test_acres_stand_beside_large_areas_only() -> None:
    assert words.area(43_560.0) == "43,560 sq ft (1 acres)"
    assert words.area(4_355.0) == "4,355 sq ft"


def test_printable_takes_the_steering_out() -> None:
    assert words.printable("site\x1b]0;owned\x07.zip") == "site?]0;owned?.zip"
    assert words.printable("Übersicht ± 1") == "Übersicht ± 1"
