"""Fill and excavate stored: as stored, loose, all at once, on the whole site (AMB-06)."""

from __future__ import annotations

import math

from spatial.decide.asking import Asked
from spatial.decide.phrases import AT_THRESHOLD, amount
from spatial.rules.determination import Determination, PolicyReading, Result
from spatial.units import CUFT_PER_CUYD

CUBIC_YARDS = "cubic yards"
NEEDS = ("stored_fill_cuyd",)
IN_PLACE = "measured in place; dug, it takes up at least as much"
SWELL = " Dug material takes up more room than in place; say by how much (fact swell)."


def stored_volume(asked: Asked) -> tuple[Determination, ...]:
    """Return the answer on storage: the largest of the stated volume, the bank volume swollen, and the piles.

    A bank volume without its swell counts as it is, and below the threshold asks for the swell.
    """
    threshold = asked.number("stored_cuyd")
    readings = tuple(_reading(text, cuyd, threshold) for text, cuyd in _volumes(asked))
    if not readings:
        why = (
            f"How much fill or excavate is stored at one time was not given; more than {threshold:g} needs a plan."
        )
        return (asked.answer("needs_input", why, threshold=threshold, unit="cuyd", needs=NEEDS),)
    drives = max(readings, key=lambda r: r.measured or 0.0)
    stored = drives.measured or 0.0
    loose = drives.result == "triggered" or not _swell_missing(asked)
    return (
        asked.answer(
            drives.result if loose else "needs_input",
            _why(drives, stored, threshold) + ("" if loose else SWELL),
            measured=stored,
            threshold=threshold,
            unit="cuyd",
            margin=stored - threshold,
            needs=() if loose else ("swell",),
            readings=(*readings, *_bank_reading(asked, threshold), *_at_threshold(stored, threshold)),
        ),
    )


def _why(drives: PolicyReading, stored: float, threshold: float) -> str:
    verb = "reaches" if drives.result == "triggered" else "stays below"
    at = AT_THRESHOLD if stored == threshold else ""
    return f"{amount(stored, CUBIC_YARDS)} stored ({drives.text}) {verb} {amount(threshold, CUBIC_YARDS)}.{at}"


def _swell_missing(asked: Asked) -> bool:
    return asked.facts.number("bank_cuyd") is not None and asked.facts.number("swell") is None


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
        IN_PLACE: bank if _swell_missing(asked) else None,
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
    if bank is None or _swell_missing(asked):
        return ()
    return (_reading("in the bank, before digging (shown, does not drive)", bank, threshold),)
