"""What differs between a kept screening and the same question today, and what it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.schemas.rescreen import (
    DeterminationChange,
    DeterminationSide,
    EditionChange,
    FindingChange,
    FindingSide,
    ScreeningChange,
)
from app.schemas.screening import UNSEEN, DeterminationTold, FindingTold, Screening

GROUND = ("parcels", "towns")
"""Layers that every finding and rule rests on."""
NEARBY = "nothing it rests on by itself changed; other kept screenings nearby or another rule did"
ENGINE = "engine"

Themes = Mapping[str, tuple[str, ...]]


def difference(before: Screening, after: Screening, themes: Themes) -> ScreeningChange | None:
    """Return what would be another today, or None when nothing would.

    Parameters
    ----------
    before, after
        As kept, and as answered now on the same input, options and day.
    themes
        The themes each rule looks at, by rule id.
    """
    causes = _Causes(edition_changes(before, after), before, after, themes)
    findings = list(_findings(before, after, causes))
    determinations = list(_determinations(before, after, causes))
    if not findings and not determinations:
        return None
    return ScreeningChange(
        id=before.id,
        url=before.url,
        created=before.created,
        on=before.on.isoformat(),
        input=before.input.name,
        editions=list(causes.changes),
        findings=findings,
        determinations=determinations,
    )


def edition_changes(before: Screening, after: Screening) -> tuple[EditionChange, ...]:
    """Return the layers, bylaws and the engine that are others now, in that order."""
    layers = (
        {(e.layer, e.part): e.edition for e in before.editions},
        {(e.layer, e.part): e.edition for e in after.editions},
    )
    laws = ({b.id: b.edition for b in before.bylaws}, {b.id: b.edition for b in after.bylaws})
    found = [
        EditionChange(kind="layer", id=layer, part=part, before=layers[0].get(key), after=layers[1].get(key))
        for key in sorted(layers[0].keys() | layers[1].keys())
        for layer, part in [key]
        if layers[0].get(key) != layers[1].get(key)
    ]
    found += [
        EditionChange(kind="bylaw", id=name, before=laws[0].get(name), after=laws[1].get(name))
        for name in sorted(laws[0].keys() | laws[1].keys())
        if laws[0].get(name) != laws[1].get(name)
    ]
    if before.engine != after.engine:
        found.append(EditionChange(kind=ENGINE, id="metes", before=before.engine, after=after.engine))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Causes:
    """What changed under an answer, looked up for one finding or rule."""

    changes: tuple[EditionChange, ...]
    before: Screening
    after: Screening
    themes: Themes

    def of_layers(self, layers: Iterable[str]) -> list[str]:
        """Return the changes of some layers in words; failing those, of lots and towns, then of the engine."""
        wanted = set(layers)
        for names in (wanted, set(GROUND)):
            said = [_words(c) for c in self.changes if c.kind == "layer" and c.id in names]
            if said:
                return said
        return [_words(c) for c in self.changes if c.kind == ENGINE] or [NEARBY]

    def of_rule(self, rule: str) -> list[str]:
        """Return the changes of the layers a rule looks at, of lots and of its bylaw in words; else all changes."""
        asked = self.themes.get(rule, ())
        found = {f.layer.id for s in (self.before, self.after) for f in s.findings if f.theme in asked}
        bylaw = rule.partition(".")[0]
        said = [
            _words(c)
            for c in self.changes
            if (c.kind == "layer" and c.id in found | set(GROUND)) or (c.kind == "bylaw" and c.id == bylaw)
        ]
        return said or [_words(c) for c in self.changes] or [NEARBY]


def _words(change: EditionChange) -> str:
    name = f"{change.id} ({change.part})" if change.part else change.id
    return f"{name}: {change.before or 'none'} before, {change.after or 'none'} now"


def _findings(before: Screening, after: Screening, causes: _Causes) -> Iterator[FindingChange]:
    old = {(f.theme, f.layer.id): f for f in before.findings}
    new = {(f.theme, f.layer.id): f for f in after.findings}
    for key in dict.fromkeys((*old, *new)):
        sides = _finding_side(old.get(key)), _finding_side(new.get(key))
        if not _same(*sides):
            told = new.get(key) or old[key]
            yield FindingChange(
                theme=key[0],
                layer=key[1],
                title=told.title,
                before=sides[0],
                after=sides[1],
                why=causes.of_layers([key[1]]),
            )


def _finding_side(finding: FindingTold | None) -> FindingSide | None:
    if finding is None:
        return None
    own = {name: getattr(finding, name) for name in FindingSide.model_fields if name not in ("edition", "coverage")}
    if finding.status in UNSEEN and not finding.disturbance_sqft:  # answers kept earlier tell nought
        own |= {"disturbance_sqft": None, "percent_of_disturbance": None}
    return FindingSide(**own, edition=finding.layer.edition, coverage=finding.layer.coverage)


def _same(before: FindingSide | None, after: FindingSide | None) -> bool:
    """Say whether two findings say the same; another edition alone is no difference."""
    if before is None or after is None:
        return before is after
    return before.model_copy(update={"edition": after.edition}) == after


def _determinations(before: Screening, after: Screening, causes: _Causes) -> Iterator[DeterminationChange]:
    old = {(d.rule, d.loc_id): d for d in before.determinations}
    new = {(d.rule, d.loc_id): d for d in after.determinations}
    for key in dict.fromkeys((*old, *new)):
        sides = _determination_side(old.get(key)), _determination_side(new.get(key))
        if _telling(sides[0]) != _telling(sides[1]):
            told = new.get(key) or old[key]
            yield DeterminationChange(
                rule=key[0],
                title=told.title,
                loc_id=key[1],
                before=sides[0],
                after=sides[1],
                why=causes.of_rule(key[0]),
            )


def _determination_side(one: DeterminationTold | None) -> DeterminationSide | None:
    return DeterminationSide.model_validate(one) if one is not None else None


def _telling(side: DeterminationSide | None) -> DeterminationSide | None:
    """Return a side without its sentence: other words alone are no difference."""
    return side.model_copy(update={"why": ""}) if side is not None else None
