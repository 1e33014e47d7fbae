"""Fill and excavate stored: as stored, loose, all at once, on the whole site (AMB-06)."""

from __future__ import annotations

import math

from spatial.decide.asking import Asked
from spatial.decide.phrases import amount
from spatial.rules.determination import Determination, PolicyReading, Result
from spatial.units import CUFT_PER_CUYD

CUBIC_YARDS = "cubic yards"
NEEDS = ("stored_fill_cuyd",)


def stored_volume(asked: Asked) -> tuple[Determination, ...]:
    """Return the answer on storage: the largest of the stated volume, the bank volume swollen, and the piles."""
    threshold = asked.number("stored_cuyd")
    readings = tuple(_reading(text, cuyd, threshold) for text, cuyd in _volumes(asked))
    if not readings:
        return (_unknown(asked, threshold),)
    drives = max(readings, key=lambda r: r.measured or 0.0)
    stored = drives.measured or 0.0
    verb = "reaches" if drives.result == "triggered" else "stays below"
    return (
        asked.answer(
            drives.result,
            f"{amount(stored, CUBIC_YARDS)} stored ({drives.text}) {verb} {amount(threshold, CUBIC_YARDS)}.",
            measured=stored,
            threshold=threshold,
            unit="cuyd",
            margin=stored - threshold,
            readings=(*readings, *_bank_reading(asked, threshold), *_at_threshold(stored, threshold)),
        ),
    )


def cone_cuyd(radius_ft: float, height_ft: float) -> float:
    """Return the volume of a conical pile.

    >>> round(cone_cuyd(15, 10), 2)
    87.27
    """
    return math.pi * radius_ft**2 * height_ft / 3.0 / CUFT_PER_CUYD


def _volumes(asked: Asked) -> list[tuple[str, float]]:
    facts = asked.facts
    bank, swell = facts.number("bank_cuyd"), facts.number("swell")
    found = {
        "as stated, as stored": facts.number("stored_fill_cuyd"),
        f"bank volume swollen by {swell}": bank * swell if bank is not None and swell is not None else None,
        "conical piles together": _piles(facts.text("fill_piles")),
    }
    return [(text, cuyd) for text, cuyd in found.items() if cuyd is not None]


def _piles(text: str | None) -> float | None:
    if text is None:
        return None
    sizes = (pile.lower().split("x") for pile in text.split(";"))
    return sum(cone_cuyd(float(radius), float(height)) for radius, height in sizes)


def _reading(text: str, cuyd: float, threshold: float) -> PolicyReading:
    result: Result = "triggered" if cuyd >= threshold else "not_triggered"
    return PolicyReading("AMB-06", text, cuyd, threshold, result)


def _at_threshold(stored: float, threshold: float) -> tuple[PolicyReading, ...]:
    if stored != threshold:
        return ()
    return (PolicyReading("AMB-02", "'more than'", stored, threshold, "not_triggered"),)


def _bank_reading(asked: Asked, threshold: float) -> tuple[PolicyReading, ...]:
    bank = asked.facts.number("bank_cuyd")
    return (
        () if bank is None else (_reading("in the bank, before digging (shown, does not drive)", bank, threshold),)
    )


def _unknown(asked: Asked, threshold: float) -> Determination:
    bank = asked.facts.number("bank_cuyd")
    if bank is not None and bank > threshold:
        why = f"{amount(bank, CUBIC_YARDS)} in the bank is already more than {amount(threshold, CUBIC_YARDS)}."
        return asked.answer(
            "triggered", why, measured=bank, threshold=threshold, unit="cuyd", margin=bank - threshold
        )
    needs = ("swell",) if bank is not None else NEEDS
    why = f"How much fill or excavate is stored at one time was not given; more than {threshold:g} needs a plan."
    return asked.answer("needs_input", why, threshold=threshold, unit="cuyd", needs=needs)
