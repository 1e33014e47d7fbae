"""Steps of a kept list's life at a terminal: found again, reviewed, certified, mailed, compared, superseded."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from pydantic import ValidationError

from app.notices.desk import MOST_LISTS, Actor, Desk
from app.notices.doubts import BLOCKING
from app.notices.mail_sheet import all_mailed, read_sheet
from app.notices.owner_sheet import read_owners
from app.reports.abutters.terminal import changes_text, life_text, lists_text
from app.schemas.abutter_requests import (
    Asked,
    CertifyRequest,
    Drop,
    MailingsRequest,
    ReviewRequest,
    SupersedeRequest,
)
from app.schemas.abutters import AbutterList
from app.service import Service
from app.terminal import put, settings_of
from app.uploads import day_of
from spatial.errors import Denied, ParameterRefused

Request = TypeVar("Request", bound=Asked)
ListId = Annotated[str, typer.Argument(metavar="ID", help="Id of a kept list.")]
Reason = Annotated[str | None, typer.Option(help="Why, for the log.")]
DESPITE = f"Answer to the warnings that stand against it: {', '.join(sorted(BLOCKING))}. Others are only told."
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def desk_of(ctx: typer.Context) -> Iterator[Desk]:
    """Open the desk for the user of the machine, who is named in the log."""
    with Service(settings_of(ctx)) as service:
        yield Desk(service, Actor(f"system:{getpass.getuser()}"))


def lists(
    ctx: typer.Context,
    *,
    limit: Annotated[int, typer.Option(min=1, help="Most lists shown.")] = MOST_LISTS,
    as_json: AsJson = False,
) -> None:
    """Show the lists made last, without owners: id, status, rule, subject, letters."""
    with desk_of(ctx) as desk:
        told = desk.kept(limit)
    put(told.model_dump_json() if as_json else lists_text(told))


def review(
    ctx: typer.Context,
    list_id: ListId,
    *,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="LOC_ID=REASON", help="Leave out an owner opposite beyond the distance; repeatable."),
    ] = None,
    restore: Annotated[
        list[str] | None, typer.Option(metavar="LOC_ID=REASON", help="Put back what a review dropped; repeatable.")
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="LOC_ID=REASON", help="Add a parcel the rule does not name; repeatable."),
    ] = None,
    owners: Annotated[
        Path | None,
        typer.Option(
            help="CSV of owners the assessor determined: loc_id, owner, address, city, state, zip, country, reason."
        ),
    ] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Keep a draft as reviewed; what is dropped, restored, added or entered keeps its reason."""
    asked = asking(
        ReviewRequest,
        drop=_named(drop, "--drop"),
        restore=_named(restore, "--restore"),
        add=_named(add, "--add"),
        owners=read_owners(owners.name, _content(owners)) if owners is not None else (),
        reason=reason,
    )
    with desk_of(ctx) as desk:
        _say(desk.review(list_id, asked), as_json=as_json)


def certify(  # noqa: PLR0913 (one parameter an option of the command)
    ctx: typer.Context,
    list_id: ListId,
    *,
    name: Annotated[str, typer.Option(help="Who certifies.")],
    title: Annotated[str, typer.Option(help="Title of who certifies.")],
    on: Annotated[str, typer.Option(help="Day of the certificate (YYYY-MM-DD).")],
    key: Annotated[
        str | None, typer.Option(envvar="METES_KEY", help="An assessor's key; asked for at a terminal without it.")
    ] = None,
    despite: Annotated[str | None, typer.Option(help=DESPITE)] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Certify a reviewed list for the assessors' office; it is frozen from then on. Needs an assessor's key."""
    asked = asking(CertifyRequest, name=name, title=title, on=day_of(on), despite=despite, reason=reason)
    with Service(settings_of(ctx)) as service:
        told = Desk(service, _assessor(service, key)).certify(list_id, asked)
        _say(told, as_json=as_json)


def mailings(
    ctx: typer.Context,
    list_id: ListId,
    sheet: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="The CSV of `--format notices`, filled in; empty cells report nothing."
        ),
    ] = None,
    *,
    mailed_on: Annotated[
        str | None,
        typer.Option(
            help="Day on which every letter not reported yet was mailed (YYYY-MM-DD); when all are reported, the "
            "day that corrects theirs."
        ),
    ] = None,
    instead_of: Annotated[
        str | None, typer.Option(help="With --mailed-on: correct only letters reported as mailed on this day.")
    ] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Keep article numbers, mailing days and returned letters; `--format affidavit` swears to them."""
    with desk_of(ctx) as desk:
        told = desk.read(list_id, what="mailings", reason=reason)
        reports = read_sheet(sheet.name, _content(sheet), told) if sheet is not None else ()
        if mailed_on is not None:
            wrong = day_of(instead_of) if instead_of is not None else None
            reports = all_mailed(told, reports, day_of(mailed_on), instead_of=wrong)
        if not reports:
            raise ParameterRefused(_nothing_reported(mailed_on, instead_of))
        _say(desk.mailed(list_id, MailingsRequest(mailings=reports, reason=reason)), as_json=as_json)


def changes(ctx: typer.Context, list_id: ListId, *, reason: Reason = None, as_json: AsJson = False) -> None:
    """Compare a kept list with today's parcels and tax list."""
    with desk_of(ctx) as desk:
        told = desk.changes(list_id, reason=reason)
    put(told.model_dump_json() if as_json else changes_text(told))


def supersede(
    ctx: typer.Context,
    list_id: ListId,
    *,
    successor: Annotated[str | None, typer.Option(help="Id of the list that takes its place.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Mark a list as one that is no longer to be used."""
    with desk_of(ctx) as desk:
        asked = asking(SupersedeRequest, reason=reason, successor=successor)
        _say(desk.supersede(list_id, asked), as_json=as_json)


STEPS = (lists, review, certify, mailings, changes, supersede)


def asking(model: type[Request], **given: object) -> Request:
    """Return a request as HTTP would take it; raises ``bad_parameter`` naming what is wrong, never its value."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ParameterRefused(f"{place}: {first['msg']}.") from error


def _say(told: AbutterList, *, as_json: bool) -> None:
    put(told.model_dump_json() if as_json else life_text(told))


def _named(given: Sequence[str] | None, option: str) -> tuple[Drop, ...]:
    """Return the parcels of an option with the reason of each."""
    parted = [(text, *text.partition("=")) for text in given or ()]
    for text, loc_id, _, reason in parted:
        if not loc_id.strip() or not reason.strip():
            raise ParameterRefused(
                f"{option} {text[:60]!r} is not LOC_ID=REASON; the reason is kept with the list."
            )
    return tuple(asking(Drop, loc_id=i.strip(), reason=why.strip()) for _, i, _, why in parted)


def _assessor(service: Service, secret: str | None) -> Actor:
    """Return who certifies, as the key says; only an assessor's does."""
    if secret is None and sys.stdin.isatty():
        secret = str(typer.prompt("Key of an assessor", hide_input=True, err=True))
    found = service.keys.find((secret or "").strip())
    if found is None or found.role != "assessor":
        raise Denied(
            "Only a key with the role assessor certifies; make one with metes keys create --role assessor."
        )
    return Actor(found.id)


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise ParameterRefused(f"There is no file {path.name!r} here.")
    return path.read_bytes()


def _nothing_reported(mailed_on: str | None, instead_of: str | None) -> str:
    if mailed_on is None:
        return "Nothing is reported: fill in FILE, or give --mailed-on."
    of = f" and none is reported as mailed on {instead_of[:20]}" if instead_of else ""
    return f"Nothing is reported: the list has no letter to report as mailed{of}."
