"""The book of law: every bylaw we hold, which of them apply in a town, and the facts they may ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from spatial.errors import NotFound, ParameterRefused
from spatial.facts import FactDefinition, Facts
from spatial.model import Town
from spatial.rules.bylaw import Bylaw
from spatial.rules.town_entries import TownEntries


@dataclass(frozen=True, slots=True)
class LawBook:
    """Every bylaw file and fact we hold, what towns' staff entered, and what no rule looks at. Immutable."""

    bylaws: tuple[Bylaw, ...]
    facts: tuple[FactDefinition, ...]
    towns: Mapping[str, TownEntries] = field(default_factory=dict)
    not_looked_at: tuple[str, ...] = ()
    _applying: dict[tuple[Town, ...], tuple[Bylaw, ...]] = field(
        default_factory=dict, compare=False, repr=False, init=False
    )

    def bylaw(self, bylaw_id: str) -> Bylaw:
        """Return a bylaw by its id; raises ``not_found``."""
        found = next((b for b in self.bylaws if b.id == bylaw_id), None)
        if found is None:
            raise NotFound(f"There is no bylaw file {bylaw_id!r}; we hold {', '.join(b.id for b in self.bylaws)}.")
        return found

    def bylaws_for(self, towns: Sequence[Town]) -> tuple[Bylaw, ...]:
        """Return the statewide bylaws and those of the towns, filled with what their staff entered.

        A town that no bylaw file names gets the statewide ones only; no towns, the same.
        """
        asked = tuple(towns)
        if asked not in self._applying:
            self._applying[asked] = self._bylaws_for(asked)
        return self._applying[asked]

    def _bylaws_for(self, towns: tuple[Town, ...]) -> tuple[Bylaw, ...]:
        found = {b.id: b for b in self.bylaws if b.statewide}
        for town in towns:
            for bylaw in (b for b in self.bylaws if b.id in town.bylaws or b.town == town.slug):
                known = found.get(bylaw.id)
                found[bylaw.id] = (
                    replace(known, town_ids=(*known.town_ids, town.id))
                    if known is not None
                    else bylaw.filled(self.towns.get(town.slug), town.id)
                )
        return tuple(found[key] for key in sorted(found))

    def check_facts(self, given: Mapping[str, str | float | bool]) -> Facts:
        """Return the given facts, each as its own type, and the defaults of those not given.

        Raises ``bad_parameter`` for a fact that does not exist or has a wrong value.
        """
        known = {d.name: d for d in self.facts}
        for name in given:
            if name not in known:
                raise ParameterRefused(
                    f"There is no project fact {name!r}; `metes facts` and GET /v1/facts list them.",
                    suggestions=sorted(n for n in known if n.split("_")[0] == name.split("_")[0]),
                )
        defaults = {d.name: d.default for d in self.facts if d.default is not None}
        return Facts(defaults | {name: known[name].read(value) for name, value in given.items()})
