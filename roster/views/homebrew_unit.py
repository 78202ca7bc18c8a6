"""A unit of one's own: a copy of another, as a form with its card beside it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalogue.definitions.identity import find_slot_emblem
from catalogue.graph.ids import SEPARATOR
from catalogue.models import Faction, GameSystem, PackVersion
from catalogue.services.published_games import select_readable_games
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.services.unit_card import UnitChoice
from catalogue.services.unit_card_builder import build_draft_card
from catalogue.views.decorators import allow
from catalogue.views.responses import CONFLICT, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.formats.homebrew.document import (
    NAMED_FIELDS,
    ChangedField,
    ChangedValue,
    CopiedUnit,
    Homebrew,
    HomebrewLine,
    read_homebrew,
    write_homebrew,
)
from roster.formats.list_text import NAME_LENGTH, NOTES_LENGTH, clean_text
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.services.homebrew import (
    RefusedLines,
    change_lines,
    create_set,
    find_newest,
    is_published,
    list_sets,
    list_unit_lines,
    merge_lines,
    publish_set,
    read_working,
)
from roster.services.homebrew_values import (
    NEEDED_PLACES,
    ChangeableValue,
    EditedUnit,
    FilledUnit,
    choose_unit_id,
    compile_unit,
    find_original,
    read_unit,
    write_unit_lines,
)
from roster.services.list_search import select_own_lists
from roster.services.outcomes import Conflict, Refused
from roster.services.owners import identify_visitor
from roster.views.datasheet import build_card_datasheet
from roster.views.homebrew import (
    BACK,
    LISTS_OFFERED,
    NEW,
    StaleRow,
    explain_unpublished,
    find_own_homebrew,
    find_unit,
    make_line_key,
    read_revision,
    switch_on,
)
from roster.views.new_list import start_list
from roster.wording.homebrew import describe_line, explain_refused_line

ROWS_ADDED = 20
"""The most keywords, abilities and options that one form adds."""
PREVIEW, PUBLISH, TRY = "preview", "publish", "try"


@allow("POST")
@login_required
def copy_unit(request: HttpRequest, game: str, faction: str, unit: str) -> HttpResponse:
    """Copy a unit into one of the user's sets, or a new set, and open its page."""
    user = cast("User", request.user)
    row = find_unit(game, faction, unit, user)
    system = row.faction.version.game
    name = clean_text(request.POST.get("name", ""))[:NAME_LENGTH] or row.name[:NAME_LENGTH]
    chosen = list_sets(user).filter(game=system, public_id=request.POST.get("set", "")).first()
    home_id, original_id = find_original(load_faction_ruleset(row.faction), row.faction.faction_id, row.entry_id)
    with transaction.atomic():
        homebrew_set = chosen or create_set(user, system, _name_rules(system))
        if isinstance(homebrew_set, Refused):
            messages.error(request, wording.explain_refusal(homebrew_set))
            return redirect_after_post("roster:homebrew")
        copied = CopiedUnit(
            catalogue=home_id, of=original_id, unit=choose_unit_id(read_working(homebrew_set), name), name=name
        )
        outcome = change_lines(homebrew_set, [copied])
        if outcome is not None:
            transaction.set_rollback(True)
    if isinstance(outcome, RefusedLines):
        messages.error(request, explain_refused_line(outcome.lines[0]))
        return redirect_after_post(row)
    if isinstance(outcome, Refused):
        messages.error(request, wording.explain_refusal(outcome))
        return redirect_after_post(row)
    return redirect_after_post("roster:homebrew-unit", homebrew_set.public_id, make_line_key(copied))


