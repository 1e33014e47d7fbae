"""Start the reading process, hand it an order, and take back a manifest or its refusal."""

from __future__ import annotations

import subprocess
import sys

from pydantic import ValidationError

import spatial.errors
from layers.ingest.drivers import reading_environment
from layers.ingest.request import Order, Problem
from layers.manifest import Manifest
from spatial.errors import FormatRefused, Internal, MetesError

WALL_SECONDS = 6 * 3600.0


def make_in_child(order: Order) -> Manifest:
    """Return the manifest of the edition that a process of its own made in ``order.into``.

    Raises
    ------
    MetesError
        What the process refused, in its own class and words; ``FormatRefused`` (timeout, corrupt_file) when it was
        stopped or crashed on the file; ``Internal`` when it failed by our fault.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "layers.ingest"],
            input=order.model_dump_json().encode(),
            env=dict(reading_environment()),
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FormatRefused("Reading the file took too long and was stopped.", code="timeout") from error
    if done.returncode == 0:
        return Manifest.model_validate_json(done.stdout)
    if done.returncode == 2:
        raise _refusal(done.stdout)
    if done.returncode < 0:
        raise FormatRefused(
            f"Reading the file ended with signal {-done.returncode}: damaged or too large; the old edition stays.",
            code="corrupt_file",
        )
    raise Internal(f"The import failed: {done.stderr.decode(errors='replace')[-2000:]}")


def _refusal(answer: bytes) -> MetesError:
    try:
        problem = Problem.model_validate_json(answer)
    except ValidationError as error:
        raise Internal("The reading process answered in words nobody knows.") from error
    kind = getattr(spatial.errors, problem.kind, FormatRefused)
    refusal: MetesError = kind(
        problem.detail,
        code=problem.code,
        file=problem.file,
        layer=problem.layer,
        feature=problem.feature,
        suggestions=problem.suggestions,
    )
    return refusal
