"""Which browser the tests of the pages take; imports nothing of a browser, so that its absence can be told."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The same engine under four names, best first: the shell draws no windows of its own and takes a third less."""


def browser_found() -> str | None:
    """Return the path of the best browser on this machine; None when there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)
