"""Lists of abutters for tests of paper and files: any number of rows, letters made from them, shapes drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from fabrics import box

from app.notices.addresses import Addressee, addressee
from app.notices.owners import letters_of, owner_told
from app.notices.telling import counts_of, rule_told
from app.reports.abutters.shapes import Shape, Shapes
from app.schemas.abutter_requests import Hearing
from app.schemas.abutters import AbutterList, AbutterTold, SubjectTold
from layers.notice_rules import load_notice_rules

CREATED = "2026-11-30T12:00:00Z"


def row(loc_id: str, *owners: Addressee, relation: str = "direct", distance_ft: float = 0.0) -> AbutterTold:
    """Return an abutter with some owners."""
    return AbutterTold(
        loc_id=loc_id,
        map_par_id=f"12-{loc_id}",
        town_id=78,
        site_address=f"{loc_id} ELM ST",
        distance_ft=distance_ft,
        relation=relation,
        rules=("lynnfield-320.within_100_ft",),
        owners=tuple(owner_told(f"{loc_id}-{n}", o, o.flags) for n, o in enumerate(owners)),
        flags=(),
    )


def many(count: int) -> tuple[AbutterTold, ...]:
    """Return abutters with one owner each, named by number."""
    return tuple(
        row(str(n), addressee(f"OWNER {n:04d}", f"{n} OAK ST", city="DOVER", state="MA", zip_code="02030"))
        for n in range(1, count + 1)
    )


def told(abutters: Sequence[AbutterTold], **more: object) -> AbutterList:
    """Return a draft of some abutters."""
    sent = letters_of(abutters)
    body = AbutterList(
        id="abc123",
        url="/v1/abutter-lists/abc123",
        created=CREATED,
        on=date(2026, 11, 30),
        status="draft",
        rule=rule_told(load_notice_rules().rule("lynnfield-320")),
        subject=(SubjectTold(loc_id="S", site_address="0 ELM ST", town_id=78),),
        parcels_editions=("dover/test",),
        tax_list=(),
        condominium="units",
        abutters=tuple(abutters),
        near_misses=(),
        excluded=(),
        notices=sent.notices,
        alike=sent.alike,
        hearing=Hearing(time="7:00 PM", place="Town Hall", project="Drainage"),
        hearing_on=date(2026, 12, 14),
        deadlines=(),
        warnings=(),
        counts=counts_of(tuple(abutters), len(sent.notices)),
    )
    return body.model_copy(update=more)


def shapes(abutters: Sequence[AbutterTold]) -> Shapes:
    """Return a subject, a ring, and the abutters in a row beside it."""
    lots = [
        Shape("abutter", a.loc_id, a.relation, box(200 + 20 * n, 0, 218 + 20 * n, 90))
        for n, a in enumerate(abutters)
    ]
    return Shapes(
        (
            Shape("ring", None, None, box(-100, -100, 300, 300)),
            Shape("subject", "S", None, box(0, 0, 200, 200)),
            *lots,
        )
    )
