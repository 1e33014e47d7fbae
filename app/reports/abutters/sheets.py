"""Label sheets and mailing forms as data: where each label sits, how many pieces a form takes. US Letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.schemas.abutters import NoticeTold
from spatial.errors import ParameterRefused

SortBy = Literal["street", "name", "list"]


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A sheet of self-adhesive labels; pitches run from one label's corner to the next one's."""

    id: str
    columns: int
    rows: int
    width_in: float
    height_in: float
    left_in: float
    top_in: float
    pitch_x_in: float
    pitch_y_in: float

    @property
    def count(self) -> int:
        """Return the labels of one sheet."""
        return self.columns * self.rows


@dataclass(frozen=True, slots=True)
class MailingForm:
    """A postal form that a working sheet is laid out like; ``lines`` pieces go on one sheet."""

    id: str
    title: str
    lines: int
    columns: tuple[str, ...]
    least_pieces: int


LABEL_SHEETS = {
    sheet.id: sheet
    for sheet in (
        LabelSheet("5160", 3, 10, 2.625, 1.0, 0.1875, 0.5, 2.75, 1.0),
        LabelSheet("5161", 2, 10, 4.0, 1.0, 0.15625, 0.5, 4.1875, 1.0),
        LabelSheet("5163", 2, 5, 4.0, 2.0, 0.15625, 0.5, 4.1875, 2.0),
    )
}
MAILING_FORMS = {
    form.id: form
    for form in (
        MailingForm(
            "3665",
            "Certificate of Mailing, Firm (like PS Form 3665)",
            6,
            ("Identifier", "Addressee", "Postage", "Fee", "Special handling", "Parcel airlift"),
            3,
        ),
        MailingForm(
            "3877",
            "Firm Mailing Book for Accountable Mail (like PS Form 3877)",
            8,
            ("Article number", "Addressee", "Postage", "Certified fee", "Return receipt fee", "Remarks"),
            3,
        ),
    )
}


def label_sheet(sheet_id: str) -> LabelSheet:
    """Return a label sheet by its number; raises ``bad_parameter`` naming those there are."""
    if sheet_id not in LABEL_SHEETS:
        known = tuple(LABEL_SHEETS)
        raise ParameterRefused(
            f"There is no label sheet {sheet_id!r}; choose {', '.join(known)}.", suggestions=known
        )
    return LABEL_SHEETS[sheet_id]


def mailing_form(form_id: str) -> MailingForm:
    """Return a mailing form by its number; raises ``bad_parameter`` naming those there are."""
    if form_id not in MAILING_FORMS:
        known = tuple(MAILING_FORMS)
        raise ParameterRefused(
            f"There is no mailing form {form_id!r}; choose {', '.join(known)}.", suggestions=known
        )
    return MAILING_FORMS[form_id]


def in_order(notices: Sequence[NoticeTold], by: SortBy) -> tuple[NoticeTold, ...]:
    """Return the letters by street and house number, by name, or as the list has them."""
    if by == "list":
        return tuple(notices)
    return tuple(sorted(notices, key=_by_name if by == "name" else _by_street))


def _by_name(notice: NoticeTold) -> tuple[str, ...]:
    return tuple(line.casefold() for line in notice.lines)


def _by_street(notice: NoticeTold) -> tuple[str, str, int, str]:
    """Order by the last line (the place), then the street's name, then the house number as a number."""
    street = next((line for line in notice.lines[1:] if line[:1].isdigit()), notice.lines[-2:][0])
    number = re.match(r"\d*", street)
    digits = number.group() if number else ""
    name = street[len(digits) :].strip().casefold()
    return notice.lines[-1].casefold(), name, int(digits or 0), notice.lines[0].casefold()
