"""From data to PDF: one Typst template a document, Typst's own fonts, nothing of this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typst

from app.reports.glyphs import displayable


def printed(template: Path, data: Mapping[str, Any], *, created: str, tagged: bool = True) -> bytes:
    """Return a PDF; the same data gives the same bytes.

    Parameters
    ----------
    template
        The Typst file; it sees no other folder than its own.
    data
        What the template reads, as JSON; texts are data to Typst and never markup, and what its fonts lack is shown
        as missing.
    created
        The moment the document is dated with, as the records write it.
    tagged
        Whether it is made for screen readers (PDF/UA-1), which refuses a template that is not.
    """
    moment = datetime.strptime(created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    made = typst.compile(
        template,
        root=template.parent,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(displayable(data))},
        timestamp=moment,
        pdf_standards="ua-1" if tagged else None,
    )
    return bytes(made)


def asked(template: Path, data: Mapping[str, Any], label: str) -> Any:
    """Return what a template says under a label when it is laid out with some data."""
    found = typst.query(
        template,
        label,
        field="value",
        one=True,
        root=template.parent,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(displayable(data))},
    )
    return json.loads(found)
