"""The reading process: orders on stdin, their manifests or one problem on stdout, nothing else.

Exit 0 with manifests, 2 with the first problem (a file cannot be used), 1 with a traceback on stderr (our fault).
"""

from __future__ import annotations

import resource
import sys
import warnings

from layers.ingest.make import make
from layers.ingest.request import Orders, Problem
from layers.manifest import Manifests
from spatial.errors import MetesError

MEMORY_BYTES = 12 * 1024**3
CPU_SECONDS = 4 * 3600


def main() -> int:
    """Make the editions that stdin orders; return the exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore", RuntimeWarning)  # GDAL's remarks on rings; what matters is checked and counted
    asked = Orders.model_validate_json(sys.stdin.buffer.read())
    try:
        made = Manifests(manifests=tuple(make(order) for order in asked.orders))
    except MetesError as error:
        sys.stdout.write(_problem(error).model_dump_json())
        return 2
    sys.stdout.write(made.model_dump_json())
    return 0


def _problem(error: MetesError) -> Problem:
    return Problem(
        kind=type(error).__name__,
        code=error.code,
        detail=error.detail,
        file=error.file,
        layer=error.layer,
        feature=error.feature,
        suggestions=error.suggestions,
    )


if __name__ == "__main__":
    sys.exit(main())