@allow("GET", "POST")
def edit_unit(request: HtmxRequest, public_id: str, key: str) -> HttpResponse:
    """Show a copied unit as a form with its card; a POST stores it, or shows each field's error.

    `do` publishes the unit or tries it in a list as well. With `do=preview`, a POST only shows the card, and htmx gets
    what is beside the form; `back` takes one value back to that of the original. A form for a deleted unit is
    kept, and stored as a new one with `do=new`.
    """
    homebrew_set = _find_set_or_draft(request, public_id)
    homebrew, version = read_working(homebrew_set), homebrew_set.game.shown_version
    unit = next((one for one in homebrew.units if make_line_key(one) == key), None)
    is_gone = unit is None
    if unit is None and (unit := _read_deleted_unit(request.POST, homebrew, key)):
        homebrew = merge_lines(homebrew, [unit])
    edited = read_unit(homebrew, version, unit.unit) if unit else None
    if edited is None:
        raise Http404
    act = request.POST.get("do", "")
    is_preview = act == PREVIEW or BACK in request.POST
    is_fragment = is_preview and bool(request.htmx)
    filled, draft, lines = None, homebrew, edited.lines
    wrong: dict[str, str] = {}
    stale: list[StaleRow] | None = None
    if request.method == "POST":
        filled, wrong = _read_unit_form(request, edited)
        if not wrong:
            lines = tuple(write_unit_lines(edited, filled))
            draft = merge_lines(homebrew, lines, edited.lines)
            outcome = None
            if is_gone and act == NEW:
                outcome = _store_new(homebrew_set, lines)
            elif not is_gone and not is_preview:
                outcome = change_lines(homebrew_set, lines, edited.lines, read_revision(request.POST))
            if isinstance(outcome, Conflict):
                stale = _compare_unit(lines, read_working(homebrew_set), edited.unit)
            # What equals the current state needs no question, but what else is published with it does.
            is_same = stale == [] and act not in (PUBLISH, TRY)
            if is_same or (outcome is None and not is_preview and (not is_gone or act == NEW)):
                return _go_on(request, homebrew_set, edited.unit, act)
            if isinstance(outcome, RefusedLines | Refused):
                wrong = _place_complaints(outcome, edited)
    compiled = compile_unit(draft, version, edited.unit)
    refused = {id(one.line): one for one in compiled.refused} if compiled else {}
    if is_preview and not wrong:
        unfit = tuple(refused[id(one)] for one in lines if id(one) in refused)
        wrong = _place_complaints(RefusedLines(draft, unfit), edited)
    faction = _find_faction(version, edited.unit)
    card = compiled and faction and build_draft_card(faction, compiled.ruleset, edited.unit.catalogue, compiled.root)
    newest = find_newest(homebrew_set) if homebrew_set.pk else None
    context = _describe_unit(edited, filled, wrong) | {
        "set": homebrew_set,
        "face": faction or homebrew_set.game,
        "key": key,
        "carried": {
            # What was not compared with the current state is still of the revision that it was read at.
            "revision": homebrew_set.revision if filled is None or stale is not None else read_revision(request.POST),
            "game": homebrew_set.game.slug,
            "unit": edited.unit.unit,
            "in": edited.unit.catalogue,
            "copied": edited.unit.of,
        }.items(),
        "newest": newest,
        "published": is_published(homebrew_set, newest),
        "next": newest.number + 1 if newest else 1,
        "lists": [] if is_gone or is_fragment else _list_lists(request, homebrew_set, faction),
        "is_gone": is_gone,
        "stale": None if stale is None else {"rows": stale, "form": "unit"},
        "card": card,
        "shown": build_card_datasheet(card) if card else None,
        "options": list_options(card.choices) if card else [],
        "emblem": card.unit.emblem if card else "",
        "differences": list_differences(edited, [line for line in lines if id(line) not in refused]),
        "longest": NAME_LENGTH,
        "longest_text": NOTES_LENGTH,
    }
    template = "roster/homebrew/beside_unit.html" if is_fragment else "roster/homebrew/unit.html"
    status = REFUSED if wrong else CONFLICT if is_gone or stale is not None else 200
    return render(request, template, context, status=200 if is_preview else status)


def _find_set_or_draft(request: HttpRequest, public_id: str) -> HomebrewSet:
    """Find a user's set; for a form typed for a deleted one, return a new set that is not stored yet."""
    try:
        return find_own_homebrew(request, public_id)
    except Http404:
        user = request.user
        game = isinstance(user, User) and select_readable_games(user.pk).filter(slug=request.POST.get("game")).first()
        if not game:
            raise
        title = _name_rules(game)
        working = write_homebrew(Homebrew(name=title, game=game.slug))
        return HomebrewSet(owner=cast("User", user), game=game, name=title, working=working)


def _name_rules(game: GameSystem) -> str:
    return (_("House rules for %(game)s") % {"game": game.heading})[:NAME_LENGTH]


