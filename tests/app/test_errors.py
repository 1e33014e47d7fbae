from __future__ import annotations

import json
import re

import pytest

from app.errors import KINDS, named_in_path, problem_of, status_of
from spatial.errors import Denied, Internal, MetesError, NotFound, ParameterRefused, Refused

CODES = """
crs_missing, crs_unknown, outside_area, axes_swapped, unsupported_format, missing_component, several_layers,
layer_unknown, bad_json, bad_archive, unsafe_archive, archive_too_large, empty_upload, too_large, corrupt_file,
no_geometry, no_polygon, mixed_geometry, invalid_geometry, bad_coordinates, degenerate_geometry, too_complex,
incomplete_source, unsafe_xml, timeout, parcel_unknown, town_unknown, layer_unavailable, bad_parameter,
unauthorized, forbidden, rate_limited, not_found, bad_xml, unsupported_geometry, no_features, busy,
conflict, internal
"""
NOT_422 = {
    "unsupported_format": 415,
    "archive_too_large": 413,
    "too_large": 413,
    "layer_unavailable": 503,
    "busy": 503,
    "unauthorized": 401,
    "forbidden": 403,
    "rate_limited": 429,
    "not_found": 404,
    "conflict": 409,
    "internal": 500,
}


def test_every_code_has_one_status() -> None:
    codes = set(re.findall(r"\w+", CODES))
    assert set(KINDS) >= codes
    assert {code: KINDS[code].status for code in codes} == {c: NOT_422.get(c, 422) for c in codes}


def test_a_problem_names_the_thing_and_where_it_lies() -> None:
    error = Refused(
        "Ring 2 of lot 7 crosses itself; mend it.",
        code="invalid_geometry",
        file="lot.zip",
        feature="7",
        ring=2,
        position=(1.5, 2.5),
        suggestions=("mend",),
    )
    told = json.loads(problem_of(error, correlation_id="n1").to_json())
    assert told == {
        "type": "urn:metes:problem:invalid_geometry",
        "title": "Geometry not valid",
        "status": 422,
        "code": "invalid_geometry",
        "detail": "Ring 2 of lot 7 crosses itself; mend it.",
        "file": "lot.zip",
        "feature": "7",
        "ring": 2,
        "position": [1.5, 2.5],
        "suggestions": ["mend"],
        "correlation_id": "n1",
    }


@pytest.mark.parametrize(
    "error", [Internal("/srv/metes/layers is gone"), MetesError("x"), Refused("y", code="new")]
)
def test_our_own_faults_say_nothing_of_the_inside(error: MetesError) -> None:
    told = problem_of(error, correlation_id="n2")
    assert (told.status, told.code) == (500, "internal")
    assert told.detail == "Something went wrong on our side; tell the operator the number n2."


def test_what_a_path_names_is_404_and_what_a_question_names_is_422() -> None:
    error = ParameterRefused("There is no parcel F_1_2.", code="parcel_unknown")
    assert status_of(error) == 422
    with pytest.raises(NotFound) as found, named_in_path():
        raise error
    assert (found.value.code, status_of(found.value)) == ("parcel_unknown", 404)
    with pytest.raises(ParameterRefused), named_in_path():
        raise ParameterRefused("limit is -1.")
    assert status_of(Denied("no")) == 403
