"""What a file of somebody gives when read and placed: the codes of its notes, or its refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lots
import pytest
import shapely

from spatial.errors import MetesError
from spatial.model import Reading
from spatial.normalise import normalise
from spatial.read.upload import read

BIG = lots.box_ft(0, 0, 300, 300)
HOLED = shapely.difference(BIG, lots.box_ft(100, 100, 100, 100))


def refused(path: Path, **options: Any) -> MetesError:
    with pytest.raises(MetesError) as caught:
        normalise(read(path, **options), purpose=options.get("purpose", "site"))
    assert str(path.parent) not in caught.value.detail
    return caught.value


def codes(found: Reading) -> set[str]:
    return {note.code for note in (*found.notes, *normalise(found).notes)}