def _read_deleted_unit(form: QueryDict, homebrew: Homebrew, key: str) -> CopiedUnit | None:
    """Read from its form which unit the deleted one was; None unless `key` names it."""
    unit_id, home_id, of = (form.get(name, "") for name in ("unit", "in", "copied"))
    name = clean_text(form.get("name", ""))[:NAME_LENGTH] or unit_id
    unit = CopiedUnit(catalogue=home_id, of=of, unit=unit_id, name=name)
    if make_line_key(unit) != key:
        return None
    # Stored house rules must be readable again.
    stored = read_homebrew(write_homebrew(Homebrew(name=homebrew.name, game=homebrew.game, units=(unit,))).encode())
    return unit if isinstance(stored, Homebrew) and [one.unit for one in stored.units] == [unit_id] else None


def _store_new(homebrew_set: HomebrewSet, lines: Collection[HomebrewLine]) -> RefusedLines | Refused | Conflict | None:
    """Store a deleted unit again, if need be in new house rules. Pressed twice, it stores them once."""
    owner = homebrew_set.owner
    if homebrew_set.pk or owner is None:
        return change_lines(homebrew_set, lines)
    wanted = write_homebrew(merge_lines(read_working(homebrew_set), lines))
    with transaction.atomic():
        # Two presses at once must not store it twice.
        User.objects.select_for_update().get(pk=owner.pk)
        stored = list_sets(owner).filter(game=homebrew_set.game, working=wanted).first()
        if stored:
            homebrew_set.pk, homebrew_set.public_id = stored.pk, stored.public_id
            return None
        created = create_set(owner, homebrew_set.game, homebrew_set.name)
        if isinstance(created, Refused):
            return created
        homebrew_set.pk, homebrew_set.public_id = created.pk, created.public_id
        outcome = change_lines(created, lines)
        if outcome is not None:
            transaction.set_rollback(True)
            homebrew_set.pk = None
    return outcome


def _compare_unit(mine: Iterable[HomebrewLine], now: Homebrew, unit: CopiedUnit) -> list[StaleRow]:
    """List what differs between a form and what is stored now."""

    def read_texts(lines: Iterable[HomebrewLine]) -> dict[object, tuple[str, str]]:
        texts: dict[object, tuple[str, str]] = {}
        for line in lines:
            if isinstance(line, ChangedValue):
                words = (describe_line(line).removeprefix(f"{line.name}: "), line.text, line.points)
                texts[line.subject] = (line.name, ", ".join(filter(None, words)))
            else:
                cited = ((_("Why"), line.why), (_("Source"), line.source), (_("Page"), line.cited_page))
                texts |= {label: (label, text) for label, text in ((_("Name"), line.name), *cited)}
        return texts

    stored = next((one for one in now.units if one.unit == unit.unit), None)
    mine_texts, now_texts = read_texts(mine), read_texts(list_unit_lines(now, stored) if stored else ())
    rows = []
    for subject in dict.fromkeys((*mine_texts, *now_texts)):
        label, here = mine_texts.get(subject, ("", ""))
        now_label, there = now_texts.get(subject, ("", ""))
        if here != there:
            rows.append(StaleRow(label or now_label, here, there))
    return rows


def _list_lists(request: HttpRequest, homebrew_set: HomebrewSet, faction: Faction | None) -> list[Roster]:
    """List the user's lists in which a unit can be tried, first those of its faction."""
    lists = select_own_lists(identify_visitor(request)).filter(version__game=homebrew_set.game_id)
    offered = list(lists.only("public_id", "name", "faction_id")[:LISTS_OFFERED])
    return sorted(offered, key=lambda roster: faction is None or roster.faction_id != faction.faction_id)


def _go_on(request: HttpRequest, homebrew_set: HomebrewSet, unit: CopiedUnit, act: str) -> HttpResponse:
    """After a unit was saved, publish its house rules, use them in a list, or show the unit again."""
    page = redirect_after_post("roster:homebrew-unit", homebrew_set.public_id, make_line_key(unit))
    roster = None
    if act == TRY and (public_id := request.POST.get("list", "")):
        roster = select_own_lists(identify_visitor(request)).filter(public_id=public_id).first()
        if roster is None or roster.version.game_id != homebrew_set.game_id:
            messages.error(request, _("You have no list at this address."))
            act = ""
    if act not in (PUBLISH, TRY):
        messages.success(request, _("Saved"))
        return page
    newest = find_newest(homebrew_set)
    is_new = newest is None or not is_published(homebrew_set, newest)
    version = publish_set(homebrew_set, homebrew_set.revision) if newest is None or is_new else newest
    if not isinstance(version, HomebrewVersion):
        messages.success(request, _("Saved"))
        messages.error(request, explain_unpublished(version))
        return redirect_after_post("roster:homebrew-set", homebrew_set.public_id)
    if is_new:
        messages.success(request, _("Version %(number)s is published.") % {"number": version.number})
    if act == PUBLISH:
        return page
    if roster is not None:
        return switch_on(request, roster, version)
    shown, faction = homebrew_set.game.shown_version, _find_faction(homebrew_set.game.shown_version, unit)
    wanted = {"version": shown, "faction": faction and faction.faction_id, "name": "", "size": None, "limit": None}
    started = start_list(wanted, lambda: identify_visitor(request))
    if isinstance(started, Refused):
        messages.error(request, wording.explain_refusal(started))
        return page
    return switch_on(request, started, version)


