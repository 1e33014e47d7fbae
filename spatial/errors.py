"""The one tree of errors: each says in one sentence what is wrong, with what, and what to do.

::

    MetesError
    ├── Refused            somebody's input cannot be used (exit 2, HTTP 4xx)
    │   ├── CrsRefused, FormatRefused, ArchiveRefused, GeometryRefused, ParameterRefused
    ├── Unavailable        a layer or a place in the queue is not to be had now
    ├── Denied             who asks may not
    ├── NotFound           no such thing
    └── Internal           our own fault; its detail is never shown

``code`` is the fixed word that callers test; the application maps it to an HTTP status in one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class MetesError(Exception):
    """Root of every error raised on purpose.

    Parameters
    ----------
    detail
        One sentence that names the thing, its value and the remedy. Never a path of the server, never
        a person's name.
    code
        The fixed word for callers; the class gives the default.
    file, layer, feature, ring, position
        Where in the input the trouble lies, as far as known.
    suggestions
        What the caller could say instead (``"EPSG:26986"``), best first.
    """

    default_code: ClassVar[str] = "internal"

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        file: str | None = None,
        layer: str | None = None,
        feature: str | None = None,
        ring: int | None = None,
        position: Sequence[float] | None = None,
        suggestions: Sequence[str] = (),
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or self.default_code
        self.file = file
        self.layer = layer
        self.feature = feature
        self.ring = ring
        self.position = tuple(position) if position is not None else None
        self.suggestions = tuple(suggestions)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Refused(MetesError):
    """Somebody's input cannot be used."""

    default_code = "bad_parameter"


class CrsRefused(Refused):
    """The coordinate system is missing, unknown or does not fit the numbers."""

    default_code = "crs_unknown"


class FormatRefused(Refused):
    """The bytes are not of a kind we read, or are damaged."""

    default_code = "unsupported_format"


class ArchiveRefused(Refused):
    """The archive is damaged, unsafe or too large."""

    default_code = "bad_archive"


class GeometryRefused(Refused):
    """The shapes cannot be used: none, not polygons, not valid, too complex."""

    default_code = "invalid_geometry"


class ParameterRefused(Refused):
    """An option, fact, town or parcel was named that does not exist or has a wrong value."""

    default_code = "bad_parameter"


class Unavailable(MetesError):
    """A layer or a place in the queue is not to be had now."""

    default_code = "layer_unavailable"


class Denied(MetesError):
    """Who asks may not."""

    default_code = "forbidden"


class NotFound(MetesError):
    """No such thing."""

    default_code = "not_found"


class Internal(MetesError):
    """Our own fault."""

    default_code = "internal"
