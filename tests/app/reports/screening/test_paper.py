"""The report read back: what it says against the answer, its tags and fonts, with nothing found and with much."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import shapely
from app_service import Said
from pypdf import PdfReader
from pypdf.generic import IndirectObject
from starlette.testclient import TestClient

from app.reports.drawing import Shape, unpack
from app.reports.screening.paper import STATEMENT, report_pdf
from app.schemas.screening import Screening
from layers.demo.make import Demo


@pytest.fixture(scope="module")
def told(web: TestClient, mill: bytes) -> Screening:
    facts = {"stored_fill_cuyd": "120", "application_received_on": "2026-11-30"}
    answer = web.post("/v1/screenings", params=facts, files={"file": ("mill-street.geojson", mill)})
    return Screening.model_validate_json(answer.content)


@pytest.fixture(scope="module")
def shapes(web: TestClient, told: Screening) -> tuple[Shape, ...]:
    return unpack(web.app.state.service.screenings.drawing(told.id))  # type: ignore[attr-defined]


def read(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


def plain(content: bytes) -> str:
    text = " ".join(page.extract_text() for page in read(content).pages)
    return re.sub(r"\s+", " ", text)


def tags(reader: PdfReader) -> list[str]:
    """Return the kinds of everything in the structure tree."""
    found: list[str] = []

    def walk(node: Any) -> None:
        node = node.get_object() if isinstance(node, IndirectObject) else node
        if isinstance(node, list):
            for one in node:
                walk(one)
        elif isinstance(node, dict):
            found.append(str(node.get("/S", "")))
            walk(node.get("/K", []))

    walk(reader.trailer["/Root"]["/StructTreeRoot"])
    return found


def test_the_report_says_what_the_answer_says(told: Screening, shapes: tuple[Shape, ...]) -> None:
    text = plain(report_pdf(told, shapes))
    assert told.id in text
    assert told.input.sha256 in text
    assert STATEMENT in text
    assert "9,000 sq ft (0.21 acres)" in text
    assert "408 MILL ST" in text
    assert "6,600 sq ft, limit 5,500 sq ft: 1,100 sq ft over" in text
    assert "40 ft from leaving the 100 ft zone" in text
    assert "20 cubic yards over" in text
    for rule in told.determinations:
        assert re.sub(r"\s+", " ", rule.title) in text
    for finding in told.findings:
        assert finding.title in text or finding.theme in ("huc10", "huc12")
    for edition in told.editions:
        assert edition.edition in text
    for law in told.bylaws:
        assert law.edition[:16] in text


def test_what_could_not_be_checked_is_a_heading_of_its_own(told: Screening, shapes: tuple[Shape, ...]) -> None:
    unchecked = told.findings[0].model_copy(update={"status": "not_checked", "why": "Nobody looked."})
    changed = told.model_copy(update={"findings": [unchecked, *told.findings[1:]]})
    text = plain(report_pdf(changed, shapes))
    after = text.partition("Could not be checked")[2]
    assert "Nobody looked." in after.partition("None mapped")[0]
    assert "This is not a no." in after


def test_it_is_tagged_for_screen_readers_and_carries_its_fonts(told: Screening, shapes: tuple[Shape, ...]) -> None:
    reader = read(report_pdf(told, shapes))
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"].value is True
    assert str(root["/Lang"]).startswith("en")
    assert reader.metadata is not None
    assert reader.metadata.title == "Screening of a piece of work: mill-street.geojson"
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()
    kinds = tags(reader)
    assert {"/H1", "/H2", "/H3", "/Table", "/TH", "/TD", "/L", "/Figure"} <= set(kinds)
    fonts = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object()
        assert {"/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"].get_object())


def test_the_same_answer_gives_the_same_bytes(told: Screening, shapes: tuple[Shape, ...]) -> None:
    assert report_pdf(told, shapes) == report_pdf(told, shapes)


def test_nothing_affected_and_no_lot_is_a_report_too(told: Screening, shapes: tuple[Shape, ...]) -> None:
    clear = [f.model_copy(update={"status": "not_affected", "features": [], "zones": []}) for f in told.findings]
    bare = told.model_copy(
        update={
            "findings": clear,
            "parcels": [],
            "determinations": [],
            "next_steps": [],
            "bylaws": [],
            "town": None,
        }
    )
    content = report_pdf(bare, [shape for shape in shapes if shape.what == "disturbance"])
    text = plain(content)
    assert "no town named" in text
    assert "0 rules are triggered" in text
    assert "Mapped features met" not in text


def test_sixty_features_run_over_pages_under_a_repeated_head(told: Screening, shapes: tuple[Shape, ...]) -> None:
    hit = next(f for f in told.findings if f.theme == "buffer_zone" and f.status == "affected")
    many = [hit.features[0].model_copy(update={"id": f"m{n}", "label": f"MARSH {n:02}"}) for n in range(60)]
    swamped = hit.model_copy(update={"features": many})
    others = [swamped if f is hit else f for f in told.findings]
    x, y = shapes[0].geometry.centroid.coords[0]
    ponds = [
        Shape("hit", f"wetlands/m{n}", shapely.Point(x + 3 * (n % 10), y + 3 * (n // 10)).buffer(1.2), {})
        for n in range(60)
    ]
    content = report_pdf(told.model_copy(update={"findings": others}), [*shapes, *ponds])
    pages = [page.extract_text() for page in read(content).pages]
    on = [number for number, text in enumerate(pages) if re.search(r"MARSH \d\d", text) and "Nearest" in text]
    listed = {n for page in on for n in re.findall(r"MARSH (\d\d)", pages[page])}
    assert len(listed) == 60
    assert len(on) >= 2
    assert all("Under the work" in pages[page] for page in on[-2:])


def test_the_service_hands_it_out_under_the_link_of_the_answer(web: TestClient, told: Screening) -> None:
    assert told.links.pdf == f"/v1/screenings/{told.id}.pdf"
    answer = web.get(told.links.pdf)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert told.id in plain(answer.content)
    missing = web.get("/v1/screenings/abc.pdf")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_the_command_writes_it_to_a_file_or_hands_it_on(
    metes: Callable[..., Said], demo: Demo, tmp_path: Path
) -> None:
    site, paper = str(demo.sample(demo.sites[1])), tmp_path / "report.pdf"
    said = metes("screen", site, "--format", "pdf", "--out", str(paper))
    assert (said.code, said.out) == (0, "")
    text = plain(paper.read_bytes())
    assert "quarry-road.geojson, Lynnmere (invented)" in text
    assert "48,000 sq ft (1.1 acres)" in text
    assert "Stormwater management permit" in text


def test_rules_read_onto_other_ground_and_what_is_open_are_said_on_paper(
    told: Screening, shapes: tuple[Shape, ...]
) -> None:
    assert told.town is not None
    ground = told.town.model_copy(update={"id": 25, "name": "Elsewhere"})
    nobody = told.findings[0].layer.model_copy(update={"edition": None, "coverage": "none"})
    why = f"{told.findings[0].title}: what is loaded does not cover this place, so nothing is known of it here."
    blind = told.findings[0].model_copy(
        update={"status": "no_data", "layer": nobody, "features": [], "zones": [], "why": why}
    )
    past = told.deadlines[0].model_copy(
        update={"raw": date(2020, 1, 2), "rolled": date(2020, 1, 2), "practical": None}
    )
    moved = told.model_copy(
        update={"lies_in": [ground], "findings": [blind, *told.findings[1:]], "deadlines": [past]}
    )
    text = plain(report_pdf(moved, shapes))
    assert f"Elsewhere, by the rules of {told.town.name} as asked" in text
    assert text.count(f"As if the ground lay in {told.town.name}. It lies in Elsewhere") == 2
    assert text.count("hat is loaded does not cover this place") == 1
    assert "unknown is not a no" in text
    assert "2020-01-02 (past)" in text


def test_a_permit_is_told_with_what_it_hangs_on_and_every_reading_printed_is_explained(
    told: Screening, shapes: tuple[Shape, ...]
) -> None:
    text = plain(report_pdf(told, shapes))
    assert "Needs: Erosion and Sediment Control Plan, from Stormwater Authority of the Town of Dover" in text
    assert "If it is triggered it needs: Order of Conditions (Notice of Intent)" in text
    assert "On the map: 260 ft away; that decides nothing by itself" in text
    assert "Counted as" in text and "building counts as both" in text
    printed = set(re.findall(r"Read so: (AMB-\d+)", text))
    assert "AMB-05" in printed
    assert all(f"{code}. " in text.split("How the text was read")[1] for code in printed)
    rows = [rule for rule in told.determinations if rule.advisory and rule.result == "triggered"]
    assert rows and "permit hangs on it Needs" not in text


def test_a_delineations_word_has_its_own_headings_on_paper(
    web: TestClient, mill: bytes, shapes: tuple[Shape, ...]
) -> None:
    word = "A. Walker found wetland 10 ft from the work, 2026"
    asked = web.post("/v1/screenings", params={"delineation": word}, files={"file": ("mill.geojson", mill)})
    answer = Screening.model_validate_json(asked.content)
    text = plain(report_pdf(answer, shapes))
    assert "Rests on the delineation named; not seen here" in text
    assert "Not triggered by the word of the delineation named; not seen here" in text
    assert f"on the map nearest 60 ft away; what was delineated is not known here ({word})" in text
    assert "not affected by its word alone" in text
    assert "(as delineated" not in text
    assert "unknown is not a no" in text
    assert "send its flagged line with the work and it will be measured" in text
