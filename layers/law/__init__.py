"""The law as data: bylaw files, facts and what towns' staff entered, read and refused when wrong."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from layers.law.beyond import read_not_looked_at
from layers.law.bylaws import BYLAWS, read_bylaw
from layers.law.facts import FACTS, read_facts
from layers.law.staff import read_town_entries
from layers.towns import load_towns
from spatial.errors import ParameterRefused
from spatial.facts import FactDefinition
from spatial.rules.book import LawBook
from spatial.rules.bylaw import Bylaw
from spatial.rules.town_entries import TownEntries

__all__ = ["BYLAWS", "FACTS", "load_law"]


def load_law(towns_dir: Path | None) -> LawBook:
    """Return every bylaw and fact we ship, and what staff entered in a folder of town files.

    Parameters
    ----------
    towns_dir
        ``DATA/towns``; None or a folder that does not exist adds nothing.

    Raises
    ------
    Internal
        A file of ours is wrong: an unknown key, theme, fact, policy, rule, layer or evaluator, or no citation.
    ParameterRefused
        A town's file is.
    """
    bylaws, facts = _shipped()
    files = sorted(towns_dir.glob("*.toml")) if towns_dir is not None and towns_dir.is_dir() else []
    towns = load_towns(towns_dir)
    entered: dict[str, TownEntries] = {}
    for path in files:
        entries = read_town_entries(path, bylaws, towns)
        if entries.slug in entered:
            raise ParameterRefused(
                f"The town file '{path.name}' is a second one of {entries.slug}; keep one.", file=path.name
            )
        entered[entries.slug] = entries
    return LawBook(bylaws, facts, entered, _not_looked_at())


@lru_cache(maxsize=1)
def _not_looked_at() -> tuple[str, ...]:
    return read_not_looked_at()


@lru_cache(maxsize=1)
def _shipped() -> tuple[tuple[Bylaw, ...], tuple[FactDefinition, ...]]:
    return load_files(sorted(BYLAWS.glob("*.toml")), FACTS)


def load_files(bylaw_files: list[Path], facts_file: Path) -> tuple[tuple[Bylaw, ...], tuple[FactDefinition, ...]]:
    """Return the bylaws and facts of the named files, checked against each other."""
    definitions = read_facts(facts_file)
    bylaws = tuple(read_bylaw(path, definitions) for path in bylaw_files)
    return bylaws, tuple(d.definition(bylaws) for d in definitions)
