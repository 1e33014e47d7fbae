"""One reading, inside the confined process: read, normalise, inspect, answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pyproj import CRS
from shapely.errors import GEOSException

from app.isolation import wire
from spatial import crs_fit, crs_names
from spatial.errors import GeometryRefused, Internal, MetesError
from spatial.normalise import inspect, normalise
from spatial.read.upload import read


def warm() -> None:
    """Do once, before any job, what every job would do first: open the tables of coordinate systems."""
    somewhere = np.array([[217_500.0, 888_000.0]])
    crs_fit.looks_like(somewhere)
    crs_names.name_of(CRS.from_user_input("EPSG:26987"))


def answer(job_file: Path, room: Path) -> bytes:
    """Return the answer to the job in a file, as JSON; whatever goes wrong becomes an answer too.

    Parameters
    ----------
    job_file
        The job; its path is relative to ``room``.
    room
        The only folder that may be written to.
    """
    try:
        return _understood(wire.job_from(job_file.read_bytes()), room)
    except MetesError as error:
        return wire.refused(error)
    except GEOSException:
        return wire.refused(
            GeometryRefused(
                "The shapes of the file cannot be combined: they cross in a way that defeats measuring."
            )
        )
    except MemoryError:
        return wire.refused(
            GeometryRefused("The file needs more memory to read than one upload is given.", code="too_complex")
        )
    except RecursionError:
        return wire.refused(GeometryRefused("The file is nested too deeply to be read.", code="too_complex"))
    except Exception as error:
        return wire.refused(Internal(f"reading failed with {type(error).__name__} in {_place(error)}"))


def _understood(job: wire.Job, room: Path) -> bytes:
    reading = read(
        room / job.path,
        crs=job.crs,
        layer=job.layer,
        limits=job.limits,
        area_hint=wire.geometry_from(job.area_hint),
        purpose=job.purpose,
        name=job.name,
    )
    submission = normalise(reading, job.limits, purpose=job.purpose)
    return wire.understood(inspect(reading, submission), submission)


def _place(error: BaseException) -> str:
    """Return module and line where an error arose, for the log; never a path."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "nowhere" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
