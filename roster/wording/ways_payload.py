"""Serialise ways for the API and the commands."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.models import PackVersion
from roster.engine.report import Verdict
from roster.formats.list_document import build_document
from roster.services.additions import Addition
from roster.services.board.allies import AlliedFaction
from roster.services.ways import FoundWays, Way, WayKind
from roster.wording.api_payload import serialize_cost
from roster.wording.sentences import explain_block
from roster.wording.ways import explain_search, format_way, list_way_changes

Json = dict[str, Any]


def serialize_ways(kind: WayKind, search: FoundWays, version: PackVersion, faction_id: str) -> Json:
    return {
        "kind": kind.value,
        "answer": search.answer.value,
        "finished": search.is_finished,
        "text": explain_search(kind, search),
        "ways": [_serialize_way(way, version, faction_id) for way in search.ways],
    }


def _serialize_way(way: Way, version: PackVersion, faction_id: str) -> Json:
    evaluated_list = way.evaluated_list
    return {
        "text": format_way(way),
        "changes": list(list_way_changes(way)),
        "points": format_number(way.points),
        "total": format_number(evaluated_list.points.value) if evaluated_list.points else "0",
        "legal": evaluated_list.verdict is Verdict.LEGAL and not evaluated_list.homebrew,
        "house_rules": evaluated_list.homebrew,
        "best": way.is_best,
        "list": build_document(
            evaluated_list.ruleset,
            evaluated_list.tree,
            evaluated_list.game,
            game=version.game.slug,
            faction_id=faction_id,
            version=version.short_hash,
        ),
    }


def serialize_additions(additions: Iterable[Addition]) -> list[Json]:
    return [
        {
            "detachment": one.force_id,
            "unit": one.entry_id,
            "name": one.name,
            "points": format_number(one.points),
            "needed": one.needed,
            "answer": one.answer.value,
        }
        for one in additions
    ]


def format_additions(additions: Iterable[Json]) -> Iterator[str]:
    words = {
        "no": _("leaves no legal list"),
        "unknown": _("not known"),
        "unfinished": _("looking ahead is not finished"),
        "yes": "",
    }
    for one in additions:
        remarks = filter(None, (_("needed") if one["needed"] else "", words[one["answer"]]))
        yield f"{one['points']:>6}  {' · '.join((one['name'], *remarks))}"


def serialize_allied_faction(faction: AlliedFaction) -> Json:
    forces = [
        {
            "detachment": force.entry_id,
            "name": force.name,
            "costs": [serialize_cost(cost) for cost in force.costs],
            "free": force.blocked is None,
            "reason": explain_block(force.blocked) if force.blocked else "",
        }
        for force in faction.forces
    ]
    return {"catalogue": faction.catalogue_id, "name": faction.name, "detachments": forces}
