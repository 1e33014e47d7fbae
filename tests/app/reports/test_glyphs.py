"""A character no font has: shown as missing, never a paper that fails or a blank nobody sees."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from abutter_lists import row, shapes, told
from pypdf import PdfReader

from app.notices.addresses import addressee
from app.reports.abutters.affidavit import affidavit_pdf
from app.reports.abutters.paper import labels_pdf, mailing_pdf, report_pdf
from app.reports.glyphs import MISSING, displayable
from app.schemas.abutters import AbutterList

PAPERS: dict[str, Callable[[AbutterList], bytes]] = {
    "report": lambda body: report_pdf(body, shapes(body.abutters)),
    "labels": labels_pdf,
    "mailing": mailing_pdf,
    "affidavit": affidavit_pdf,
}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("SMITH", "SMITH"),
        ("Łódź “½” – № Привет Ωmega", "Łódź “½” – № Привет Ωmega"),
        ("😀 SMITH", f"{MISSING} SMITH"),
        ("中文 LEE", f"{MISSING}{MISSING} LEE"),
        ("\ud800x", f"{MISSING}x"),
    ],
)
def test_what_no_font_has_is_shown_as_missing(given: str, shown: str) -> None:
    assert displayable({"a": given, "b": [{"c": (given, 7, None, True)}]}) == {
        "a": shown,
        "b": [{"c": [shown, 7, None, True] if shown != given else (given, 7, None, True)}],
    }


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_every_paper_is_printed_whatever_a_name_is_written_in(paper: str) -> None:
    names = ("😀 SMITH", "中文 LEE", "#[x] $y$ *b* `c` @ref \\ <z>", "\u202eTURNED", "A\x00B")
    rows = [
        row(str(n), addressee(name, "1 B ST", city="DOVER", state="MA", zip_code="02030"))
        for n, name in enumerate(names)
    ]
    content = PAPERS[paper](told(rows))
    text = " ".join(p.extract_text() for p in PdfReader(io.BytesIO(content)).pages)
    assert "SMITH" in text
    assert "#[x] $y$ *b* `c` @ref" in " ".join(text.split())
    assert "TURNED" in text
