"""The use case of asking a kept screening again with more said: the input is ours already, only facts are added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.reading import Upload
from app.schemas.screening import Screening
from app.screening import Outcome, ask
from app.service import Service
from app.uploads import OPTIONS, Options, options_of
from spatial.errors import ParameterRefused

Pairs = Iterable[tuple[str, str]]
ONCE = OPTIONS - {"parcel", "on"}
"""What is said of the input itself, with the file."""


def ask_again(service: Service, screening_id: str, given: Pairs) -> Outcome:
    """Answer the question of a kept screening once more, on today's layers and law, with other facts.

    Parameters
    ----------
    given
        Facts by name, as they were written; an empty value takes back what was said before. ``on`` may be said too.

    Raises
    ------
    NotFound
        There is no such screening.
    ParameterRefused
        ``bad_parameter`` for something that only the first question can say, or a fact that cannot be used.
    """
    told = Screening.model_validate_json(service.screenings.body(screening_id))
    declared: dict[str, Any] = json.loads(service.screenings.question(screening_id))
    upload = Upload(told.input.name, service.screenings.parts(screening_id))
    return ask(service, upload, _more(declared, dict(given)))


def _more(declared: Mapping[str, Any], given: Mapping[str, str]) -> Options:
    fixed = sorted((ONCE | {"parcel"}) & set(given))
    if fixed:
        raise ParameterRefused(
            f"{fixed[0]!r} cannot be said of a kept screening; send the file again and say it there."
        )
    return options_again(declared, given)


def options_again(declared: Mapping[str, Any], given: Mapping[str, str]) -> Options:
    """Return what was declared of a kept screening with other facts, or another day, said beside it."""
    before = {name: _written(value) for name, value in declared["facts"].items() if value is not None}
    said = [(name, str(declared[name])) for name in sorted(ONCE) if declared.get(name) is not None]
    said += [("parcel", loc_id) for loc_id in declared["parcels"]]
    return options_of([*said, *(before | dict(given)).items()])


def _written(value: object) -> str:
    """Return a fact's value as an applicant would write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
