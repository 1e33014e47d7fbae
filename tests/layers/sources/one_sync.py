"""One sync in a process of its own, to be killed: ``one_sync.py DATA URL``."""

from __future__ import annotations

import sys
from pathlib import Path

from brought import catalog, errand, source

from layers.sources.ground import Ground
from layers.sources.sync import sync

HERE = Ground("dover", (), (217_000.0, 888_000.0, 218_000.0, 889_000.0))


def main(data: str, url: str) -> int:
    """Bring priority habitat once."""
    with errand(Path(data), catalog("priority_habitat", source(url))) as run:
        (told,) = sync(run, ["priority_habitat"], HERE)
    return 0 if told.outcome == "new" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
