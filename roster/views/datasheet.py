from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from catalogue.definitions.groups import group_by
from catalogue.definitions.queries import AGREED, KNOWN, LIMIT, Guard
from catalogue.models import UnitEntry
from catalogue.services.attack_odds import build_odds
from catalogue.services.datasheet_tables import DatasheetRow, DatasheetTable, move_texts_below, read_card_table
from catalogue.services.unit_card import UnitCard, UnitRestriction
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page
from roster.engine.report import EffectiveSelection
from roster.engine.tree import Force, copy_with, find_path
from roster.services.board import build_board
from roster.services.evaluation import lend_evaluation
from roster.services.faces import load_faction
from roster.services.homebrew_values import find_root
from roster.services.outlooks import build_dead_end
from roster.views.requests import find_own_roster

LONGEST_ID = 400

MOST_STATS = 14
MOST_STAT_ROWS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasheetAbility:
    """A rule, or a profile of text only."""

    name: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSheet:
    """`stats` are the unit's own figures, None if no table is narrow enough."""

    stats: DatasheetTable | None
    tables: tuple[DatasheetTable, ...]
    abilities: tuple[DatasheetAbility, ...]

    @property
    def has_sources(self) -> bool:
        by_row = any(row.source for table in self.tables for row in table.rows)
        return by_row or any(ability.source for ability in self.abilities)


def build_selection_datasheet(unit: EffectiveSelection) -> SideSheet:
    parts = list(unit.walk())
    profiles = [profile for part in parts for profile in part.profiles]
    with_figures = [profile for profile in profiles if any(figure.value for figure in profile.characteristics)]
    tables: list[DatasheetTable] = []
    for group in group_by(dict.fromkeys(with_figures), lambda profile: profile.type_id).values():
        columns = tuple(figure.name for figure in group[0].characteristics)
        rows = [
            DatasheetRow(
                name=profile.name, figures=tuple((figure.name, figure.value) for figure in profile.characteristics)
            )
            for profile in group
        ]
        table = DatasheetTable(name=group[0].type_name, columns=columns, rows=tuple(dict.fromkeys(rows)))
        tables.append(move_texts_below(table))

    rules = {(rule.name, rule.parameter): rule for part in parts for rule in part.rules}
    abilities = [
        DatasheetAbility(name=_append_parameter(rule.name, rule.parameter), text=rule.description)
        for rule in rules.values()
    ]
    return _arrange(tables, abilities)


def build_card_datasheet(card: UnitCard) -> SideSheet:
    abilities = (
        DatasheetAbility(
            name=_append_parameter(ability.name, ability.parameter), text=ability.text, source=ability.source
        )
        for ability in card.abilities
    )
    return _arrange(map(read_card_table, card.tables), abilities)


def _append_parameter(name: str, parameter: str) -> str:
    return f"{name} ({parameter})" if parameter else name


def _arrange(tables: Iterable[DatasheetTable], abilities: Iterable[DatasheetAbility]) -> SideSheet:
    """Use the first table as the unit's own figures if narrow enough; turn text tables into abilities."""
    figures: list[DatasheetTable] = []
    texts: list[DatasheetAbility] = []
    for table in tables:
        if table.columns:
            figures.append(table)
            continue
        for row in table.rows:
            text = " ".join(text for _, text in row.texts)
            texts.append(DatasheetAbility(name=row.name, text=text, source=row.source))

    stats = figures[0] if figures else None
    if stats and (
        any(row.texts for row in stats.rows) or len(stats.columns) > MOST_STATS or len(stats.rows) > MOST_STAT_ROWS
    ):
        stats = None
    rest = figures[1:] if stats else figures
    return SideSheet(stats=stats, tables=tuple(rest), abilities=(*texts, *abilities))


@allow("GET")
def show_datasheet(request: HtmxRequest, public_id: str, unit: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    into = read_query(request, "into", LONGEST_ID)
    force = next(reversed(find_path(roster.tree, into)), None)
    faction_id = force.catalogue_id if isinstance(force, Force) else roster.faction_id
    units = UnitEntry.objects.select_related("faction__version__game")
    faction = {"faction__version_id": roster.version_id, "faction__faction_id": faction_id}
    row = get_object_or_404(units, slug=unit, **faction)
    with lend_evaluation(roster) as evaluated_list:
        card = build_unit_card(row, evaluated_list.ruleset if evaluated_list.homebrew else None)
        if card is None:
            raise Http404
        option = find_root(evaluated_list.ruleset, faction_id, row.entry_id) if evaluated_list.homebrew else None
        if option and row.points is not None:
            # The row has the points of the data.
            row.points = Decimal(
                evaluated_list.ruleset.smallest.sum_costs(option.entry).get(evaluated_list.points_id, 0)
            )
        board = build_board(roster, evaluated_list, into=into)
        faces = load_faction(roster.version_id, faction_id)
        address = reverse("roster:builder", args=[public_id])
        evaluation = evaluated_list.evaluation
        restrictions = [
            restriction
            for restriction in card.restrictions
            if not _asks_for_limits(restriction.when)
            or evaluation.conditions.is_satisfied(restriction.when, evaluation.roster)
        ]
        offers = chain.from_iterable(group.units for group in board.offered)
        offer = next((offer for offer in offers if offer.entry_id == row.entry_id), None)
        # The line is grey: do not ask the solver again.
        if offer and request.GET.get("dead") == "1":
            offer = copy_with(offer, blocked=build_dead_end(board.evaluated_list))
        context = {
            "roster": roster,
            "unit": row,
            "card": card,
            "restrictions": restrictions,
            "allowed": _count_allowed(card, restrictions),
            "shown": build_card_datasheet(card),
            "odds": build_odds(card, {}),
            "face": faces.find_face(row.entry_id, row.category),
            "faces": faces,
            "offer": offer,
            "into": board.into,
            "books": board.books,
            "back": f"{address}?{urlencode({'into': board.into})}#picks",
            "edit_address": reverse("roster:edits", args=[public_id]),
        }
        return render_page(request, "roster/builder/sheet.html", context, "sheet")


def _asks_for_limits(guard: Guard) -> bool:
    # A condition may ask whether there is a limit at all.
    prefixes = (LIMIT + KNOWN, AGREED + KNOWN)
    by_limit = all(condition.query.field.startswith(prefixes) for condition in guard.conditions)
    return by_limit and all(map(_asks_for_limits, guard.guards))


def _count_allowed(card: UnitCard, restrictions: Iterable[UnitRestriction]) -> int | None:
    plain = None if card.limits.conditional else card.limits.max
    mosts = [restriction.most for restriction in restrictions if _asks_for_limits(restriction.when)]
    return min((most for most in (plain, *mosts) if most is not None), default=None)
