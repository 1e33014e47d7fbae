"""Abutters' lists over HTTP. Every route here needs a key of staff or assessor: owners stand in the answers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, Path, Query, Response, UploadFile

from app.deps import Assessor, ServiceDep, Staff
from app.mapping import pairs_of
from app.notices.desk import MOST_LISTS, Actor, Desk
from app.notices.doubts import BLOCKING
from app.notices.taxes import OwnList, add_tax_list
from app.reports.abutters.affidavit import affidavit_pdf
from app.reports.abutters.geojson import abutters_geojson
from app.reports.abutters.paper import labels_pdf, mailing_pdf, report_pdf
from app.reports.abutters.sheets import SortBy
from app.reports.abutters.tables import abutters_csv, direct_csv, mail_merge_csv
from app.reports.abutters.workbook import abutters_xlsx
from app.schemas.abutter_requests import (
    CertifyRequest,
    ListRequest,
    MailingsRequest,
    ReviewRequest,
    SupersedeRequest,
)
from app.schemas.abutters import AbutterList, DeadlinesTold, KeptListsTold, ListChanges, TaxListAdded

router = APIRouter(tags=["abutters"])
PDF, CSV, GEOJSON = "application/pdf", "text/csv; charset=utf-8", "application/geo+json"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
OF_DATES = ("no_notice_required", "hearing_on_closed_day", "mailing_day_over", "mailed_late")
ListId = Annotated[str, Path(description="Id of an abutters' list.", max_length=64)]
Reason = Annotated[str | None, Query(description="Why it is handed out; goes into the log.", max_length=500)]


def desk(service: ServiceDep, who: Staff) -> Desk:
    """Return the desk for the caller; staff and assessors only."""
    return Desk(service, Actor(who.key_id or "unknown"))


DeskDep = Annotated[Desk, Depends(desk)]


def _file(content: bytes | str, media_type: str, name: str) -> Response:
    return Response(
        content, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _exports(media_type: str) -> dict[int | str, dict[str, object]]:
    return {200: {"content": {media_type.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}}}}


@router.post("/abutter-lists", status_code=201, response_model=AbutterList, summary="Make a list of abutters")
def create(request: ListRequest, desk: DeskDep, response: Response) -> AbutterList:
    """Return a draft: who must be told of work on some land, by a notice rule, with owners and letters."""
    told = desk.create(request)
    response.headers["Location"] = told.url
    return told


@router.get("/abutter-lists", response_model=KeptListsTold, summary="The lists made last")
def kept(
    desk: DeskDep, limit: Annotated[int, Query(ge=1, le=1000, description="Most lists told.")] = MOST_LISTS
) -> KeptListsTold:
    """Return the kept lists in a line each, newest first, without owners."""
    return desk.kept(limit)


@router.get(
    "/abutter-lists/{list_id}.csv", responses=_exports(CSV), response_class=Response, summary="A list as CSV"
)
def as_csv(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return parcels and owners, one row per row of the tax list, for a spreadsheet."""
    return _file(abutters_csv(desk.read(list_id, what="csv", reason=reason)), CSV, f"abutters-{list_id}.csv")


