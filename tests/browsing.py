"""What a browser sees of the service: where it is served, what a page's map shows, what the service itself says."""

from __future__ import annotations

import json
import urllib.request
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rasterio
from numpy.typing import NDArray
from playwright.sync_api import Page, expect
from rasterio.errors import NotGeoreferencedWarning

from app.service import Service
from layers.demo.make import Demo

DESK, PHONE = (1200, 760), (390, 844)
RED, BLUE, GREEN = (163, 37, 27), (11, 98, 214), (30, 107, 58)
"""How the work is drawn, what is lit up, and what is left to build on."""
LOOKS = 20
"""How often the map is looked at before it is held not to show something; a look takes a tenth of a second."""


@dataclass(frozen=True)
class Served:
    """The service as a browser sees it, and the service itself."""

    url: str
    service: Service
    demo: Demo

    def key(self, role: str) -> str:
        return self.service.keys.create(role, f"test {role}")[1]  # type: ignore[arg-type]

    def sample(self, name: str) -> Path:
        return self.demo.data / "samples" / name

    def says(self, path: str, sent: bytes | None = None) -> Any:
        """Return what the service answers at an address, asked without a page; GeoJSON may be sent there."""
        asked = urllib.request.Request(self.url + path, sent, {"Content-Type": "application/geo+json"})
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return json.loads(answer.read())


def pixels(page: Page) -> NDArray[np.uint8]:
    """Return what the map shows, rows × columns × (red, green, blue)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.MemoryFile(page.locator("#map").screenshot()) as file, file.open() as picture:
            return np.moveaxis(picture.read()[:3], 0, -1)


def count_of(page: Page, colour: tuple[int, int, int], within: int = 24) -> int:
    """Return how many pixels of the map have a colour, more or less."""
    apart = np.abs(pixels(page).astype(int) - np.array(colour)).max(axis=-1)
    return int((apart <= within).sum())


def seen(page: Page, colour: tuple[int, int, int], more_than: int) -> bool:
    """Return whether the map comes to show more pixels of a colour than that: it draws a moment later."""
    return any(count_of(page, colour) > more_than for _ in range(LOOKS))


def whole(value: float) -> str:
    """Return a number as the pages write large ones: no decimals, halves upwards."""
    return f"{int(value + 0.5):,}"


def grave(page: Page, axe: str) -> list[tuple[str, list[Any]]]:
    """Return what axe-core holds to be serious or critical: the rule and where."""
    page.evaluate(axe)
    found = page.evaluate("axe.run().then(({ violations }) => violations)")
    return [(v["id"], [n["target"] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")]


def screened(page: Page, served: Served) -> dict[str, Any]:
    """Press the button, wait for the answer and return what the service says of it."""
    page.get_by_role("button", name="Screen this work").click()
    expect(page.locator("#notice")).to_have_text("Done. The answer follows.")
    return served.says(f"/v1/screenings/{page.url.rpartition('=')[2]}")


def drop(page: Page, *files: Path | dict[str, Any]) -> None:
    page.get_by_label("Drop or choose a file").set_input_files(list(files))  # type: ignore[arg-type]


def kept(served: Served) -> str:
    """Return the id of a kept screening, so that the map opens on its lot."""
    found: str = served.says("/v1/screenings", served.sample("mill-street.geojson").read_bytes())["id"]
    return found
