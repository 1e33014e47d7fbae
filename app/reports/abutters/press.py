"""From data to tagged PDF: one Typst template a document, Typst's own fonts, nothing of this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import typst

TEMPLATES = Path(__file__).parent
Template = Literal["report", "labels", "mailing", "affidavit"]


def printed(template: Template, data: Mapping[str, Any], *, created: str) -> bytes:
    """Return a PDF; the same data gives the same bytes.

    Parameters
    ----------
    data
        What the template reads, as JSON; texts are data to Typst and never markup.
    created
        The moment the document is dated with, as the records write it.
    """
    moment = datetime.strptime(created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    made = typst.compile(
        TEMPLATES / f"{template}.typ",
        root=TEMPLATES,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data)},
        timestamp=moment,
        pdf_standards="ua-1" if template in ("report", "affidavit") else None,
    )
    return bytes(made)


def overflowing(data: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the positions of the addresses that do not fit the labels of ``labels``' data."""
    found = typst.query(
        TEMPLATES / "labels.typ",
        "<overflow>",
        field="value",
        one=True,
        root=TEMPLATES,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data)},
    )
    return tuple(json.loads(found))
