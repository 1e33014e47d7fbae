"""Which characters the papers can show. One that no font of theirs has would stop a tagged PDF, or be a blank box.

What cannot be shown is printed as the sign for it (U+FFFD), where a reader sees that something is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import typst

TEMPLATE = Path(__file__).with_name("glyph.typ")
MISSING = "\N{REPLACEMENT CHARACTER}"
SURE = "\u024f"
"""Latin letters up to here, with their marks, are in every font the papers use."""


def displayable(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a template with every character that cannot be shown replaced by ``MISSING``."""
    doubtful = "".join(sorted({c for c in json.dumps(data, ensure_ascii=False) if c > SURE}))
    missing = _missing(doubtful)
    if not missing:
        return dict(data)
    table = dict.fromkeys(map(ord, missing), MISSING)
    return {key: _replaced(value, table) for key, value in data.items()}


def _replaced(value: Any, table: Mapping[int, str]) -> Any:
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, Mapping):
        return {key: _replaced(one, table) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_replaced(one, table) for one in value]
    return value


def _missing(characters: str) -> str:
    """Return those of some characters that cannot be shown, halving what does not compile."""
    if not characters or _compiles(characters):
        return ""
    if len(characters) == 1:
        return characters
    half = len(characters) // 2
    return _missing(characters[:half]) + _missing(characters[half:])


@lru_cache(maxsize=4096)
def _compiles(characters: str) -> bool:
    # Half of a pair of surrogates is no character and no JSON either.
    if any("\ud800" <= c <= "\udfff" for c in characters):
        return False
    sent = {"data": json.dumps({"text": characters})}
    try:
        typst.compile(
            TEMPLATE, root=TEMPLATE.parent, ignore_system_fonts=True, sys_inputs=sent, pdf_standards="ua-1"
        )
    except typst.TypstError:
        return False
    return True
