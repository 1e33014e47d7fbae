"""What layers there are: one specification each, read from ``specs/*.toml`` and refused when wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from layers.spec import THEME_ORDER, Spec
from spatial.errors import Internal, ParameterRefused
from spatial.model import Theme

SPECS = Path(__file__).parent / "specs"


@dataclass(frozen=True, slots=True)
class Catalog:
    """All specifications by id, and their themes in the order answers show them."""

    specs: Mapping[str, Spec]
    themes: tuple[Theme, ...]
    names: Mapping[str, str]

    def spec(self, id_or_alias: str) -> Spec:
        """Return a specification by id or alias, in any case; raises ``ParameterRefused`` (layer_unknown)."""
        known = self.names.get(id_or_alias.casefold())
        if known is None:
            raise ParameterRefused(
                f"There is no layer '{id_or_alias}'; the layers are {', '.join(sorted(self.specs))}.",
                code="layer_unknown",
                layer=id_or_alias,
                suggestions=tuple(sorted(self.specs)),
            )
        return self.specs[known]


def read_spec(text: str, name: str) -> Spec:
    """Return the specification in a TOML text; raises ``ParameterRefused`` with one sentence when it is wrong."""
    try:
        spec = Spec.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ParameterRefused(f"The layer specification '{name}' is not TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ParameterRefused(
            f"The layer specification '{name}' is wrong at '{where}': {first['msg']}; correct it there."
        ) from error
    if spec.id != name:
        raise ParameterRefused(f"The layer specification '{name}' calls itself '{spec.id}'; the two must agree.")
    return spec


def catalog_of(specs: Sequence[Spec]) -> Catalog:
    """Return the catalogue of some specifications; raises ``Internal`` when two share a name."""
    names: dict[str, str] = {}
    for spec in specs:
        for name in {n.casefold() for n in (spec.id, *spec.aliases)}:
            if name in names:
                raise Internal(f"The layers '{names[name]}' and '{spec.id}' both answer to '{name}'.")
            names[name] = spec.id
    themes = [theme for spec in specs for theme in spec.questions()]
    themes.sort(key=lambda t: (THEME_ORDER.index(t.theme), t.layer_id))
    return Catalog(specs={s.id: s for s in specs}, themes=tuple(themes), names=names)


@lru_cache(maxsize=4)
def load_specs(folder: Path = SPECS) -> Catalog:
    """Return the catalogue of a folder of specifications, read once; raises when one of them is wrong."""
    paths = sorted(folder.glob("*.toml"))
    return catalog_of([read_spec(p.read_text(encoding="utf-8"), p.stem) for p in paths])