@router.get("/abutter-lists/{list_id}.xlsx", responses=_exports(XLSX), response_class=Response, summary="As XLSX")
def as_xlsx(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return a workbook: parcels and notices."""
    return _file(abutters_xlsx(desk.read(list_id, what="xlsx", reason=reason)), XLSX, f"abutters-{list_id}.xlsx")


@router.get("/abutter-lists/{list_id}.geojson", responses=_exports(GEOJSON), response_class=Response)
def as_geojson(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return land, ring and parcels for a map, without names."""
    told = desk.read(list_id, what="geojson", reason=reason)
    return _file(abutters_geojson(told, desk.shapes(list_id)), GEOJSON, f"abutters-{list_id}.geojson")


@router.get("/abutter-lists/{list_id}.pdf", responses=_exports(PDF), response_class=Response, summary="The report")
def as_pdf(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return the report with map, table and signature block; marked as a draft until it is certified."""
    told = desk.read(list_id, what="pdf", reason=reason)
    return _file(report_pdf(told, desk.shapes(list_id)), PDF, f"abutters-{list_id}.pdf")


@router.get("/abutter-lists/{list_id}", response_model=AbutterList, summary="A list as it stands today")
def fetch(list_id: ListId, desk: DeskDep, reason: Reason = None) -> AbutterList:
    """Return a list with its status of today and what became of its letters."""
    return desk.read(list_id, reason=reason)


@router.get("/abutter-lists/{list_id}/labels.pdf", responses=_exports(PDF), response_class=Response)
def labels(
    list_id: ListId,
    desk: DeskDep,
    *,
    sheet: Annotated[str, Query(description="5160, 5161 or 5163.")] = "5160",
    start: Annotated[int, Query(description="First label to print, from 1.")] = 1,
    sort: Annotated[SortBy, Query(description="Order of the labels.")] = "list",
    anyway: Annotated[bool, Query(description="Labels of a superseded or expired list all the same.")] = False,
    reason: Reason = None,
) -> Response:
    """Return labels; addresses that do not fit are listed on a page of their own.

    A draft's sheets say so in their margin; a list that is superseded or expired gives labels only with ``anyway``.
    """
    told = desk.read(list_id, what="labels", reason=reason)
    return _file(
        labels_pdf(told, sheet=sheet, start=start, sort=sort, anyway=anyway), PDF, f"labels-{sheet}-{list_id}.pdf"
    )


@router.get("/abutter-lists/{list_id}/mailing.pdf", responses=_exports(PDF), response_class=Response)
def mailing(
    list_id: ListId,
    desk: DeskDep,
    *,
    form: Annotated[str, Query(description="3665 or 3877.")] = "3665",
    reason: Reason = None,
) -> Response:
    """Return working sheets laid out like a firm mailing form of the Postal Service."""
    told = desk.read(list_id, what="mailing", reason=reason)
    return _file(mailing_pdf(told, form=form), PDF, f"mailing-{form}-{list_id}.pdf")


@router.get("/abutter-lists/{list_id}/affidavit.pdf", responses=_exports(PDF), response_class=Response)
def affidavit(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return the affidavit of service from what was reported of the letters."""
    return _file(
        affidavit_pdf(desk.read(list_id, what="affidavit", reason=reason)), PDF, f"affidavit-{list_id}.pdf"
    )


@router.get("/abutter-lists/{list_id}/notices.csv", responses=_exports(CSV), response_class=Response)
def notices(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return one row per letter with the hearing's facts, for a mail merge."""
    return _file(mail_merge_csv(desk.read(list_id, what="notices", reason=reason)), CSV, f"notices-{list_id}.csv")


@router.get("/abutter-lists/{list_id}/direct.csv", responses=_exports(CSV), response_class=Response)
def direct(list_id: ListId, desk: DeskDep, reason: Reason = None) -> Response:
    """Return the directly abutting owners, for the names on the plan sheet."""
    return _file(direct_csv(desk.read(list_id, what="direct", reason=reason)), CSV, f"direct-{list_id}.csv")


@router.get("/abutter-lists/{list_id}/deadlines", response_model=DeadlinesTold, summary="The dates that follow")
def deadlines(list_id: ListId, desk: DeskDep) -> DeadlinesTold:
    """Return the dates that follow from the list's rule and the dates given with it."""
    told = desk.read(list_id, what="deadlines")
    return DeadlinesTold(
        rule=told.rule.id,
        how=told.rule.how,
        mail_by=told.mail_by,
        mail_by_law=told.mail_by_law,
        deadlines=told.deadlines,
        warnings=tuple(w for w in told.warnings if w.code in OF_DATES),
    )


@router.get("/abutter-lists/{list_id}/changes", response_model=ListChanges, summary="What is different today")
def changes(list_id: ListId, desk: DeskDep, reason: Reason = None) -> ListChanges:
    """Return parcels added or gone and owners changed since the list was made."""
    return desk.changes(list_id, reason=reason)


@router.post("/abutter-lists/{list_id}/review", response_model=AbutterList, summary="Keep a draft as reviewed")
def review(list_id: ListId, request: ReviewRequest, desk: DeskDep) -> AbutterList:
    """Return the list as reviewed: rows dropped or added, owners entered, each with its reason."""
    return desk.review(list_id, request)


@router.post(
    "/abutter-lists/{list_id}/certify",
    response_model=AbutterList,
    summary="Certify a reviewed list",
    description="Return the list as certified by the assessors' office; it is frozen from then on. A warning whose "
    "`blocks` is true stands against it and needs an answer, or a reason in `despite`; others are only told. "
    f"Those that stand against it: {', '.join(sorted(BLOCKING))}.",
)
def certify(list_id: ListId, request: CertifyRequest, desk: DeskDep, who: Assessor) -> AbutterList:  # noqa: ARG001
    """Return the list as certified by the assessors' office; it is frozen from then on."""
    return desk.certify(list_id, request)


@router.post("/abutter-lists/{list_id}/supersede", response_model=AbutterList, summary="Stop using a list")
def supersede(list_id: ListId, request: SupersedeRequest, desk: DeskDep) -> AbutterList:
    """Return the list as superseded."""
    return desk.supersede(list_id, request)


@router.post("/abutter-lists/{list_id}/mailings", response_model=AbutterList, summary="Report what was mailed")
def mailings(list_id: ListId, request: MailingsRequest, desk: DeskDep) -> AbutterList:
    """Keep article numbers, mailing days and returned letters."""
    return desk.mailed(list_id, request)


@router.post("/tax-lists", status_code=201, response_model=TaxListAdded, summary="Take in a town's own tax list")
def add_own_tax_list(
    service: ServiceDep,
    who: Staff,
    *,
    file: Annotated[UploadFile, File(description="CSV or XLSX export of the town's appraisal system.")],
    town: Annotated[str, Form(description="Slug or TOWN_ID.", max_length=60)],
    fiscal_year: Annotated[int, Form(description="The year the list is of.")],
    mapped: Annotated[
        list[str], Form(alias="map", description="`ours=theirs`, repeatable; kept for the town.", max_length=20)
    ] = [],  # noqa: B006 (FastAPI reads it, nobody changes it)
    reason: Annotated[str | None, Form(max_length=500)] = None,
) -> TaxListAdded:
    """Keep a town's own tax list; lists made from now on take the owners from it, not from the published one."""
    given = OwnList(
        town=town,
        name=(file.filename or "tax list")[:100],
        content=file.file.read(),
        fiscal_year=fiscal_year,
        mapping=dict(pairs_of(mapped, "map")),
    )
    return add_tax_list(service, Actor(who.key_id or "unknown"), given, reason)
