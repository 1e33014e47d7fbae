"""One letter per addressee: rows merged only when name and mailing address agree. Pure text.

What is alike but not the same is proposed to a person and never merged: a missed owner voids a hearing, a second
letter costs a stamp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz, process

from app.notices.addresses import Addressee, key_of, plain, plus_four

ALIKE_PERCENT = 88.0
"""Name and address together at least this alike are shown to a person as perhaps one addressee."""

LARGEST_ZIP = 2_000
"""With more letters to one ZIP than this, only those of one name or one street line are compared."""


@dataclass(frozen=True, slots=True)
class Owned:
    """One row of the tax list as far as letters need it: whose, which parcel, which row."""

    loc_id: str
    prop_id: str
    addressee: Addressee


@dataclass(frozen=True, slots=True)
class Letter:
    """One envelope: its lines, and the parcels and rows behind it in the order of the list."""

    lines: tuple[str, ...]
    addressee: Addressee
    loc_ids: tuple[str, ...]
    prop_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two letters that may be for one addressee; positions in the list of letters, from 0."""

    first: int
    second: int
    percent: float


def letters(rows: Sequence[Owned]) -> tuple[Letter, ...]:
    """Return one letter per addressee in the order of first appearance; rows without name or address give none."""
    groups: dict[tuple[str, ...], list[Owned]] = {}
    for row in rows:
        if row.addressee.lines:
            groups.setdefault(_one_addressee(row), []).append(row)
    return tuple(_letter(group) for found in groups.values() for group in _by_plus_four(found))


def _one_addressee(row: Owned) -> tuple[str, ...]:
    """Return what makes rows one addressee; without a street, or of an unknown owner, only the row itself does.

    Two people of one name in one town, and two owners nobody knows, are not the same.
    """
    doubtful = not row.addressee.street or bool({"owner_unknown", "address_unknown"} & set(row.addressee.flags))
    return (*key_of(row.addressee), *((row.loc_id, row.prop_id) if doubtful else ()))


def _by_plus_four(group: Sequence[Owned]) -> Sequence[Sequence[Owned]]:
    """Split rows whose +4 contradict one another; one +4 and none agree."""
    known = {plus_four(r.addressee) for r in group} - {""}
    if len(known) <= 1:
        return [group]
    apart: dict[str, list[Owned]] = {}
    for row in group:
        apart.setdefault(plus_four(row.addressee), []).append(row)
    return list(apart.values())


def _letter(group: Sequence[Owned]) -> Letter:
    best = max(group, key=lambda r: len(plus_four(r.addressee)))
    return Letter(
        lines=best.addressee.lines,
        addressee=best.addressee,
        loc_ids=tuple(dict.fromkeys(r.loc_id for r in group)),
        prop_ids=tuple(dict.fromkeys(r.prop_id for r in group)),
    )


def alike(found: Sequence[Letter]) -> tuple[Alike, ...]:
    """Return pairs of letters that may be one addressee, most alike first.

    Only letters to one ZIP, one street line or one name are held against each other: a thousand are no trouble.
    """
    names = [plain(" ".join(letter.addressee.names)) for letter in found]
    streets = [plain(" ".join(letter.addressee.street)) for letter in found]
    pairs = {pair for block in _blocks(found, names, streets) for pair in _same_names(block, names)}
    scored = [
        Alike(i, j, round(min(percent, fuzz.ratio(streets[i], streets[j])), 1)) for i, j, percent in sorted(pairs)
    ]
    return tuple(sorted((a for a in scored if a.percent >= ALIKE_PERCENT), key=lambda a: -a.percent))


def _blocks(found: Sequence[Letter], names: Sequence[str], streets: Sequence[str]) -> Sequence[Sequence[int]]:
    """Return the letters that are held against one another: of one name, one street line, or one ZIP."""
    blocks: dict[tuple[str, str], list[int]] = {}
    for i, letter in enumerate(found):
        for kind, value in (("name", names[i]), ("street", streets[i]), ("zip", letter.addressee.zip[:5])):
            blocks.setdefault((kind, value), []).append(i)
    return [b for (kind, _), b in blocks.items() if len(b) > 1 and (kind != "zip" or len(b) <= LARGEST_ZIP)]


def _same_names(block: Sequence[int], names: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Return the pairs of a block whose names are alike in any order of their words."""
    texts = [names[i] for i in block]
    scores = process.cdist(texts, texts, scorer=fuzz.token_sort_ratio, score_cutoff=ALIKE_PERCENT)
    for a, b in zip(*np.nonzero(np.triu(scores, 1)), strict=True):
        yield block[a], block[b], round(float(scores[a, b]), 1)
