"""What can go wrong at a source, and whether asking again helps."""

from __future__ import annotations

from spatial.errors import Unavailable


class SourceFailed(Unavailable):
    """No whole answer this time; asking again later may help."""


class SourceRefused(Unavailable):
    """What the source is or says cannot be used; asking again will not help."""


class SourceIncomplete(Unavailable):
    """The source says it has something else than what it gave; nothing of it is used."""

    default_code = "incomplete_source"
