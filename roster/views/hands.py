"""Hands of objectives: those of the visitor, one of them to play with."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from catalogue.definitions.missions import BattleSize, Objective, ObjectiveGroup, Stratagem
from catalogue.services.play import Play, play_of
from catalogue.services.shelf import shown_games
from catalogue.views.methods import allow
from roster import wording
from roster.engine import hand as engine
from roster.engine.hand import Drawn, Hand, Rules
from roster.models import ObjectiveHand
from roster.services import hands as verbs
from roster.services.outcomes import Conflict, Refused
from roster.services.owners import identify_visitor, make_owner
from roster.views.answers import see_other
from roster.views.builder import BAD_FORM, REFUSED
from roster.views.numbers import whole_number

CONFLICT = 409


@dataclass(frozen=True, slots=True)
class Card:
    """An objective in the hand, as the page shows it. `others` may take its place where it cannot be achieved."""

    place: int
    drawn: Drawn
    objective: Objective
    group: ObjectiveGroup
    lines: list[tuple[str, str]]
    worth: int
    barred: bool
    up: Objective | None
    down: Objective | None
    one: Objective | None
    others: list[Objective]


@dataclass(frozen=True, slots=True)
class Row:
    """A hand in the list of them: its battle size, the round it is in, 0 before the first."""

    kept: ObjectiveHand
    size: BattleSize | None
    round: int

    @classmethod
    def of(cls, kept: ObjectiveHand) -> "Row":
        held = kept.hand
        return cls(kept, play_of(kept.version).sizes.get(held.size_id), len(held.rounds))


@allow("GET", "POST")
def hands(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _list(request)
    game = get_object_or_404(shown_games(), slug=request.POST.get("game", ""))
    form = request.POST
    made = verbs.open_hand(make_owner(request), game.shown, form.get("mission", ""), form.get("size", ""))
    if isinstance(made, Refused):
        return _list(request, wording.refusal(made), REFUSED)
    return see_other("roster:hand", made.public_id)


def _list(request: HttpRequest, wrong: str = "", status: int = 200) -> HttpResponse:
    context = {
        "page": "missions",
        "rows": [Row.of(kept) for kept in verbs.hands_of(identify_visitor(request))],
        "rounds": engine.ROUNDS,
        "wrong": wrong,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/hands.html", context, status=status)


@allow("GET", "POST")
def hand(request: HttpRequest, public_id: str) -> HttpResponse:
    try:
        kept = verbs.own_hand(public_id, identify_visitor(request))
    except ObjectiveHand.DoesNotExist:
        raise Http404 from None
    if request.method != "POST":
        return _page(request, kept)
    if request.POST.get("do") == "delete":
        kept.delete()
        messages.success(request, _("The hand is put away."))
        return see_other("roster:hands")
    done = _act(kept, request.POST)
    if isinstance(done, Conflict):
        changed = _("This hand was changed elsewhere, so nothing was done. This is the hand now.")
        return _page(request, kept, changed, CONFLICT)
    if isinstance(done, Refused):
        status = BAD_FORM if done.code == "bad-change" else REFUSED
        return _page(request, kept, wording.refusal(done), status)
    return see_other("roster:hand", public_id)


def _act(kept: ObjectiveHand, form: QueryDict) -> ObjectiveHand | Refused | Conflict:
    revision = whole_number(form.get("revision", ""))
    if revision is None:
        return Refused(code="bad-change")
    fields = {key: " ".join(str(value) for value in form.getlist(key)) for key in form}
    return verbs.act_on(kept, revision, form.get("do", ""), fields)


def _page(request: HttpRequest, kept: ObjectiveHand, wrong: str = "", status: int = 200) -> HttpResponse:
    play = play_of(kept.version)
    held = kept.hand
    rules = verbs.rules_of(play, held)
    context = {
        "page": "missions",
        "kept": kept,
        "game": kept.version.game,
        "play": play,
        "hand": held,
        "draw": rules.draw,
        "mission": play.missions[held.mission_id],
        "size": play.sizes.get(held.size_id),
        "round": len(held.rounds),
        "before": len(held.rounds) - 1,
        "rounds": engine.ROUNDS,
        "total": engine.total(rules, held),
        "lost": _lost(rules, held),
        "groups": [play.groups[group] for group in rules.objectives],
        "chosen": [play.groups[group] for group in held.groups],
        "given": request.POST.getlist("group") or held.groups,
        "secret": request.POST.get("secret", held.secret),
        "noted": play.groups.get(held.secret),
        "others": [play.groups[group] for group in rules.objectives if group not in held.groups],
        "letters": rules.draw.letters or range(1, rules.draw.choose + 1),
        "cards": [_card(play, rules, held, place) for place in range(len(held.now.drawn))],
        "keepable": [play.objectives[drawn.objective_id] for drawn in held.now.drawn if not drawn.scored],
        "stratagems": {act: (found, rules.cost(act)) for act, found in rules.stratagems.items()},
        "unused": [found.id for found in rules.stratagems.values() if _unused(held, found)],
        "past": _past(play, rules, held),
        "wrong": wrong,
    }
    return render(request, "roster/hand.html", context, status=status)


def _lost(rules: Rules, held: Hand) -> tuple[int, int]:
    """The points that go and the command points that come back with the round that was drawn last."""
    before = engine.take_back(rules, held)
    if isinstance(before, Refused):
        return 0, 0
    return engine.total(rules, held) - engine.total(rules, before), held.spent - before.spent


def _unused(held: Hand, stratagem: Stratagem) -> bool:
    """Whether a stratagem can be used now."""
    rounds = held.rounds if stratagem.limit == "battle" else held.rounds[-1:]
    return all(stratagem.id not in each.used for each in rounds)


def _card(play: Play, rules: Rules, held: Hand, place: int) -> Card:
    drawn = held.now.drawn[place]
    objective = play.objectives[drawn.objective_id]
    taken = held.now.seen

    def free(roll: int) -> Objective | None:
        found = rules.at(drawn.group_id, roll) if drawn.roll else None
        return found if found and found.id not in taken else None

    return Card(
        place=place,
        drawn=drawn,
        objective=objective,
        group=play.groups[drawn.group_id],
        lines=[(score.when, score.by_size.get(held.size_id, score.text)) for score in objective.scores],
        worth=engine.worth(rules, held, drawn),
        barred=drawn.named and rules.draw.named == engine.BARRED,
        up=free(drawn.roll + 1),
        down=free(drawn.roll - 1),
        one=free(1),
        others=[other for other in play.in_group(drawn.group_id) if other.id not in taken],
    )


def _past(play: Play, rules: Rules, held: Hand) -> list[tuple[int, list[tuple[Objective, int]], list[str]]]:
    """The rounds before this one, newest first: what was drawn with its points (0: not scored), what was used."""
    past = []
    for number, each in reversed(list(enumerate(held.rounds[:-1], 1))):
        scored = [
            (play.objectives[d.objective_id], engine.worth(rules, held, d) if d.scored else 0)
            for d in each.drawn
        ]
        past.append((number, scored, [play.stratagems[own].name for own in each.used]))
    return past
