"""Pages read back: where label text sits against the Avery sheet, how many pieces a form takes, what is marked."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path

import pytest
from abutter_lists import many, row, shapes, told
from pypdf import PdfReader
from pypdf.generic import IndirectObject

from app.notices.addresses import addressee
from app.notices.owners import owner_told
from app.notices.signatures import signatures_of
from app.notices.telling import rule_told
from app.reports.abutters.affidavit import affidavit_pdf
from app.reports.abutters.dates import COLUMNS
from app.reports.abutters.paper import (
    labels_overflow,
    labels_pdf,
    mailing_pdf,
    report_pdf,
)
from app.reports.abutters.sheets import LABEL_SHEETS, in_order, label_sheet, mailing_form
from app.reports.abutters.standing import mark, marks, sorted_warnings
from app.reports.abutters.terminal import abutters_table
from app.schemas.abutters import Certified, DeadlineTold, SubjectTold, Superseded, WarningTold
from layers.law import load_law
from layers.notice_rules import load_notice_rules
from spatial.errors import ParameterRefused, Refused

POINTS = 72.0
PAGE_HEIGHT_IN = 11.0
LONG = addressee(
    "THE REVOCABLE TRUST OF BARTHOLOMEW AND WILHELMINA FEATHERSTONEHAUGH-CHOLMONDELEY DATED 12/31/1999",
    "100 A VERY LONG STREET NAME BOULEVARD EXTENSION UNIT 12B",
    city="DOVER",
    state="MA",
    zip_code="02030",
)


def texts(content: bytes, page: int = 0) -> list[tuple[str, float, float]]:
    """Return (text, inches from the left, inches from the top of the base line) of a page."""
    found: list[tuple[str, float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            x = cm[0] * tm[4] + cm[2] * tm[5] + cm[4]
            y = cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
            found.append((text.strip(), x / POINTS, PAGE_HEIGHT_IN - y / POINTS))

    PdfReader(io.BytesIO(content)).pages[page].extract_text(visitor_text=visit)
    return found


def plain(content: bytes) -> str:
    return "\n".join(p.extract_text() for p in PdfReader(io.BytesIO(content)).pages)


@pytest.mark.parametrize(("sheet_id", "start"), [("5160", 1), ("5160", 4), ("5161", 1), ("5163", 2)])
def test_every_label_lies_inside_its_place_on_the_sheet(sheet_id: str, start: int) -> None:
    sheet = label_sheet(sheet_id)
    body = told(many(sheet.count - start + 1))
    placed = [
        (t, x, y) for t, x, y in texts(labels_pdf(body, sheet=sheet_id, start=start)) if t.startswith("OWNER")
    ]
    assert len(placed) == len(body.notices)
    for number, (text, x, y) in enumerate(placed, start - 1):
        column, line = number % sheet.columns, number // sheet.columns
        left = sheet.left_in + column * sheet.pitch_x_in
        top = sheet.top_in + line * sheet.pitch_y_in
        assert text == f"OWNER {number - start + 2:04d}"
        assert left + 0.05 < x < left + 0.2, text
        assert top + 0.1 < y < top + sheet.height_in - 0.1, text


def test_labels_of_one_column_stand_exactly_one_pitch_apart() -> None:
    placed = [(x, y) for t, x, y in texts(labels_pdf(told(many(30)))) if t.startswith("OWNER")]
    for number in range(27):
        assert placed[number + 3][0] == pytest.approx(placed[number][0], abs=0.001)
        assert placed[number + 3][1] - placed[number][1] == pytest.approx(1.0, abs=0.001)
    assert placed[1][0] - placed[0][0] == pytest.approx(2.75, abs=0.001)


def test_the_avery_sheets_fill_a_letter_page() -> None:
    for sheet in LABEL_SHEETS.values():
        assert sheet.top_in * 2 + (sheet.rows - 1) * sheet.pitch_y_in + sheet.height_in == pytest.approx(11.0)
        assert sheet.left_in * 2 + (sheet.columns - 1) * sheet.pitch_x_in + sheet.width_in == pytest.approx(
            8.5, abs=0.01
        )


def test_an_address_that_does_not_fit_is_shown_whole_on_its_own_page() -> None:
    body = told([row("A", LONG), *many(2)])
    content = labels_pdf(body)
    assert [n.lines[0][:9] for n in labels_overflow(body)] == ["THE REVOC"]
    assert [t for t, _, _ in texts(content) if t.startswith(("OWNER", "THE"))] == ["OWNER 0001", "OWNER 0002"]
    last = " ".join(plain(content).split())
    assert "do not fit label 5160" in last
    assert "FEATHERSTONEHAUGH-CHOLMONDELEY DATED 12/31/1999" in last
    assert "BOULEVARD EXTENSION UNIT 12B" in last
    assert labels_overflow(body, sheet="5163") == ()


def test_five_lines_fit_and_a_long_line_is_set_smaller_inside_the_label() -> None:
    five = addressee(
        "MILL CONDOMINIUM TRUST C/O ACME", "PO BOX 1|SUITE 2", city="DOVER", state="MA", zip_code="02030"
    )
    wide = addressee("WINTERBERRY-QUILLFEATHER, PERPETUA", "1 B ST", city="DOVER", state="MA", zip_code="02030")
    body = told([row("A", five), row("B", wide)])
    assert labels_overflow(body) == ()
    assert len(body.notices[0].lines) == 5
    assert max(x for _, x, _ in texts(labels_pdf(body))) < 0.1875 + 2.75 + 0.3


@pytest.mark.parametrize(("start", "number"), [(0, "0"), (31, "31")])
def test_a_label_that_is_not_on_the_sheet_is_refused(start: int, number: str) -> None:
    with pytest.raises(ParameterRefused, match=f"Label {number} is not on sheet 5160"):
        labels_pdf(told(many(1)), start=start)
    with pytest.raises(ParameterRefused, match="no mailing form '3817'"):
        mailing_form("3817")


def test_labels_run_over_to_a_second_sheet_and_none_gives_an_empty_one() -> None:
    assert len(PdfReader(io.BytesIO(labels_pdf(told(many(30)), start=2))).pages) == 2
    assert len(PdfReader(io.BytesIO(labels_pdf(told(())))).pages) == 1


def test_letters_in_order_of_street_or_name() -> None:
    home = {"city": "DOVER", "state": "MA", "zip_code": "02030"}
    body = told(
        [
            row("A", addressee("ZOE", "12 ELM ST", **home)),
            row("B", addressee("ADA", "9 OAK ST", **home)),
            row("C", addressee("MAX", "9 ELM ST", **home)),
            row("D", addressee("BOB", "PO BOX 3", **home)),
        ]
    )
    assert [n.lines[0] for n in in_order(body.notices, "street")] == ["MAX", "ZOE", "ADA", "BOB"]
    assert [n.lines[0] for n in in_order(body.notices, "name")] == ["ADA", "BOB", "MAX", "ZOE"]
    assert [n.lines[0] for n in in_order(body.notices, "list")] == ["ZOE", "ADA", "MAX", "BOB"]


@pytest.mark.parametrize(("form", "lines"), [("3665", 6), ("3877", 8)])
def test_a_mailing_sheet_takes_its_pieces_and_counts_its_pages(form: str, lines: int) -> None:
    content = mailing_pdf(told(many(lines + 1)), form=form)
    pages = [p.extract_text() for p in PdfReader(io.BytesIO(content)).pages]
    assert len(pages) == 2
    assert pages[0].count("OWNER 0") == lines
    assert "Page 1 of 2" in pages[0]
    assert f"1 on this sheet, {lines + 1} in all" in " ".join(pages[1].split())
    assert all("WORKING COPY" in p and f"PS Form {form}" in " ".join(p.split()) for p in pages)


def test_the_report_shows_map_table_and_draft_mark_until_certified() -> None:
    warning = WarningTold(code="x", message="Ask the Assessor of Medfield.")
    abutters = many(3)
    draft = told(abutters, warnings=(warning,))
    text = plain(report_pdf(draft, shapes(abutters)))
    assert "DRAFT, not certified" in text
    assert "Ask the Assessor of Medfield." in text
    assert "OWNER 0002, 2 OAK ST, DOVER MA 02030" in " ".join(text.split())
    seal = Certified(
        name="A. Sessor", title="Assessor", on=date(2026, 12, 1), wording="We certify.", expires_on=None
    )
    final = told(abutters, status="certified", certified=seal)
    text = plain(report_pdf(final, shapes(abutters)))
    assert "DRAFT" not in text
    assert "We certify." in text
    assert [mark(told((), status=s)) for s in ("draft", "reviewed", "expired")] == [
        "DRAFT, not certified",
        "DRAFT, not certified",
        "EXPIRED, no longer to be used",
    ]


def test_report_and_affidavit_are_tagged_titled_and_carry_their_fonts() -> None:
    abutters = many(2)
    for content in (report_pdf(told(abutters), shapes(abutters)), affidavit_pdf(told(abutters))):
        reader = PdfReader(io.BytesIO(content))
        root = reader.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/StructTreeRoot"]
        assert root["/Lang"] == "en-US"
        assert reader.metadata is not None
        assert reader.metadata.title
        fonts = [f.get_object() for p in reader.pages for f in p["/Resources"]["/Font"].values()]
        for font in fonts:
            below: IndirectObject = font["/DescendantFonts"][0]
            assert "/FontFile3" in below.get_object()["/FontDescriptor"]


def test_the_same_list_prints_the_same_bytes() -> None:
    abutters = many(2)
    assert report_pdf(told(abutters), shapes(abutters)) == report_pdf(told(abutters), shapes(abutters))
    assert labels_pdf(told(abutters)) == labels_pdf(told(abutters))


def test_markup_in_a_name_is_text() -> None:
    odd = addressee(
        "<script>alert(1)</script> #set *b* $x$ @y", "2 ELM ST", city="DOVER", state="MA", zip_code="02030"
    )
    body = told([row("L4", odd)])
    for content in (labels_pdf(body), report_pdf(body, shapes(body.abutters)), mailing_pdf(body)):
        assert "<script>alert(1)</script> #set *b* $x$ @y" in " ".join(plain(content).split())


def test_an_affidavit_swears_only_to_what_was_mailed() -> None:
    body = told([*many(2), row("C")])
    sent = body.notices[0].model_copy(update={"mailed_on": date(2026, 12, 1), "article_number": "7001"})
    text = " ".join(plain(affidavit_pdf(body.model_copy(update={"notices": (sent, body.notices[1])}))).split())
    assert "NOT COMPLETE: 1 letters are not reported as mailed and 1 parcels have nobody to write to." in text
    assert "7001 2026-12-01" in text
    assert "C C ELM ST" in text
    whole = " ".join(plain(affidavit_pdf(told(many(1)).model_copy(update={"notices": (sent,)}))).split())
    assert "NOT COMPLETE" not in whole


@pytest.mark.slow
def test_a_list_of_more_than_a_thousand_and_one_of_none() -> None:
    abutters = many(1005)
    body = told(abutters)
    assert len(PdfReader(io.BytesIO(labels_pdf(body))).pages) == 34
    assert len(PdfReader(io.BytesIO(mailing_pdf(body))).pages) == 168
    assert "OWNER 1005" in plain(report_pdf(body, shapes(abutters)))
    none = told(())
    assert "No parcel is named by the rule." in plain(report_pdf(none, shapes(())))
    assert "No letter is on this list." in plain(mailing_pdf(none))
    assert "Nothing is reported as mailed." in plain(affidavit_pdf(none))


@pytest.mark.shared
def test_the_labels_of_the_shared_case_fit_or_are_shown(shared: Path) -> None:
    cases = json.loads((shared / "cases" / "files" / "out01_labels.json").read_text())["rows"]
    owners = [addressee(c["owner"], c["addr"], city=c["city"], state=c["state"], zip_code=c["zip"]) for c in cases]
    body = told([row(c["id"], o) for c, o in zip(cases, owners, strict=True)])
    text = " ".join(plain(labels_pdf(body)).split())
    for case in cases:
        assert " ".join(case.get("pdf_text", case["owner"]).split()) in text
    assert [n.parcels for n in labels_overflow(body)] == [("L6",)]


def test_the_report_has_the_laws_words_with_their_source_and_who_signs() -> None:
    rules = (r for b in load_law(None).bylaws for r in b.rules)
    signs = next(r for r in rules if r.id == "lynnfield-320.owners_sign")
    owners = tuple(owner_told(str(n), addressee(f"OWNER {n}", "1 B ST"), ()) for n in range(14))
    site = (SubjectTold(loc_id="S", site_address="0 ELM ST", town_id=164, owners=owners),)
    body = told([row("A", LONG)], signatures=signatures_of(signs, "Owner 3", site))
    text = " ".join(plain(report_pdf(body, shapes(body.abutters))).split())
    assert "Who signs, to be confirmed" in text
    assert "0 ELM ST: OWNER 3 (reads the same as the applicant)" in text
    assert "and 2 more, all in the list's file" in text.replace("’", "'")
    assert "“Provide notification to the owners of any property within 100 feet" in text
    assert "as given by the text of the Lynnfield rules held with this service" in text
    terminal = " ".join(abutters_table(body).split())
    assert "0 ELM ST: OWNER 13 (reads" in terminal
    assert "as given by the text of the Lynnfield rules" in terminal


def test_a_policy_nobody_verified_says_so_on_every_page() -> None:
    body = told([row("A", LONG)], rule=rule_told(load_notice_rules().rule("ma-131-40")))
    text = " ".join(plain(report_pdf(body, shapes(body.abutters))).split())
    for page in (text, " ".join(abutters_table(body).split())):
        assert "Ask the commission, and add them in review. (Nobody has verified this.)" in page
        assert page.count("(Nobody has verified this.)") == 1


ENDED = Superseded(at="2026-12-01T00:00:00Z", by="k", reason="land added", successor="def456")
SEAL = Certified(name="A. Sessor", title="Assessor", on=date(2026, 11, 30), wording="We certify.")


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"status": "draft"}, "DRAFT, not certified"),
        ({"status": "superseded", "superseded": ENDED}, "SUPERSEDED by list def456, no longer to be used"),
        ({"status": "certified", "certified": SEAL, "invented": True}, "SAMPLE, INVENTED DATA"),
    ],
)
def test_every_sheet_of_every_paper_says_what_the_list_is_not(more: dict[str, object], word: str) -> None:
    abutters = many(60)
    body = told(abutters, **more)
    for content in (
        report_pdf(body, shapes(abutters)),
        labels_pdf(body, anyway=True),
        mailing_pdf(body),
        affidavit_pdf(body),
    ):
        sheets = [" ".join(p.extract_text().split()) for p in PdfReader(io.BytesIO(content)).pages]
        assert len(sheets) > 1
        assert [word in sheet for sheet in sheets] == [True] * len(sheets)


def test_a_certified_list_bears_no_mark_and_its_labels_nothing_but_addresses() -> None:
    body = told(many(2), status="certified", certified=SEAL)
    assert sorted(t for t, _, _ in texts(labels_pdf(body)))[0] == "1 OAK ST"
    assert marks(body) == ""


def test_the_mark_on_labels_lies_in_the_margin_above_the_first_of_them() -> None:
    for sheet_id, sheet in LABEL_SHEETS.items():
        found = [(x, y) for t, x, y in texts(labels_pdf(told(many(2)), sheet=sheet_id)) if "DRAFT" in t]
        assert len(found) == 1
        assert 0.2 < found[0][1] < sheet.top_in


@pytest.mark.parametrize("status", ["superseded", "expired"])
def test_labels_of_a_list_no_longer_used_are_refused_unless_asked_for_all_the_same(status: str) -> None:
    body = told(many(1), status=status)
    with pytest.raises(Refused, match=f"{status.upper()}, no longer to be used") as refused:
        labels_pdf(body)
    assert refused.value.code == "conflict"
    assert "OWNER 0001" in plain(labels_pdf(body, anyway=True))


def test_a_sample_is_no_certificate() -> None:
    body = told(many(1), status="certified", certified=SEAL, invented=True)
    text = " ".join(plain(report_pdf(body, shapes(body.abutters))).split())
    assert "SAMPLE, INVENTED DATA, and no certificate: this list is invented and names nobody." in text
    assert "We certify" not in text
    assert "undersigned" not in text


def test_the_three_days_of_a_mailing_stand_under_one_set_of_words_on_every_page() -> None:
    """TC-06: a hearing on 2 June 2025, fewer than 50 pieces."""
    law = date(2025, 5, 26)
    mail = DeadlineTold(what="Mail the notices", citation="A(7)", raw=law, rolled=law, practical=date(2025, 5, 24))
    body = told(many(1), hearing_on=date(2025, 6, 2), deadlines=(mail,), mail_by=mail.practical, mail_by_law=law)
    report, affidavit = (
        " ".join(plain(c).split()) for c in (report_pdf(body, shapes(body.abutters)), affidavit_pdf(body))
    )
    terminal = " ".join(abutters_table(body).split())
    headline = "Mail by 2025-05-24, the last day in practice; the last day by law is 2025-05-26"
    line = "as counted 2025-05-26, last day by law 2025-05-26, in practice 2025-05-24"
    assert headline in report
    assert headline in terminal
    assert (
        "As counted Last day by law In practice Mail the notices (A(7)) 2025-05-26 2025-05-26 2025-05-24" in report
    )
    assert line in terminal
    assert f"The mailing: {line}. A letter counts as late after the last day by law, 2025-05-26." in affidavit
    assert all("2025-05-26 is Memorial Day." in page for page in (report, terminal, affidavit))
    words = (Path(__file__).parents[4] / "app/web/static/js/texts.js").read_text("utf-8")
    assert (
        f'dateColumns: ["What", {", ".join(f"{c!r}".replace(chr(39), chr(34)) for c in COLUMNS)}, "Law"]' in words
    )


def test_a_row_added_and_an_owner_entered_by_hand_show_why_on_every_page() -> None:
    owner = addressee("HEIR", "1 NEW ST", city="DOVER", state="MA", zip_code="02030")
    one = row("A", owner)
    entered = tuple(o.model_copy(update={"entered_by_hand": "probate of 2026"}) for o in one.owners)
    body = told([one.model_copy(update={"owners": entered, "rules": ("added by hand: the board asks",)})])
    for page in (plain(report_pdf(body, shapes(body.abutters))), plain(affidavit_pdf(body)), abutters_table(body)):
        text = " ".join(page.split())
        assert "added by hand: the board asks" in text
        assert "owner entered by hand: probate of 2026" in text


def test_warnings_stand_under_what_they_ask_for_with_their_codes() -> None:
    asks = WarningTold(code="no_assessor_row", message="A has no row.", blocks=True)
    tells = WarningTold(code="sold_after_the_list", message="B was sold.")
    body = told(many(1), warnings=(tells, asks))
    for page in (plain(report_pdf(body, shapes(body.abutters))), abutters_table(body)):
        text = " ".join(page.split()).upper()
        order = ["AGAINST CERTIFYING: EACH NEEDS AN ANSWER", "A HAS NO ROW. [NO_ASSESSOR_ROW]"]
        order += ["TO KNOW: TOLD, AND NO ANSWER IS ASKED", "B WAS SOLD. [SOLD_AFTER_THE_LIST]"]
        places = [text.index(words) for words in order]
        assert places == sorted(places)
    sealed = told(many(1), warnings=(asks,), status="certified", certified=SEAL)
    assert [title for title, _ in sorted_warnings(sealed)] == ["Certified despite"]


def test_an_affidavit_after_the_certificate_expired_stands_for_letters_that_went_while_it_stood() -> None:
    seal = SEAL.model_copy(update={"expires_on": date(2026, 12, 30)})
    body = told(many(1), status="expired", certified=seal)

    def sworn(day: date) -> str:
        sent = body.notices[0].model_copy(update={"mailed_on": day})
        return " ".join(plain(affidavit_pdf(body.model_copy(update={"notices": (sent,)}))).split())

    assert not any(word in sworn(date(2026, 12, 1)) for word in ("EXPIRED", "NOT COMPLETE"))
    assert "NOT COMPLETE: 1 letters were mailed while no certificate stood." in sworn(date(2027, 1, 2))
