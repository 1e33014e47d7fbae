"""The life of a list: draft → reviewed → certified → expired, or superseded. Each step checks the one before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from app.notices.doubts import SENTENCES, warning, warnings_of_parcels
from app.notices.entered import by_parcel, with_owners
from app.notices.owners import letters_of
from app.notices.telling import counts_of, in_list_order
from app.schemas.abutter_requests import CertifyRequest, EnteredOwner, ReviewRequest, SupersedeRequest
from app.schemas.abutters import (
    AbutterList,
    AbutterTold,
    Certified,
    ExcludedTold,
    KeptListTold,
    ListStatus,
    Reviewed,
    Superseded,
    WarningTold,
)
from spatial.errors import ParameterRefused, Refused

DROPPABLE = "opposite_beyond_the_distance"


def reviewed(
    told: AbutterList, request: ReviewRequest, *, added: Sequence[AbutterTold] = (), by: str, at: str
) -> AbutterList:
    """Return a draft as a reviewer leaves it: rows dropped and added with reasons, owners entered, letters anew.

    Parameters
    ----------
    added
        The parcels of ``request.add`` and ``request.restore``, measured and with their owners.

    Raises
    ------
    Refused
        ``conflict`` when it is no draft.
    ParameterRefused
        For a row that may not be dropped, or a parcel that is not on the list.
    """
    _must_be(told, "draft", "reviewed")
    dropped = {d.loc_id: d.reason for d in request.drop}
    entered = by_parcel(request.owners)
    _check_named((*told.abutters, *added), dropped, entered)
    rows = in_list_order((*told.abutters, *added))
    kept = tuple(with_owners(a, entered.get(a.loc_id, ())) for a in rows if a.loc_id not in dropped)
    sent = letters_of(kept)
    drops = tuple(ExcludedTold(loc_id=i, reason=f"dropped in review: {why}") for i, why in dropped.items())
    new = {a.loc_id for a in added}
    return told.model_copy(
        update={
            "status": "reviewed",
            "abutters": kept,
            "excluded": (*(e for e in told.excluded if e.loc_id not in new), *drops),
            "near_misses": tuple(m for m in told.near_misses if m.loc_id not in new),
            "notices": sent.notices,
            "alike": sent.alike,
            "warnings": (*(w for w in told.warnings if w.code not in SENTENCES), *warnings_of_parcels(kept)),
            "counts": counts_of(kept, len(sent.notices)),
            "reviewed": _seen(told.reviewed, request, drops, by=by, at=at),
        }
    )


def _seen(
    before: Reviewed | None, request: ReviewRequest, drops: tuple[ExcludedTold, ...], *, by: str, at: str
) -> Reviewed:
    """Return what this review did, and the ones before it."""
    earlier = before or Reviewed(at=at, by=by)
    adds, restores = (
        tuple(ExcludedTold(loc_id=a.loc_id, reason=a.reason) for a in named)
        for named in (request.add, request.restore)
    )
    return Reviewed(
        at=at,
        by=by,
        dropped=(*earlier.dropped, *drops),
        added=(*earlier.added, *adds),
        restored=(*earlier.restored, *restores),
        owners_entered=tuple(dict.fromkeys((*earlier.owners_entered, *(o.loc_id for o in request.owners)))),
    )


def _check_named(
    rows: Sequence[AbutterTold], dropped: Mapping[str, str], entered: Mapping[str, Sequence[EnteredOwner]]
) -> None:
    by_id = {a.loc_id: a for a in rows}
    for loc_id in (*dropped, *entered):
        if loc_id not in by_id:
            raise ParameterRefused(f"The parcel {loc_id} is not on this list.", code="parcel_unknown")
    for loc_id in dropped:
        if DROPPABLE not in by_id[loc_id].flags:
            raise ParameterRefused(
                f"The parcel {loc_id} lies within the distance of the rule and cannot be dropped; only owners "
                "directly opposite beyond the distance can."
            )


def certified(
    told: AbutterList,
    request: CertifyRequest,
    *,
    today: date,
    validity_days: float | None,
    wording: str | None,
    since: Sequence[WarningTold] = (),
) -> AbutterList:
    """Return a reviewed list as certified.

    Parameters
    ----------
    validity_days
        How long the town lets a certified list stand; None when its staff entered nothing: then it has no end.
    since
        What has come to stand against the list since it was made.

    Raises
    ------
    Refused
        ``conflict`` when it is not reviewed, or when warnings stand against it and no reason is given.
    """
    _must_be(told, "reviewed")
    if request.on > today:
        raise ParameterRefused(
            f"A list cannot be certified on a day to come ({request.on.isoformat()}; today is {today})."
        )
    warnings = (*told.warnings, *since, *_dated_before(told, request))
    standing = list(dict.fromkeys(w.code for w in warnings if w.blocks))
    if standing and not (request.despite or "").strip():
        raise Refused(
            f"These warnings stand against the list: {', '.join(standing)}; answer them, or say in 'despite' why "
            "it is certified all the same. Its other warnings are only told.",
            code="conflict",
        )
    expires = request.on + timedelta(days=int(validity_days)) if validity_days is not None else None
    seal = Certified(
        name=request.name,
        title=request.title,
        on=request.on,
        wording=wording,
        expires_on=expires,
        despite=request.despite,
    )
    return told.model_copy(update={"status": "certified", "certified": seal, "warnings": warnings})


def _dated_before(told: AbutterList, request: CertifyRequest) -> tuple[WarningTold, ...]:
    if request.on >= told.on:
        return ()
    text = f"The certificate bears {request.on}, a day before the list was made ({told.on})."
    return (warning("certified_before_it_was_made", text),)


def superseded(
    told: AbutterList, request: SupersedeRequest, *, successor: AbutterList | None = None, by: str, at: str
) -> AbutterList:
    """Return a list as one that is no longer used.

    Parameters
    ----------
    successor
        The list that takes its place, as it stands today.

    Raises
    ------
    Refused
        ``conflict`` when it already is superseded, or when the successor is not certified today.
    """
    if told.status == "superseded":
        raise Refused("The list is superseded already.", code="conflict")
    if successor is not None and (successor.status != "certified" or successor.id == told.id):
        itself = "itself" if successor.id == told.id else f"{successor.status}, not certified"
        raise Refused(
            f"List {successor.id} cannot take the place of list {told.id}: it is {itself}; name one that is "
            "certified, or none.",
            code="conflict",
        )
    end = Superseded(at=at, by=by, reason=request.reason, successor=request.successor)
    return told.model_copy(update={"status": "superseded", "superseded": end})


def status_on(told: AbutterList, today: date) -> ListStatus:
    """Return where a list stands on a day: a certified one expires on the day after its last."""
    ends = told.certified.expires_on if told.certified else None
    return "expired" if told.status == "certified" and ends is not None and today > ends else told.status


def in_a_line(told: AbutterList, today: date, mailed: int) -> KeptListTold:
    """Return a list as it stands on a day in one line, without owners."""
    return KeptListTold(
        id=told.id,
        url=told.url,
        created=told.created,
        status=status_on(told, today),
        rule=told.rule.id,
        subject=tuple(s.site_address or s.loc_id for s in told.subject),
        counts=told.counts,
        hearing_on=told.hearing_on,
        mailed=mailed,
    )


def _must_be(told: AbutterList, *wanted: ListStatus) -> None:
    if told.status not in wanted:
        raise Refused(
            f"The list is {told.status}; this step needs one that is {' or '.join(wanted)}.", code="conflict"
        )
