"""How a fault of ours is logged: its kind and the way to it, never its message or values, which may hold a name."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any


def tell_fault(log: Any, error: BaseException) -> None:
    """Log the chain of an error: the type and the file, line and function of every frame."""
    log.error("fault", chain=[_link(one) for one in _chain(error)])


def _chain(error: BaseException) -> list[BaseException]:
    """Return the error and what it came of, the newest first."""
    chain: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in chain:
        chain.append(found)
        found = found.__cause__ or found.__context__
    return chain


def _link(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    way = [f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}" for frame in frames]
    return {"type": type(error).__qualname__, "way": way}
