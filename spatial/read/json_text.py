"""Reading: bytes to JSON values, strictly: finite numbers, one meaning, no depth that could hurt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from spatial.errors import FormatRefused, GeometryRefused
from spatial.model import Note, Scalar
from spatial.read.limits import ReadLimits
from spatial.read.raw import too_many

JsonObject = dict[str, Any]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_STRAY_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(\s*[\]}])', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
_BOM = "\ufeff"


def load(path: Path, limits: ReadLimits) -> tuple[list[JsonObject], tuple[Note, ...]]:
    """Return the objects of a JSON file: one, or many when it is a sequence of features, a line each.

    Raises
    ------
    FormatRefused
        ``bad_json`` when it is not JSON, is nested deeper than the limit, or names a key twice.
    GeometryRefused
        ``bad_coordinates`` for ``NaN`` and ``Infinity``, which are no JSON but are written by many programs.
    """
    text, notes = decoded(path.read_bytes())
    _check_depth(text, limits)
    tidy, more = _without_stray_commas(text)
    return list(_documents(tidy)), (*notes, *more)


def decoded(content: bytes) -> tuple[str, tuple[Note, ...]]:
    """Return text from UTF-8 (with or without mark), marked UTF-16, or, with a note, Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace").removeprefix(_BOM), ()
    try:
        return content.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        note = Note("encoding_guessed", "The text is not UTF-8; it was read as Windows-1252 (Western European).")
        return content.decode("cp1252", errors="replace"), (note,)


def _without_stray_commas(text: str) -> tuple[str, tuple[Note, ...]]:
    """Return the text without commas right before a closing bracket, which mean nothing, and a note if any."""
    tidy = _STRAY_COMMA.sub(lambda m: m.group(1) or m.group(2), text)
    if tidy == text:
        return text, ()
    return tidy, (Note("json_comma_ignored", "A comma before a closing bracket, which JSON forbids, was ignored."),)


def _check_depth(text: str, limits: ReadLimits) -> None:
    depth = 0
    if text.count("[") > 1.5 * limits.vertices + 1_000:
        raise too_many("vertices", limits.vertices)
    for bracket in _BRACKETS.finditer(_STRING.sub('""', text)):
        depth += 1 if bracket.group() in "[{" else -1
        if depth > limits.nesting:
            raise FormatRefused(
                f"The JSON is nested deeper than {limits.nesting} levels; GeoJSON needs ten.",
                code="bad_json",
            )


def _documents(text: str) -> Iterator[JsonObject]:
    decoder = json.JSONDecoder(
        object_pairs_hook=_pairs, parse_constant=_not_finite, parse_float=_finite, parse_int=_whole
    )
    at, size = _skip(text, 0), len(text)
    if at == size:
        raise FormatRefused("The JSON is empty; send GeoJSON or Esri JSON.", code="bad_json")
    while at < size:
        try:
            value, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            raise _broken(error) from error
        if not isinstance(value, dict):
            raise FormatRefused("The JSON is no object; send a GeoJSON FeatureCollection.", code="bad_json")
        yield value
        at = _skip(text, at)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n\x1e\x00":
        at += 1
    return at


def _broken(error: Exception) -> FormatRefused:
    where = f" at line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
    return FormatRefused(f"The JSON is broken{where}; export the file as GeoJSON again.", code="bad_json")


def _pairs(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FormatRefused(
            f"The JSON names the key {twice[:40]!r} twice in one object, so it has two meanings; keep one.",
            code="bad_json",
        )
    for name, value in pairs:
        _check_text(name)
        if isinstance(value, str):
            _check_text(value)
    return found


def _check_text(text: str) -> None:
    """Refuse half a surrogate pair: it is no character, and nothing that is written as UTF-8 can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise FormatRefused(
            f"The JSON holds half a character (\\u{ord(text[error.start]):04x}); export the file as GeoJSON again.",
            code="bad_json",
        ) from error


def _not_finite(word: str) -> NoReturn:
    raise GeometryRefused(
        f"The JSON holds {word}, which is not a finite number; correct that coordinate or leave it out.",
        code="bad_coordinates",
    )


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        _not_finite(text[:30])
    return value


def _whole(text: str) -> int | float:
    return int(text) if len(text) < 19 else _finite(text)


def scalars(properties: object, limits: ReadLimits) -> dict[str, Scalar]:
    """Return attributes as plain values; lists and objects become their JSON text, long text is refused.

    ``None`` and anything that is no object give no attributes.
    """
    if not isinstance(properties, dict):
        return {}
    return {str(key)[:100]: _scalar(key, value, limits) for key, value in properties.items()}


def _scalar(key: str, value: object, limits: ReadLimits) -> Scalar:
    plain = value if isinstance(value, str | int | float | bool) or value is None else json.dumps(value)
    if isinstance(plain, str) and len(plain) > limits.text_chars:
        raise FormatRefused(
            f"The attribute {key[:40]!r} holds {len(plain):,} characters; at most {limits.text_chars:,} are read.",
            code="too_complex",
        )
    return plain