def _find_faction(version: PackVersion, unit: CopiedUnit) -> Faction | None:
    factions = Faction.objects.filter(version=version).select_related("version__game")
    # A library is no faction, but factions offer its units, perhaps by a link.
    offering = Q(units__entry_id=unit.of) | Q(units__entry_id__startswith=unit.of + SEPARATOR)
    return factions.filter(faction_id=unit.catalogue).first() or factions.filter(offering).first()


def _read_unit_form(request: HttpRequest, edited: EditedUnit) -> tuple[FilledUnit, dict[str, str]]:
    form = request.POST
    named = [value for value in edited.values if value.field in NAMED_FIELDS]
    ticked = set(form.getlist("kept"))
    back = form.get(BACK, "")

    def read_pairs(first: str, second: str) -> tuple[tuple[str, str], ...]:
        pairs = zip(form.getlist(first)[:ROWS_ADDED], form.getlist(second)[:ROWS_ADDED], strict=False)
        return tuple((clean_text(one), clean_text(other)) for one, other in pairs if clean_text(one))

    words = (clean_text(word) for text in form.getlist("keyword")[:ROWS_ADDED] for word in text.split(","))
    filled = FilledUnit(
        name=clean_text(form.get("name", "")),
        why=clean_text(form.get("why", "")),
        source=clean_text(form.get("source", "")),
        page=clean_text(form.get("page", "")),
        values={
            value.key: value.value if value.key == back else clean_text(form.get(f"v-{value.key}", value.value))
            for value in edited.values
        },
        removed=frozenset(value.key for value in named if value.key not in ticked),
        keywords=tuple(dict.fromkeys(word for word in words if word))[:ROWS_ADDED],
        abilities=read_pairs("ability", "text"),
        options=read_pairs("option", "points"),
        most="" if back == "most" else clean_text(form.get("most", "")),
        needs=_read_needs(form),
    )
    wrong = {}
    if not filled.name:
        wrong["name"] = _("Give the unit a name.")
    texts = {"name": filled.name, "why": filled.why, "source": filled.source, "page": filled.page, "most": filled.most}
    texts |= {f"v-{key}": text for key, text in filled.values.items()}
    for key, text in texts.items():
        if len(text) > NAME_LENGTH:
            wrong[key] = _("This is too long.")
    if any(len(part) > NAME_LENGTH for need in filled.needs for part in need):
        wrong["needs"] = _("This is too long.")
    pairs = [*filled.abilities, *filled.options, *((word, "") for word in filled.keywords)]
    if any(len(one) > NAME_LENGTH or len(other) > NOTES_LENGTH for one, other in pairs):
        wrong["added"] = _("This is too long.")
    return filled, wrong


def _read_needs(form: QueryDict) -> tuple[tuple[str, str, str], ...]:
    rows = zip(*(form.getlist(key)[:ROWS_ADDED] for key in ("needs", "needed", "place")), strict=False)
    needs = (tuple(map(clean_text, row)) for row in rows)
    # One row by unit and place: the last one counts.
    return tuple({(unit, place): (number or "1", unit, place) for number, unit, place in needs if unit}.values())


def _place_complaints(outcome: RefusedLines | Refused, edited: EditedUnit) -> dict[str, str]:
    if isinstance(outcome, Refused):
        return {"added": wording.explain_refusal(outcome)}
    keys = {value.write_line("").subject: f"v-{value.key}" for value in edited.values}
    wrong: dict[str, str] = {}
    for one in outcome.lines:
        field = "added"
        if isinstance(one.line, ChangedValue):
            is_limit = one.line.field in (ChangedField.MOST, ChangedField.NEEDS)
            field = one.line.field if is_limit else keys.get(one.line.subject, "added")
        wrong.setdefault(field, explain_refused_line(one))
    return wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitField:
    value: ChangeableValue
    now: str
    wrong: str
    is_kept: bool

    @property
    def is_changed(self) -> bool:
        return self.now != self.value.value


