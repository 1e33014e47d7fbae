"""From the engine's unrounded answer to the screening that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.reports.tally import tally
from app.schemas.screening import (
    UNSEEN,
    ActivityArea,
    BylawEdition,
    DeadlineTold,
    DeterminationTold,
    DisturbanceTold,
    EditionTold,
    FeatureTold,
    FindingTold,
    GridTold,
    InputTold,
    LayerTold,
    Links,
    NextStepTold,
    NoteTold,
    ParcelShareTold,
    ParcelTold,
    PolicyTold,
    ProvisionTold,
    ReadingTold,
    Screening,
    TownName,
    WarningTold,
    WatershedsTold,
    WatershedTold,
    ZoneTold,
)
from spatial.case import Case, Finding, ParcelShare
from spatial.facts import Facts
from spatial.inspection import Inspection
from spatial.model import EditionRef, Submission
from spatial.rules.bylaw import Bylaw
from spatial.rules.determination import Determination
from spatial.rules.determination import Screening as Judged
from spatial.units import SQFT_PER_ACRE


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """All that a told screening is made of."""

    id: str
    created: str
    engine: str
    name: str
    sha256: str
    inspection: Inspection
    submission: Submission
    facts: Facts
    judged: Judged
    editions: tuple[EditionRef, ...]


def compose(answer: Answer) -> Screening:
    """Return the screening that is told of an answer."""
    case, judged = answer.judged.case, answer.judged
    findings = [_finding(finding, judged.bylaws) for finding in case.findings]
    determinations = [_determination(one) for one in judged.determinations]
    url = f"/v1/screenings/{answer.id}"
    return Screening(
        id=answer.id,
        url=url,
        created=answer.created,
        on=date.fromisoformat(case.on),
        town=TownName.model_validate(case.town) if case.town else None,
        bylaws=[BylawEdition.model_validate(bylaw) for bylaw in judged.bylaws],
        input=_input(answer),
        disturbance=_disturbance(case),
        parcels=[ParcelTold.model_validate(lot) for lot in case.lots],
        findings=findings,
        determinations=determinations,
        watersheds=_watersheds(case),
        next_steps=[NextStepTold(text=step.text, because=list(step.because)) for step in judged.next_steps],
        deadlines=[DeadlineTold.model_validate(deadline) for deadline in judged.deadlines],
        warnings=[WarningTold.model_validate(caution) for caution in dict.fromkeys(judged.warnings)],
        editions=[_edition(ref) for ref in answer.editions],
        facts=dict(answer.facts.values),
        engine=answer.engine,
        links=Links(self=url, geojson=f"{url}.geojson", pdf=f"{url}.pdf"),
        lies_in=[TownName.model_validate(town) for town in case.ground],
        policies=_policies(judged),
        summary=tally(findings, determinations),
        not_looked_at=list(judged.not_looked_at),
    )


def _policies(judged: Judged) -> list[PolicyTold]:
    """Return how the text was read, each reading that a determination names, once."""
    named = {name for one in judged.determinations for name in one.policies}
    read = dict.fromkeys(policy for bylaw in judged.bylaws for policy in bylaw.policies if policy.id in named)
    return [PolicyTold.model_validate(policy) for policy in read]


def _input(answer: Answer) -> InputTold:
    seen = answer.inspection
    notes = dict.fromkeys((*seen.notes, *answer.submission.notes))
    return InputTold(
        name=answer.name,
        sha256=answer.sha256,
        format=seen.format,
        crs=seen.crs,
        crs_source=seen.crs_source,
        layer=seen.layer,
        n_features=seen.n_features,
        notes=[NoteTold.model_validate(note) for note in notes],
    )


def _disturbance(case: Case) -> DisturbanceTold:
    work = case.disturbance
    return DisturbanceTold(
        area_sqft=work.area_sqft,
        area_acres=work.area_sqft / SQFT_PER_ACRE,
        perimeter_ft=work.perimeter_ft,
        outside_parcels_sqft=work.outside_parcels_sqft,
        by_activity=[ActivityArea(activity=name, area_sqft=sqft) for name, sqft in work.by_activity_sqft.items()],
        tree_points=work.tree_points,
        by_class=[ActivityArea(activity=name, area_sqft=sqft) for name, sqft in work.by_class_sqft.items()],
        lots_unknown_sqft=work.unheld_sqft,
    )


def _finding(finding: Finding, bylaws: Sequence[Bylaw]) -> FindingTold:
    behind = [p for bylaw in bylaws for p in bylaw.provisions if p.theme == finding.theme]
    authorities = dict.fromkeys(provision.authority for provision in behind)
    seen = finding.status not in UNSEEN or bool(finding.disturbance_sqft)
    return FindingTold(
        theme=finding.theme,
        title=finding.title,
        status=finding.status,
        certainty=finding.certainty,
        margin_ft=finding.margin_ft,
        relation=finding.relation,
        disturbance_sqft=finding.disturbance_sqft if seen else None,
        percent_of_disturbance=finding.percent_of_disturbance if seen else None,
        parcel_sqft=finding.parcel_sqft,
        percent_of_parcel=finding.percent_of_parcel,
        length_ft=finding.length_ft,
        count=finding.count,
        nearest_ft=finding.nearest_ft,
        within_ft=finding.within_ft,
        zones=[ZoneTold.model_validate(zone) for zone in finding.zones],
        features=[
            FeatureTold.model_validate(hit, from_attributes=True).model_copy(
                update={"attributes": dict(hit.attributes)}
            )
            for hit in finding.features
        ],
        by_parcel=[_share(share, finding, seen=seen) for share in finding.by_parcel],
        layer=_layer(finding),
        legal_provisions=[ProvisionTold.model_validate(provision) for provision in behind],
        authority="; ".join(authorities) or None,
        why=finding.why,
        delineation=finding.delineation,
        delineation_measured=finding.delineation_measured,
        grid=GridTold.model_validate(finding.grid) if finding.grid else None,
    )


def _share(share: ParcelShare, finding: Finding, *, seen: bool) -> ParcelShareTold:
    """Return what one lot shares; unknown where the whole is."""
    return ParcelShareTold(
        loc_id=share.loc_id,
        disturbance_sqft=share.disturbance_sqft if seen else None,
        parcel_sqft=share.parcel_sqft if finding.parcel_sqft is not None else None,
    )


def _layer(finding: Finding) -> LayerTold:
    ref = finding.edition
    return LayerTold(
        id=finding.layer_id,
        edition=ref.edition if ref else None,
        part=ref.part if ref else None,
        title=ref.title if ref else None,
        source_url=ref.source_url if ref else None,
        retrieved=ref.retrieved if ref else None,
        published=ref.published if ref else None,
        sha256=ref.sha256 if ref else None,
        scale=ref.scale if ref else None,
        accuracy_ft=finding.accuracy_ft if finding.accuracy_ft is not None else (ref.accuracy_ft if ref else None),
        complete=finding.complete,
        coverage=finding.coverage,
        invented=ref.invented if ref else False,
    )


def _determination(one: Determination) -> DeterminationTold:
    return DeterminationTold(
        rule=one.rule,
        title=one.title,
        citation=one.citation,
        result=one.result,
        certainty=one.certainty,
        measured=one.measured,
        threshold=one.threshold,
        unit=one.unit,
        margin=one.margin,
        why=one.why,
        needs=list(one.needs),
        policies=list(one.policies),
        readings=[ReadingTold.model_validate(reading) for reading in one.readings],
        approval=one.approval,
        authority=one.authority,
        quote=one.quote,
        loc_id=one.loc_id,
        advisory=one.advisory,
        unverified=one.unverified,
        delineation=one.delineation,
    )


def _watersheds(case: Case) -> WatershedsTold:
    def level(name: str) -> list[WatershedTold]:
        return [WatershedTold.model_validate(share) for share in case.watersheds if share.level == name]

    return WatershedsTold(huc10=level("huc10"), huc12=level("huc12"))


def _edition(ref: EditionRef) -> EditionTold:
    return EditionTold(
        layer=ref.layer_id,
        part=ref.part,
        edition=ref.edition,
        sha256=ref.sha256,
        published=ref.published,
        retrieved=ref.retrieved,
        source_url=ref.source_url,
    )
