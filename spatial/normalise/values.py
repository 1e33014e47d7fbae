"""Normalise: attribute values that a table's number columns are known to spoil."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from spatial.model import Note, Scalar, Submission

_ZIP = re.compile(r"^(?:.*_)?(?:zip|zipcode|zip_code|zip5|postal|postcode)$", re.IGNORECASE)


def tidy_values(submission: Submission) -> Submission:
    """Return the submission with ZIP codes that a number column robbed of their leading zero given it back."""
    features = tuple(replace(f, attributes=_with_zips(f.attributes)) for f in submission.features)
    changed = {
        key
        for old, new in zip(submission.features, features, strict=True)
        for key in new.attributes
        if old.attributes[key] != new.attributes[key]
    }
    notes = tuple(
        Note("zip_zeros_restored", f"Numbers in the column {key[:60]!r} were written as ZIP codes of five digits.")
        for key in sorted(changed)
    )
    return replace(submission, features=features, notes=(*submission.notes, *notes))


def _with_zips(attributes: Mapping[str, Scalar]) -> dict[str, Scalar]:
    return {key: _as_zip(value) if _ZIP.match(key) else value for key, value in attributes.items()}


def _as_zip(value: Scalar) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 100_000:
        return value
    return f"{value:05d}"
