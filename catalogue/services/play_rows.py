from typing import Any

from django.db.models import Manager

from catalogue.definitions.link_index import Binding
from catalogue.definitions.missions import Brief, MissionDefinition, ObjectiveDefinition, PlayBook
from catalogue.models import DeploymentMap, Mission, MissionPack, Objective, PackVersion
from catalogue.services.texts import build_citation_columns, fold_text, shorten

BATCH = 2000


def list_row_managers(version: PackVersion) -> tuple[Manager[Any], ...]:
    return version.missions, version.mission_packs, version.objectives, version.maps


def write_play(version: PackVersion, binding: Binding) -> None:
    play = binding.data.game_system.play
    names = {objective.id: objective.name for objective in play.objectives}
    missions = [mission for catalogue in binding.data.catalogues for mission in catalogue.missions]
    Mission.objects.bulk_create(
        [
            Mission(
                version=version,
                mission_id=mission.id,
                name=shorten(mission.name),
                pack=shorten(mission.pack),
                tagline=mission.tagline,
                scoring=mission.scoring,
                low=mission.low,
                high=mission.high,
                search_text=fold_text(" ".join(collect_mission_words(mission, names))),
                position=position,
                **build_citation_columns(binding, mission.citation),
            )
            for position, mission in enumerate(missions)
        ],
        batch_size=BATCH,
    )
    _write_packs(version, binding, play)
    _write_objectives(version, binding, play)
    _write_maps(version, binding, play)


def collect_mission_words(mission: MissionDefinition, names: dict[str, str]) -> list[str]:
    briefs: list[Brief] = [mission, *mission.sides]
    names_and_story = [mission.name, mission.pack, mission.scoring, mission.story]
    side_names = [side.name for side in mission.sides]
    texts, objective_names, labels = [], [], []
    for brief in briefs:
        texts += [brief.tagline, *(paragraph.text for paragraph in brief.paragraphs)]
        objective_names += [names.get(aim.objective_id, "") for aim in brief.aims]
        labels += [paragraph.label for paragraph in brief.paragraphs]
    return [*names_and_story, *side_names, *texts, *objective_names, *labels]


def collect_objective_words(objective: ObjectiveDefinition) -> list[str]:
    scores = [text for score in objective.scores for text in (score.text, *score.by_size.values())]
    return [objective.name, objective.tagline, objective.setup, objective.special, *scores]


def _write_packs(version: PackVersion, binding: Binding, play: PlayBook) -> None:
    MissionPack.objects.bulk_create(
        MissionPack(
            version=version,
            pack_id=pack.id,
            name=shorten(pack.name),
            die=pack.die,
            text=pack.text,
            position=position,
            **build_citation_columns(binding, pack.citation),
        )
        for position, pack in enumerate(play.packs)
    )


def _write_objectives(version: PackVersion, binding: Binding, play: PlayBook) -> None:
    groups = {group.id: group.name for group in play.groups}
    Objective.objects.bulk_create(
        Objective(
            version=version,
            objective_id=objective.id,
            name=shorten(objective.name),
            group=shorten(groups.get(objective.group, "")),
            roll=objective.roll,
            search_text=fold_text(" ".join(collect_objective_words(objective))),
            position=position,
            **build_citation_columns(binding, objective.citation),
        )
        for position, objective in enumerate(play.objectives)
    )


def _write_maps(version: PackVersion, binding: Binding, play: PlayBook) -> None:
    DeploymentMap.objects.bulk_create(
        DeploymentMap(
            version=version,
            map_id=deployment_map.id,
            name=shorten(deployment_map.name),
            roll=deployment_map.roll,
            schematic=deployment_map.schematic,
            position=position,
            **build_citation_columns(binding, deployment_map.citation),
        )
        for position, deployment_map in enumerate(play.maps)
    )
