"""Whom a rule wants told besides owners of land, and whether it is a rule of the subject's town at all."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.abutters.beside import towns_beside
from spatial.case import Caution
from spatial.fabric.beyond import TownOutline
from spatial.model import Town
from spatial.notice import NoticeRule


def cautions_of_others(
    rule: NoticeRule, subject: Sequence[Town], outlines: Sequence[TownOutline] | None
) -> tuple[Caution, ...]:
    """Return who else is told, by name as far as the towns layer tells, and the subject's towns the rule is not of.

    Parameters
    ----------
    subject
        The towns the subject lies in.
    outlines
        Outlines of all towns; None when no such layer is loaded.
    """
    return (*_also(rule, subject, outlines), *_foreign(rule, subject))


def _also(rule: NoticeRule, subject: Sequence[Town], outlines: Sequence[TownOutline] | None) -> tuple[Caution, ...]:
    told = [*rule.also_told]
    if rule.neighbouring_boards is not None:
        told.append(f"{rule.neighbouring_boards} ({_beside(subject, outlines)})")
    if not told:
        return ()
    text = f"{rule.citation} wants others told, who are not on this list of owners: {'; '.join(told)}."
    return (Caution("others_are_told", text),)


def _beside(subject: Sequence[Town], outlines: Sequence[TownOutline] | None) -> str:
    if not outlines or not subject:
        return "which towns abut is not known here: no towns layer is loaded, or the subject is in no town"
    beside = towns_beside({t.id for t in subject}, outlines)
    named = ", ".join(t.name for t in beside) or "the towns layer shows none"
    return f"{named}; towns of other states are not in that layer"


def _foreign(rule: NoticeRule, subject: Sequence[Town]) -> tuple[Caution, ...]:
    """Say which towns of the subject do not have the rule of a town that was chosen."""
    without = [t.name for t in subject if rule.towns and not (t.slug in rule.towns or rule.bylaw in t.bylaws)]
    if not without:
        return ()
    return (
        Caution(
            "rule_of_another_town",
            f"{rule.title} is not law in {', '.join(without)}, where land of the subject lies; make a list by the "
            "rule that holds there too.",
        ),
    )
