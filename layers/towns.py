"""The towns: MassGIS number, slug, name, and which bylaw files of their own they have.

Ours stand in ``towns.toml``; staff add invented towns or override bylaws with a table ``[town]`` in
``DATA/towns/<slug>.toml`` (other tables of that file belong to others and are not looked at here).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial.errors import ParameterRefused
from spatial.model import Town

TOWNS = Path(__file__).parent / "towns.toml"


class _Stated(BaseModel):
    """A town as a file states it; ``bylaws`` None where it says nothing of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: int = Field(gt=0)
    slug: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    name: str = Field(min_length=1)
    bylaws: tuple[str, ...] | None = None
    invented: bool = False

    def town(self, ours: Town | None = None) -> Town:
        """Return it in the words of the engine; a file that says nothing of bylaws takes none of ours away."""
        known = ours.bylaws if ours is not None else ()
        bylaws = known if self.bylaws is None else self.bylaws
        return Town(id=self.id, slug=self.slug, name=self.name, bylaws=bylaws, invented=self.invented)


class _TownFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    towns: tuple[_Stated, ...]


@dataclass(frozen=True, slots=True)
class TownBook:
    """Every town by number and by slug."""

    by_id: Mapping[int, Town]
    by_slug: Mapping[str, Town]

    def find(self, id_or_slug: str) -> Town:
        """Return a town by slug, name or TOWN_ID; raises ``ParameterRefused`` (town_unknown).

        >>> load_towns().find("78").name
        'Dover'
        """
        wanted = id_or_slug.strip().casefold().replace(" ", "-")
        town = self.by_id.get(int(wanted)) if wanted.isascii() and wanted.isdigit() else self.by_slug.get(wanted)
        if town is None:
            begun = sorted(s for s in self.by_slug if wanted and s.startswith(wanted[:3]))
            near = tuple(get_close_matches(wanted, self.by_slug, n=3, cutoff=0.8) or begun[:5])
            raise ParameterRefused(
                f"There is no town '{id_or_slug}'; give its slug (dover) or its MassGIS number (78).",
                code="town_unknown",
                suggestions=near,
            )
        return town


def _book(towns: Iterable[Town]) -> TownBook:
    by_id = {town.id: town for town in towns}
    return TownBook(by_id=by_id, by_slug={town.slug: town for town in by_id.values()})


@lru_cache(maxsize=1)
def _ours() -> tuple[Town, ...]:
    entries = _TownFile.model_validate(tomllib.loads(TOWNS.read_text(encoding="utf-8")))
    return tuple(entry.town() for entry in entries.towns)


def _staff_entry(path: Path, ours: TownBook) -> Town | None:
    name = path.name
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("town")
        if table is None:
            return None
        stated = _Stated.model_validate({"slug": path.stem, **table})
        return stated.town(ours.by_id.get(stated.id))
    except tomllib.TOMLDecodeError as error:
        raise ParameterRefused(f"The town file '{name}' is not TOML: {error}.", file=name) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ParameterRefused(
            f"The town file '{name}' is wrong at 'town.{where}': {first['msg']}.", file=name
        ) from error


def load_towns(staff: Path | None = None) -> TownBook:
    """Return the 351 towns and, over them, the entries of a folder of staff's own town files.

    Parameters
    ----------
    staff
        ``DATA/towns``; None or a folder that does not exist adds nothing.
    """
    ours = _book(_ours())
    files = sorted(staff.glob("*.toml")) if staff is not None and staff.is_dir() else []
    own = [_staff_entry(path, ours) for path in files]
    return _book([*_ours(), *(town for town in own if town is not None)])
