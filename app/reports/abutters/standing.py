"""What a list's status and warnings mean for who holds the paper: the mark on each sheet, what needs an answer."""

from __future__ import annotations

from app.schemas.abutters import AbutterList
from spatial.errors import Refused

DRAFT = "DRAFT, not certified"
SAMPLE = "SAMPLE, INVENTED DATA"
STANDS = "Against certifying: each needs an answer"
ANSWERED = "Certified despite"
ONLY_TOLD = "To know: told, and no answer is asked"
UNUSED = ("expired", "superseded")


def mark(told: AbutterList) -> str:
    """Return what a page is marked with: DRAFT until the list is certified, and what became of it after."""
    if told.status in UNUSED:
        successor = told.superseded.successor if told.superseded else None
        return f"{told.status.upper()}{f' by list {successor}' if successor else ''}, no longer to be used"
    return "" if told.status == "certified" else DRAFT


def marks(told: AbutterList) -> str:
    """Return all that every sheet of a paper bears: the list's status, and that its towns are invented."""
    return " – ".join(filter(None, (SAMPLE if told.invented else "", mark(told))))


def sorted_warnings(told: AbutterList) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the warnings under a title each, those that need an answer first; each with its code. No empty one."""
    said = [w for w in told.warnings if w.code != "owners_sign"]
    found = (
        (ANSWERED if told.certified else STANDS, tuple(f"{w.message} [{w.code}]" for w in said if w.blocks)),
        (ONLY_TOLD, tuple(f"{w.message} [{w.code}]" for w in said if not w.blocks)),
    )
    return tuple((title, lines) for title, lines in found if lines)


def check_labels(told: AbutterList, *, anyway: bool) -> None:
    """Refuse labels of a list that is no longer used, unless they are asked for all the same.

    A draft's labels bear its mark in the margin of each sheet: a sheet in front would be printed on label stock and
    meet the first free label of a sheet begun. No mark goes with an envelope, so those are refused.
    """
    if told.status in UNUSED and not anyway:
        raise Refused(
            f"List {told.id} is {mark(told)}: take labels of the list in use, or ask for these all the same "
            "with anyway.",
            code="conflict",
        )
