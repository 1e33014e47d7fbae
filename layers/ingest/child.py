"""Start the reading process, hand it orders, and take back their manifests or the first refusal."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from pydantic import ValidationError

import spatial.errors
from layers.ingest.drivers import reading_environment
from layers.ingest.request import Order, Orders, Problem
from layers.manifest import Manifest, Manifests
from spatial.errors import FormatRefused, Internal, MetesError

WALL_SECONDS = 6 * 3600.0


def make_in_child(orders: Sequence[Order]) -> tuple[Manifest, ...]:
    """Return the manifests of the editions that one process of its own made, each in its order's ``into``.

    Raises
    ------
    MetesError
        What the process refused, in its own class and words; ``FormatRefused`` (timeout, corrupt_file) when it was
        stopped or crashed on the file; ``Internal`` when it failed by our fault.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "layers.ingest"],  # -P: a folder 'layers' where we stand is not ours
            input=Orders(orders=tuple(orders)).model_dump_json().encode(),
            env=dict(reading_environment()),
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FormatRefused("Reading the file took too long and was stopped.", code="timeout") from error
    if done.returncode == 0:
        return Manifests.model_validate_json(done.stdout).manifests
    if done.returncode == 2:
        raise _refusal(done.stdout)
    if done.returncode < 0:
        raise FormatRefused(
            f"Reading the file ended with signal {-done.returncode}: damaged or too large; the old edition stays.",
            code="corrupt_file",
        )
    raise Internal(f"The import failed ({_last_line(done.stderr)}); the edition in force stays; please tell us.")


def _last_line(trace: bytes) -> str:
    """Return what a fault was, without the way to it."""
    lines = trace.decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "it said nothing"


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
