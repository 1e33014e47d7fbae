"""What stands against a list, in sentences; which of it keeps the assessor from certifying unsaid. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.notices.owners import NO_ROW, UNDETERMINED
from app.notices.tax_book import TaxSource
from app.schemas.abutters import AbutterTold, WarningTold
from spatial.case import Caution
from spatial.notice import PLAIN_DISTANCE, NoticeRule

BLOCKING = frozenset(
    {
        "ask_other_town",
        "outside_loaded_parcels",
        "work_outside_subject",
        "far_side_not_found",
        "ground_without_parcel",
        "way_with_tax_row",
        "tax_list_unknown",
        "tax_list_missing",
        "fiscal_years_differ",
        "fiscal_year_unknown",
        "same_owner_next_to_the_land",
        "no_legal_rule",
        NO_ROW,
        UNDETERMINED,
        "no_owner_name",
        "owner_unknown",
        "no_mailing_address",
        "address_unknown",
        "tax_list_old",
        "tax_rows_without_parcel_here",
        "parcels_stale",
        "made_on_older_editions",
    }
)
"""Codes over which a list is certified only with a reason."""

SENTENCES = {
    NO_ROW: "has no row in the tax list",
    UNDETERMINED: "is a way whose owner the Assessor has to determine",
    "no_owner_name": "has a row without an owner's name",
    "owner_unknown": "has a row whose owner the tax list calls unknown",
    "no_mailing_address": "has a row without a mailing address",
    "address_unknown": "has a row whose mailing address the tax list calls unknown",
    "no_street_line": "has an address without a street or box",
    "zip_missing_or_unusual": "has a ZIP code that is missing or unusual",
    "state_unusual": "has a state that is none",
    "owner_name_seems_cut": "has an owner's name that seems cut off",
    "unusual_characters": "has a name or address in characters labels may not print: write that envelope by hand",
    "sold_after_the_list": "was sold after the 1 January the tax list speaks of",
    "no_association_row": "is a condominium whose association does not show in the tax list: every unit is kept",
    "opposite_beyond_the_distance": "is beyond the distance but directly opposite (AMB-12); staff may drop it",
}


def warnings_of(
    abutters: Sequence[AbutterTold], cautions: Iterable[Caution], sources: Sequence[TaxSource], rule: NoticeRule
) -> tuple[WarningTold, ...]:
    """Return every warning of a list: of the ground, of the tax list, of single parcels."""
    ground = [warning(c.code, c.message) for c in cautions]
    return (*ground, *_of_rule(rule), *_of_tax_lists(sources), *warnings_of_parcels(abutters))


def warning(code: str, message: str) -> WarningTold:
    """Return a warning that blocks when its code does."""
    return WarningTold(code=code, message=message, blocks=code in BLOCKING)


def _of_rule(rule: NoticeRule) -> Iterable[WarningTold]:
    if rule.id == PLAIN_DISTANCE:
        yield warning("no_legal_rule", f"{rule.title}: {rule.how}")


def _of_tax_lists(sources: Sequence[TaxSource]) -> Iterable[WarningTold]:
    years = sorted({s.fiscal_year for s in sources if s.fiscal_year is not None})
    if len(years) > 1:
        told = ", ".join(f"FY{year}" for year in years)
        yield warning("fiscal_years_differ", f"The owners come from tax lists of different years ({told}).")
    for source in sources:
        if not source.has_rows:
            yield warning(
                "tax_list_missing",
                f"No parcel listed in town {source.town_id} has a row in {source.source}; load its tax list.",
            )
        elif source.fiscal_year is None:
            yield warning(
                "fiscal_year_unknown", f"Rows of {source.source} in town {source.town_id} name no fiscal year."
            )


def warnings_of_parcels(abutters: Sequence[AbutterTold]) -> Iterable[WarningTold]:
    """Return what is doubtful about single parcels, one sentence a doubt, with the parcels it is true of."""
    for flag, sentence in SENTENCES.items():
        named = [a.loc_id for a in abutters if flag in a.flags]
        if named:
            shown = ", ".join(named[:10]) + (f" and {len(named) - 10} more" if len(named) > 10 else "")
            yield warning(flag, f"{shown} {sentence}.")
