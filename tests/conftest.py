"""What every test may ask for; a part of the machine that is missing skips a test with the reason said.

With ``METES_SKIP_NOTHING=1`` a skip is a failure: the continuous run installs every part and proves that
nothing was left out.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from app_service import ON
from browsers import browser_found

from layers.demo.make import Demo, make_demo

CHECKOUT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("METES_SHARED", CHECKOUT.parent / "shared"))


def _missing_browser() -> str | None:
    if browser_found() is None:
        return "no Chromium on this machine (Debian: apt-get install chromium)"
    if importlib.util.find_spec("playwright") is None:
        return "the playwright package is not installed"
    return None


def _missing_qgis() -> str | None:
    return None if Path("/usr/bin/qgis_process.bin").exists() else "no QGIS on this machine (Debian: qgis)"


def _missing_postgres() -> str | None:
    return None if os.environ.get("METES_TEST_POSTGRES") else "METES_TEST_POSTGRES names no PostgreSQL to test on"


def _missing_shared() -> str | None:
    return None if (SHARED / "cases" / "cases.json").exists() else "no real layers and cases in ../shared"


MISSING = {
    "browser": _missing_browser,
    "qgis": _missing_qgis,
    "postgres": _missing_postgres,
    "shared": _missing_shared,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this machine has no part for, and say which part."""
    reasons = {marker: missing() for marker, missing in MISSING.items()}
    for item in items:
        for marker, reason in reasons.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[pytest.TestReport]:
    """Turn a skip into a failure where nothing may be skipped."""
    report = yield
    if report.skipped and os.environ.get("METES_SKIP_NOTHING") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be skipped: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real layers and hard cases; tests that use it carry the mark ``shared``."""
    if reason := _missing_shared():
        pytest.skip(reason)
    return SHARED


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Return the invented towns in a folder of their own; a test that spoils something copies it first."""
    return make_demo(tmp_path_factory.mktemp("demo") / "data", on=date.fromisoformat(ON))
