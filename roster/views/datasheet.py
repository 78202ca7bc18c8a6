"""The datasheet of a unit: figures, weapons and abilities, whether it is in a list or only looked at."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from catalogue.definitions.groups import group_by
from catalogue.definitions.queries import KNOWN, LIMIT, Guard
from catalogue.models import UnitEntry
from catalogue.services.datasheet_tables import DatasheetRow, DatasheetTable, move_texts_below, read_card_table
from catalogue.services.unit_card import UnitCard, UnitRestriction
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page
from roster.engine.report import EffectiveProfile, EffectiveRule, EffectiveSelection
from roster.engine.tree import copy_with
from roster.services.board import build_board
from roster.services.board.shapes import Board, UnitOffer
from roster.services.evaluation import lend_evaluation
from roster.services.faces import load_faction
from roster.services.outlooks import build_dead_end
from roster.views.requests import find_own_roster

LONGEST_ID = 400

MOST_STATS = 14
MOST_STAT_ROWS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetAbility:
    """A rule, or a profile that is nothing but text."""

    name: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSheet:
    """What a unit can do. `stats` are its own figures, as a band; None where the data has none that fit one."""

    stats: DatasheetTable | None
    tables: tuple[DatasheetTable, ...]
    abilities: tuple[DatasheetAbility, ...]

    @property
    def has_sources(self) -> bool:
        """Whether options bring some of it."""
        by_row = any(row.source for table in self.tables for row in table.rows)
        return by_row or any(ability.source for ability in self.abilities)


def build_selection_datasheet(unit: EffectiveSelection) -> SideSheet:
    """Build the datasheet of a unit with everything it has now: equal profiles and rules once."""
    parts = list(unit.walk())
    profiles = dict.fromkeys(profile for part in parts for profile in part.profiles if _has_figures(profile))
    return _arrange(_group_profiles(profiles), _list_abilities(parts))


def _list_abilities(parts: Iterable[EffectiveSelection]) -> Iterator[DatasheetAbility]:
    rules = {(rule.name, rule.parameter): rule for part in parts for rule in part.rules}
    return (DatasheetAbility(name=_name_rule(rule), text=rule.description) for rule in rules.values())


def build_card_datasheet(card: UnitCard) -> SideSheet:
    """Build the datasheet of a unit that is only looked at, with what its options bring."""
    abilities = (
        DatasheetAbility(
            name=f"{ability.name} ({ability.parameter})" if ability.parameter else ability.name,
            text=ability.text,
            source=ability.source,
        )
        for ability in card.abilities
    )
    return _arrange(map(read_card_table, card.tables), abilities)


def _has_figures(profile: EffectiveProfile) -> bool:
    return any(figure.value for figure in profile.characteristics)


def _name_rule(rule: EffectiveRule) -> str:
    return f"{rule.name} ({rule.parameter})" if rule.parameter else rule.name


def _group_profiles(profiles: Iterable[EffectiveProfile]) -> Iterator[DatasheetTable]:
    for group in group_by(profiles, lambda profile: profile.type_id).values():
        columns = tuple(figure.name for figure in group[0].characteristics)
        rows = tuple(dict.fromkeys(map(_build_row, group)))
        yield move_texts_below(DatasheetTable(name=group[0].type_name, columns=columns, rows=rows))


def _build_row(profile: EffectiveProfile) -> DatasheetRow:
    figures = tuple((figure.name, figure.value) for figure in profile.characteristics)
    return DatasheetRow(name=profile.name, figures=figures)


def _arrange(tables: Iterable[DatasheetTable], abilities: Iterable[DatasheetAbility]) -> SideSheet:
    """Take the first table as the unit's own figures where it fits a band; tables of texts are abilities."""
    figures: list[DatasheetTable] = []
    texts: list[DatasheetAbility] = []
    for table in tables:
        if table.columns:
            figures.append(table)
        else:
            texts += map(_read_ability, table.rows)
    has_stats = bool(figures) and _fits_band(figures[0])
    return SideSheet(stats=figures.pop(0) if has_stats else None, tables=tuple(figures), abilities=(*texts, *abilities))


def _read_ability(row: DatasheetRow) -> DatasheetAbility:
    return DatasheetAbility(name=row.name, text=" ".join(text for _, text in row.texts), source=row.source)


def _fits_band(table: DatasheetTable) -> bool:
    has_texts = any(row.texts for row in table.rows)
    return not has_texts and len(table.columns) <= MOST_STATS and len(table.rows) <= MOST_STAT_ROWS


@allow("GET")
def show_datasheet(request: HtmxRequest, public_id: str, unit: str) -> HttpResponse:
    """Show a unit before it is taken: as a sheet beside the list, or as a page of its own."""
    roster = find_own_roster(request, public_id)
    units = UnitEntry.objects.select_related("faction__version")
    faction = {"faction__version_id": roster.version_id, "faction__faction_id": roster.faction_id}
    row = get_object_or_404(units, slug=unit, **faction)
    card = build_unit_card(row)
    if card is None:
        raise Http404
    with lend_evaluation(roster) as judged:
        board = build_board(roster, judged, into=read_query(request, "into", LONGEST_ID))
        faces = load_faction(roster.version_id, roster.faction_id)
        address = reverse("roster:builder", args=[public_id])
        restrictions = [one for one in card.restrictions if _holds_at_size(one, board)]
        context = {
            "roster": roster,
            "unit": row,
            "card": card,
            "restrictions": restrictions,
            "allowed": _count_allowed(card, restrictions),
            "shown": build_card_datasheet(card),
            "face": faces.find_face(row.entry_id, row.category),
            "faces": faces,
            "offer": _find_offer(board, row.entry_id, is_grey=request.GET.get("dead") == "1"),
            "into": board.into,
            "books": board.books,
            "back": f"{address}?{urlencode({'into': board.into})}#picks",
            "edit_address": reverse("roster:edits", args=[public_id]),
        }
        return render_page(request, "roster/builder/sheet.html", context, "sheet")


def _holds_at_size(restriction: UnitRestriction, board: Board) -> bool:
    """Return whether a rule may bind in a list of this size; what hangs on anything else may come to bind."""
    evaluation = board.judged.evaluation
    return not _asks_for_limits(restriction.when) or evaluation.conditions.is_satisfied(
        restriction.when, evaluation.roster
    )


def _asks_for_limits(guard: Guard) -> bool:
    """Return whether a guard asks for limits of the list and nothing else."""
    by_limit = all(condition.query.field.startswith(LIMIT + KNOWN) for condition in guard.conditions)
    return by_limit and all(map(_asks_for_limits, guard.guards))


def _count_allowed(card: UnitCard, restrictions: Iterable[UnitRestriction]) -> int | None:
    """Return how many of a unit the list may have by the rules about the unit; None where no number can be named."""
    plain = None if card.limits.conditional else card.limits.max
    mosts = [one.most for one in restrictions if _asks_for_limits(one.when)]
    return min((most for most in (plain, *mosts) if most is not None), default=None)


def _find_offer(board: Board, entry_id: str, *, is_grey: bool) -> UnitOffer | None:
    """Return how a unit is offered in a list; where the line that leads here is grey, the solver is not asked again."""
    offers = chain.from_iterable(group.units for group in board.offered)
    offer = next((offer for offer in offers if offer.entry_id == entry_id), None)
    return copy_with(offer, blocked=build_dead_end(board.judged)) if offer and is_grey else offer
