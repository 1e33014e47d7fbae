"""One bylaw file, in the words of the engine: rules, numbers, policies, exemptions, provisions and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from layers.law.check import check_references
from layers.law.facts import FactFile
from layers.law.reading import validated
from layers.law.shapes import BylawFile, ClockFile, ExemptionFile, NumberFile, ProvisionFile, RuleFile
from spatial.rules.bylaw import Bylaw, Clock, ClockStep, Exemption, Number, Policy, Provision, Rule

BYLAWS = Path(__file__).parents[1] / "bylaws"


def read_bylaw(path: Path, facts: Sequence[FactFile]) -> Bylaw:
    """Return a checked bylaw; its edition is the first twelve hex digits of the file's sha256.

    Raises ``internal`` when the file is wrong.
    """
    file = validated(BylawFile, path)
    check_references(file, {f.name: f.type for f in facts}, path.name)
    numbers = {rule.id: rule.numbers for rule in file.rule}
    return Bylaw(
        id=file.id,
        title=file.title,
        kind=file.kind,
        citation=file.citation,
        url=file.url,
        edition=sha256(path.read_bytes()).hexdigest()[:12],
        rules=tuple(_rule(file, rule, numbers.get(rule.numbers_from or "", {})) for rule in file.rule),
        policies=tuple(Policy(p.id, p.question, p.reading, p.unverified) for p in file.policy),
        statewide=file.statewide,
        notes=file.notes,
        town=file.town,
        provisions=tuple(p for given in file.provision for p in _provisions(file, given)),
        exemptions=tuple(_exemption(e) for e in file.exemption),
        clocks=tuple(_clock(c) for c in file.clock),
    )


def _rule(file: BylawFile, rule: RuleFile, shared: dict[str, NumberFile]) -> Rule:
    caveat = _caveat(file, rule)
    return Rule(
        id=rule.id,
        title=rule.title,
        evaluate=rule.evaluate,
        citation=rule.citation,
        quote=rule.quote,
        authority=rule.authority or file.authority,
        approval=rule.approval,
        in_force_from=rule.in_force_from,
        in_force_to=rule.in_force_to,
        numbers={name: _number(name, n) for name, n in {**shared, **rule.numbers}.items()},
        themes=rule.themes,
        facts=rule.facts,
        policies=rule.policies,
        options=rule.options,
        next_steps=rule.next_steps,
        url=rule.url or file.url,
        advisory=rule.advisory,
        unverified=bool(caveat),
        ask_steps=rule.ask_steps,
        steps_yield_to=rule.steps_yield_to,
        steps_beside=rule.steps_beside,
        caveat=caveat,
    )


def _caveat(file: BylawFile, rule: RuleFile) -> str:
    """Return what an answer of the rule must say of what was not verified; empty when all was."""
    rests = [f"{n.value:g} {n.unit} ({n.citation})" for n in rule.numbers.values() if n.tag == "K"]
    rests += [
        f"our reading of “{p.question}” ({p.id})" for p in file.policy if p.unverified and p.id in rule.policies
    ]
    if rests:
        return f"Rests on what was not verified: {'; '.join(rests)}."
    return "This provision was not verified against its text." if rule.tag == "K" else ""


def _number(name: str, number: NumberFile) -> Number:
    return Number(
        name=name,
        value=number.value,
        unit=number.unit,
        citation=number.citation,
        unverified=number.tag == "K",
        themes=number.themes,
        policy=number.policy,
        tag=number.tag,
    )


def _provisions(file: BylawFile, given: ProvisionFile) -> tuple[Provision, ...]:
    kind, url, board = given.type or file.kind, given.url or file.url, given.authority or file.authority
    return tuple(Provision(theme, given.title, given.section, kind, url, board) for theme in given.themes)


def _exemption(given: ExemptionFile) -> Exemption:
    return Exemption(given.id, given.title, given.citation, given.quote, given.evidence, given.rules)


def _clock(given: ClockFile) -> Clock:
    return Clock(
        id=given.id,
        what=given.what,
        citation=given.citation,
        quote=given.quote,
        counted_from=given.counted_from,
        steps=tuple(ClockStep(s.count, s.unit, s.direction) for s in given.steps),
        rules=given.rules,
        roll=given.roll,
        constructive=given.constructive,
        practical=given.practical,
        policies=given.policies,
        boards=given.boards,
        pieces_from=given.pieces_from,
        pieces_to=given.pieces_to,
        unverified=given.tag == "K",
    )