def _describe_unit(edited: EditedUnit, filled: FilledUnit | None, wrong: Mapping[str, str]) -> dict[str, Any]:
    fields: list[UnitField] = []
    for value in edited.values:
        line = edited.changes.get(value.key)
        now = filled.values[value.key] if filled else line.to if line else value.value
        is_kept = value.key not in filled.removed if filled else not (line and not line.to)
        fields.append(UnitField(value=value, now=now, wrong=wrong.get(f"v-{value.key}", ""), is_kept=is_kept))
    figures: dict[str, list[UnitField]] = {}
    for field in fields:
        if field.value.is_figure:
            figures.setdefault(field.value.thing, []).append(field)
    slot = next((field for field in fields if field.value.field is ChangedField.SLOT), None)
    slots = dict(edited.slots)
    if slot:
        slots.setdefault(slot.now, find_slot_emblem(slot.now))
    by_field = {field: [line for line in edited.added if line.field == field] for field in ChangedField}
    added = {
        "keywords": [line.to for line in by_field[ChangedField.KEYWORD]],
        "abilities": [(line.to, line.text) for line in by_field[ChangedField.ABILITY]],
        "options": [(line.to, line.points) for line in by_field[ChangedField.OPTION]],
        "most": next((line.to for line in by_field[ChangedField.MOST]), ""),
        "needs": [(line.to, line.id, line.column) for line in by_field[ChangedField.NEEDS]],
    }
    if filled:
        added = {
            "keywords": list(filled.keywords),
            "abilities": list(filled.abilities),
            "options": list(filled.options),
            "most": filled.most,
            "needs": list(filled.needs),
        }
    return {
        "unit": filled or edited.unit,
        "page": filled.page if filled else edited.unit.cited_page,
        "original": edited.original,
        "figures": list(figures.items()),
        "fixed_prices": edited.fixed_prices,
        "slot": slot,
        "slots": slots.items(),
        "others": edited.others.items(),
        "places": [(place, _(words)) for place, words in NEEDED_PLACES.items()],
        "keywords": [field for field in fields if field.value.field is ChangedField.KEYWORD],
        "abilities": [field for field in fields if field.value.field is ChangedField.ABILITY],
        "added": added,
        "wrong": wrong,
    }


def list_options(choices: Sequence[UnitChoice]) -> list[UnitChoice]:
    """Return what can be chosen. In packs, all of it is inside the one unit that a choice takes."""
    if len(choices) == 1 and choices[0].limits.min and not choices[0].is_group:
        choices = choices[0].choices
    return [choice for choice in choices if choice.is_group or not choice.limits.min]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDifference:
    """A figure, or all keywords, abilities or options, of which the copy lacks `was` and has `now` instead."""

    label: str
    was: tuple[str, ...]
    now: tuple[str, ...]


def list_differences(edited: EditedUnit, lines: Iterable[HomebrewLine]) -> list[UnitDifference]:
    """List how a copied unit differs from its original, in the order of the form."""
    values = {value.write_line("").subject: value for value in edited.values}
    uses = Counter(value.label for value in edited.values if value.is_figure)
    names = (edited.unit.name, edited.original)
    plain = {key for key, value in values.items() if uses[value.label] == 1 or value.thing in names}
    words = {ChangedField.KEYWORD: _("Keywords"), ChangedField.ABILITY: _("Weapons and abilities")}
    words |= {ChangedField.OPTION: _("Options"), ChangedField.SLOT: _("Slot")}
    words |= {ChangedField.MOST: _("At most in a list"), ChangedField.NEEDS: _("Needs")}
    grouped: dict[str, list[ChangedValue]] = {}
    for line in lines:
        if isinstance(line, ChangedValue):
            figure = values[line.subject].label if line.subject in plain else line.name
            label = words.get(ChangedField(line.field), figure)
            grouped.setdefault(capfirst(label), []).append(line)
    return [
        UnitDifference(
            label=label,
            was=tuple(line.was for line in changes if line.was),
            now=tuple(
                f"{line.to} {edited.others.get(line.id, line.id)}" if line.field == ChangedField.NEEDS else line.to
                for line in changes
                if line.to
            ),
        )
        for label, changes in grouped.items()
    ]
