"""The fee of an application: by the town's schedule where its staff entered it, else to be asked for."""

from __future__ import annotations

from spatial.decide.asking import Asked
from spatial.decide.following import gate
from spatial.decide.one_acre import counted_sqft
from spatial.decide.phrases import listed
from spatial.rules.determination import Determination
from spatial.units import SQFT_PER_ACRE

FLAT, PER_ACRE = "fee_usd", "fee_usd_per_acre"


def application_fee(asked: Asked) -> tuple[Determination, ...]:
    """Return what an application costs when one is needed (the rules it follows); ``measured`` in dollars, or None.

    Acres are those counted, unrounded; a schedule may count begun acres, and says so itself.
    """
    needed = gate(asked)
    if needed != "triggered":
        (title,) = asked.titles(asked.words("follows"))
        why = f"A fee is due when {title} is triggered" + (
            "." if needed == "not_triggered" else "; that is not known yet."
        )
        return (asked.answer(needed, why, unit="usd"),)
    flat, per_acre = asked.known(FLAT), asked.known(PER_ACRE)
    if flat is None and per_acre is None:
        why = "A fee is due; the town's schedule is not held, so ask the board how much."
        return (asked.answer("triggered", why, unit="usd"),)
    acres = counted_sqft(asked) / SQFT_PER_ACRE
    parts = [
        *([f"${flat:,.2f}"] if flat is not None else []),
        *([f"${per_acre:,.2f} for each of {acres:,.2f} acres"] if per_acre is not None else []),
    ]
    due = (flat or 0.0) + (per_acre or 0.0) * acres
    why = f"A fee of ${due:,.2f} is due ({listed(parts)}; {_source(asked)}); review fees come beside it."
    return (asked.answer("triggered", why, measured=due, unit="usd"),)


def _source(asked: Asked) -> str:
    numbers = (asked.rule.numbers[name] for name in (FLAT, PER_ACRE))
    return listed([n.citation for n in numbers if n.value is not None])
