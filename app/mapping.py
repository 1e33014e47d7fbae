"""``ours=theirs``: which of a file's columns stands for one of ours, as callers write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spatial.errors import ParameterRefused


def pairs_of(given: Sequence[str], option: str) -> Iterator[tuple[str, str]]:
    """Return the (ours, theirs) of texts; raises ``bad_parameter`` naming ``option`` for anything else.

    >>> list(pairs_of(["loc_id=PARCEL"], "--map"))
    [('loc_id', 'PARCEL')]
    """
    for text in given:
        ours, equals, theirs = text.partition("=")
        if not (equals and ours.strip() and theirs.strip()):
            raise ParameterRefused(f"{option} {text[:60]!r} is not ours=theirs; write for example loc_id=PARCEL.")
        yield ours.strip(), theirs.strip()
