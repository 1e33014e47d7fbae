"""The parts of a multipart request, with the care Starlette leaves out: a field that is no text is refused.

Starlette reads bytes that are not UTF-8 as Latin-1, so that a name or a fact would be taken that nobody wrote.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from app.settings import Settings
from spatial.errors import ParameterRefused


def is_form(request: Request) -> bool:
    """Return whether the body of a request is said to be a multipart form."""
    return request.headers.get("content-type", "").lower().startswith("multipart/form-data")


@asynccontextmanager
async def form_of(request: Request, settings: Settings) -> AsyncIterator[FormData]:
    """Lend the parts of a multipart request and close them afterwards; a body that is no form has none.

    Raises
    ------
    ParameterRefused
        ``bad_parameter``: the form cannot be parsed, has too many parts, or a field is not text.
    """
    form = await _parsed(request, settings) if is_form(request) else FormData()
    try:
        yield form
    finally:
        await form.close()


async def _parsed(request: Request, settings: Settings) -> FormData:
    parser = _Strict(
        request.headers, request.stream(), max_files=settings.max_parts, max_fields=settings.max_fields
    )
    try:
        return await parser.parse()
    except MultiPartException as error:
        raise ParameterRefused(f"The form cannot be read: {error.message.rstrip('.')}.") from error


class _Strict(MultiPartParser):
    """Starlette's parser, but for fields that are not text; the name of a file stays as its sender has it."""

    def on_headers_finished(self) -> None:
        """Begin a part; its name must be text."""
        super().on_headers_finished()
        _, options = parse_options_header(self._current_part.content_disposition)
        self._check(options.get(b"name", b""), "the name of a field")

    def on_part_end(self) -> None:
        """End a part; what a field holds must be text."""
        if self._current_part.file is None:
            self._check(self._current_part.data, f"the field {self._current_part.field_name[:60]!r}")
        super().on_part_end()

    def _check(self, content: bytes | bytearray, what: str) -> None:
        try:
            content.decode(self._charset)
        except (UnicodeDecodeError, LookupError):
            raise MultiPartException(f"{what} is not {self._charset} text; send it as UTF-8") from None
