"""A law file of ours read through its shape: what is wrong is said in one sentence that names file and place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from spatial.errors import Internal, MetesError

Shape = TypeVar("Shape", bound=BaseModel)


def validated(shape: type[Shape], path: Path, error: type[MetesError] = Internal) -> Shape:
    """Return a TOML file as its shape; raises ``error`` naming the file, the place and what is wrong."""
    try:
        return shape.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as wrong:
        raise error(f"The law file '{path.name}' is not TOML: {wrong}.", file=path.name) from wrong
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "its top"
        raise error(f"The law file '{path.name}' is wrong at '{where}': {first['msg']}.", file=path.name) from wrong
