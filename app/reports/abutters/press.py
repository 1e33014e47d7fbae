"""The documents of a list of abutters, printed from the templates beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from app.reports import press

TEMPLATES = Path(__file__).parent
Template = Literal["report", "labels", "mailing", "affidavit"]


def printed(template: Template, data: Mapping[str, Any], *, created: str) -> bytes:
    """Return a PDF; report and affidavit are tagged for screen readers, sheets to be cut or filled in are not."""
    tagged = template in ("report", "affidavit")
    return press.printed(TEMPLATES / f"{template}.typ", data, created=created, tagged=tagged)


def overflowing(data: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the positions of the addresses that do not fit the labels of ``labels``' data."""
    return tuple(press.asked(TEMPLATES / "labels.typ", data, "<overflow>"))
