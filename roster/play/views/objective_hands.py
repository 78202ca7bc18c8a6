from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from catalogue.definitions.missions import BattleSize
from catalogue.services.play import load_play
from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import CONFLICT, REFUSED, redirect_after_post
from roster import wording
from roster.play import objective_hand as engine
from roster.play.models import ObjectiveHand
from roster.play.services import objective_hands as verbs
from roster.play.views.forms import HandForm, NewHandForm
from roster.services.outcomes import Conflict, Refused
from roster.services.owners import identify_visitor, make_owner


@dataclass(frozen=True, slots=True)
class HandRow:
    stored: ObjectiveHand
    size: BattleSize | None
    round: int

    @classmethod
    def make_row(cls, stored: ObjectiveHand) -> "HandRow":
        held = stored.hand
        return cls(stored, load_play(stored.version).sizes.get(held.size_id), len(held.rounds))


@allow("GET", "POST")
def show_hands(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_hands(request)
    fields = NewHandForm(request.POST).read_fields()
    game = get_object_or_404(select_games(), slug=fields["game"])
    hand_or_refusal = verbs.open_hand(make_owner(request), game.shown_version, fields["mission"], fields["size"])
    if isinstance(hand_or_refusal, Refused):
        return _render_hands(request, wording.explain_refusal(hand_or_refusal), REFUSED)
    return redirect_after_post("play:hand", hand_or_refusal.public_id)


def _render_hands(request: HttpRequest, wrong: str = "", status: int = 200) -> HttpResponse:
    context = {
        "page": "missions",
        "rows": [HandRow.make_row(stored) for stored in verbs.list_hands(identify_visitor(request))],
        "rounds": engine.ROUNDS,
        "wrong": wrong,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "play/objective_hands.html", context, status=status)


@allow("GET", "POST")
def show_hand(request: HttpRequest, public_id: str) -> HttpResponse:
    try:
        stored = verbs.find_own_hand(public_id, identify_visitor(request))
    except ObjectiveHand.DoesNotExist:
        raise Http404 from None
    if request.method != "POST":
        return _render_hand(request, stored, HandForm())
    form = HandForm(request.POST)
    if not form.is_valid():
        return _render_hand(request, stored, form, form.complaint, form.status)
    fields = form.cleaned_data
    if fields["do"] == "delete":
        verbs.delete_hand(stored)
        messages.success(request, _("The objectives were deleted."))
        return redirect_after_post("play:hands")
    match verbs.act_on(stored, fields["revision"], fields["do"], fields):
        case Conflict():
            changed = _("These objectives were changed elsewhere, so nothing was done. This is how they are now.")
            return _render_hand(request, stored, form, changed, CONFLICT)
        case Refused() as refused:
            form.refuse(refused)
            return _render_hand(request, stored, form, form.complaint, form.status)
    return redirect_after_post("play:hand", stored.public_id)


def _render_hand(
    request: HttpRequest, stored: ObjectiveHand, form: HandForm, wrong: str = "", status: int = 200
) -> HttpResponse:
    play = load_play(stored.version)
    held = stored.hand
    rules = verbs.make_rules(play, held)
    total = engine.sum_points(rules, held)
    # Points that undoing the last round would take, and command points that it would give back.
    before = engine.take_round_back(rules, held)
    lost = (0, 0)
    if not isinstance(before, Refused):
        lost = (total - engine.sum_points(rules, before), held.spent - before.spent)
    context = {
        "page": "missions",
        "stored": stored,
        "game": stored.version.game,
        "play": play,
        "hand": held,
        "draw": rules.draw,
        "mission": play.missions[held.mission_id],
        "size": play.sizes.get(held.size_id),
        "round": len(held.rounds),
        "before": len(held.rounds) - 1,
        "rounds": engine.ROUNDS,
        "total": total,
        "lost": lost,
        "groups": [play.groups[group] for group in rules.objectives],
        "chosen": [play.groups[group] for group in held.groups],
        "others": [play.groups[group] for group in rules.objectives if group not in held.groups],
        "noted": play.groups.get(held.secret),
        # Keep the input of a refused form.
        "given": form["group"].value() or held.groups,
        "secret": form.data.get("secret", held.secret),
        "letters": rules.draw.letters or range(1, rules.draw.choose + 1),
        "cards": [verbs.build_card(play, rules, held, place) for place in range(len(held.now.drawn))],
        "keepable": [play.objectives[drawn.objective_id] for drawn in held.now.drawn if not drawn.scored],
        "stratagems": {act: (stratagem, rules.get_cost(act)) for act, stratagem in rules.stratagems.items()},
        "unused": verbs.list_unused(rules, held),
        "past": verbs.list_past_rounds(play, rules, held),
        "wrong": wrong,
    }
    return render(request, "play/objective_hand.html", context, status=status)
