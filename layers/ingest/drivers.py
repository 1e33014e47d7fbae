"""Which formats staff's files may have, fixed in the environment before GDAL is loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache

ALLOWED = frozenset(
    {"ESRI Shapefile", "OpenFileGDB", "GPKG", "GeoJSON", "TopoJSON", "ESRIJSON", "LIBKML", "FlatGeobuf"}
)
_LIST = "import json, pyogrio; print(json.dumps(sorted(pyogrio.list_drivers())))"
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV")


@lru_cache(maxsize=1)
def _skipped() -> str:
    """Return every driver of this GDAL that is not allowed, asked of a process that then ends."""
    listed = subprocess.run(
        [sys.executable, "-c", _LIST], env=_bare(), capture_output=True, text=True, check=True, timeout=120
    )
    return ",".join(name for name in json.loads(listed.stdout) if name not in ALLOWED)


def _bare() -> dict[str, str]:
    return {name: os.environ[name] for name in _KEPT if name in os.environ}


def reading_environment() -> Mapping[str, str]:
    """Return the whole environment of a reading process: no other format, no network, nothing of ours."""
    return {
        **_bare(),
        "OGR_SKIP": _skipped(),
        "CPL_VSIL_CURL_ALLOWED_FILENAME": "/vsicurl/none",
        "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".never",
        "GDAL_DISABLE_READDIR_ON_OPEN": "FALSE",
        "PROJ_NETWORK": "OFF",
        "OGR_ORGANIZE_POLYGONS": "DEFAULT",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONUTF8": "1",
    }
