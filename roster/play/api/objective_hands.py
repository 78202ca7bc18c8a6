"""Sets of objectives through the API, with the services of their pages. Only their owner reads them."""

from typing import Annotated, Any, ClassVar

import msgspec
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from msgspec import Meta
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.services.play import load_play
from catalogue.services.public_answers import confirm_tag
from roster.api.bodies import read_body
from roster.api.lists import IF_MATCH, answer_refusal, find_named_game, read_if_match, require_account, require_if_match
from roster.api.views import NO_INDEX, VanishingView, tag_state
from roster.play import objective_hand as engine
from roster.play.api.mission_decks import GameId
from roster.play.api.views import PLAYING, REFUSED
from roster.play.models import ObjectiveHand
from roster.play.services import objective_hands as verbs
from roster.play.services.objective_hands import ACTS, HandCard
from roster.services.outcomes import Conflict, Refused

NOT_YOURS = OpenApiResponse(ProblemSerializer, "You have no such objectives.")


class SentHand(msgspec.Struct, forbid_unknown_fields=True):
    game: GameId
    mission: str
    size: str


class SentDeed(msgspec.Struct, forbid_unknown_fields=True):
    do: str
    categories: tuple[str, ...] = ()
    secret: str = ""
    extra: bool = False
    keep: tuple[str, ...] = ()
    place: Annotated[int, Meta(ge=0)] | None = None
    objective: str = ""
    old: str = ""
    new: str = ""


class SentHandSerializer(serializers.Serializer[Any]):
    """The battle that objectives are drawn for."""

    game = serializers.CharField(help_text="The id of the game system.")
    mission = serializers.CharField(help_text="The id of a mission that draws objectives.")
    size = serializers.CharField(help_text="The id of a size of battle.")


class SentDeedSerializer(serializers.Serializer[Any]):
    """What to do, as a button of the page."""

    do = serializers.ChoiceField(list(ACTS))
    categories = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="To `choose`: ids in the order of the letters."
    )
    secret = serializers.CharField(required=False, help_text="To `choose`: the category noted in secret.")
    extra = serializers.BooleanField(required=False, help_text="To `begin` a round: whether you draw the extra one.")
    keep = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="To `begin` a round: objectives of the last to keep."
    )
    place = serializers.IntegerField(
        required=False, min_value=0, help_text="The `place` of the objective, for all that is done to one."
    )
    objective = serializers.CharField(required=False, help_text="To `replace`: one of its `others`; else one is drawn.")
    old = serializers.CharField(required=False, help_text="To swap a `category`: the one to give up.")
    new = serializers.CharField(required=False, help_text="To swap a `category`: the one to take.")


class HandRowSerializer(serializers.Serializer[Any]):
    """One of your sets of objectives."""

    id = serializers.CharField()
    game = serializers.CharField(help_text="The id of the game system.")
    version = serializers.CharField(help_text="The hash of the version of its data.")
    mission = serializers.CharField()
    name = serializers.CharField(help_text="The name of the mission.")
    size = serializers.CharField()
    round = serializers.IntegerField(help_text="0 before the first.")
    revision = serializers.IntegerField(help_text="For `If-Match`.")
    updated = serializers.DateTimeField()


class CategorySerializer(serializers.Serializer[Any]):
    """A category of objectives."""

    id = serializers.CharField()
    name = serializers.CharField()


class ScoringSerializer(serializers.Serializer[Any]):
    when = serializers.CharField()
    text = serializers.CharField()


class ObjectiveSerializer(serializers.Serializer[Any]):
    """An objective of this round, and what can be done to it."""

    place = serializers.IntegerField(help_text="Deeds name it by its place, from 0.")
    id = serializers.CharField()
    name = serializers.CharField()
    category = serializers.CharField()
    letter = serializers.CharField(help_text="The letter of its category; blank for none.")
    roll = serializers.IntegerField(help_text="0 if it was not rolled.")
    scores = ScoringSerializer(many=True)
    worth = serializers.IntegerField(help_text="The points that it brings now.")
    scored = serializers.BooleanField()
    named = serializers.BooleanField(help_text="Whether the opponent has named it.")
    barred = serializers.BooleanField(help_text="Whether it cannot be scored, because it is named.")
    carried_over = serializers.BooleanField(help_text="Whether it is kept from the round before.")
    replaced = serializers.CharField(help_text="The objective that it replaces; blank for none.")
    up = serializers.CharField(help_text="The objective that `up` leads to; blank for none.")
    down = serializers.CharField(help_text="The objective that `down` leads to; blank for none.")
    one = serializers.CharField(help_text="The objective that `one` leads to; blank for none.")
    others = serializers.ListField(
        child=serializers.CharField(), help_text="Objectives of its category that are not drawn in this round."
    )


class HandStratagemSerializer(serializers.Serializer[Any]):
    """A stratagem that changes what is drawn."""

    id = serializers.CharField()
    name = serializers.CharField()
    cost = serializers.IntegerField()
    is_used = serializers.BooleanField(help_text="Whether its limit allows no more.")


class PastObjectiveSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    points = serializers.IntegerField()


class PastRoundSerializer(serializers.Serializer[Any]):
    """An earlier round."""

    round = serializers.IntegerField()
    objectives = PastObjectiveSerializer(many=True)
    used = serializers.ListField(child=serializers.CharField(), help_text="The names of its stratagems.")


class HandSerializer(HandRowSerializer):
    """One of your sets of objectives, with all that its page shows."""

    rounds = serializers.IntegerField(help_text="How many the battle has.")
    points = serializers.IntegerField()
    spent = serializers.IntegerField(help_text="Command points.")
    choose = serializers.IntegerField(help_text="How many categories to choose before the first round.")
    categories = CategorySerializer(many=True)
    chosen = serializers.ListField(child=serializers.CharField(), help_text="Ids of categories in order.")
    secret = serializers.CharField(help_text="The category noted in secret; blank for none.")
    objectives = ObjectiveSerializer(many=True)
    stratagems = HandStratagemSerializer(many=True)
    past = PastRoundSerializer(many=True, help_text="The rounds before, newest first.")


class StaleHandSerializer(ProblemSerializer):
    """A deed on objectives that have changed since."""

    made_on = serializers.IntegerField(help_text="The revision that the deed was done on.")
    revision = serializers.IntegerField(help_text="Their revision now.")
    current = HandSerializer()


STALE = OpenApiResponse(StaleHandSerializer, "They have changed since. The answer has the current state.")


class HandView(VanishingView):
    scopes: ClassVar = PLAYING
    gone = (ObjectiveHand.DoesNotExist,)


class HandsView(HandView):
    """Your sets of objectives, most recently changed first. A POST opens one for a mission."""

    @extend_schema(
        operation_id="hands_list",
        summary="Your sets of objectives",
        parameters=PAGED,
        responses={200: HandRowSerializer(many=True), 400: FieldProblemSerializer},
        tags=["hands"],
    )
    def get(self, request: Request) -> Response:
        def serialize(page: list[ObjectiveHand]) -> list[dict[str, Any]]:
            return [_describe_row(stored) for stored in page]

        rows = verbs.list_hands(require_account(request))
        return answer_page(request, rows, serialize, lambda stored: stored.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="hand_create",
        summary="Open a set of objectives for a mission",
        request=SentHandSerializer,
        responses={201: HandSerializer, 400: FieldProblemSerializer, 409: REFUSED},
        tags=["hands"],
    )
    def post(self, request: Request) -> Response:
        owner = require_account(request)
        sent = read_body(request, SentHand)
        stored = verbs.open_hand(owner, find_named_game(sent.game).shown_version, sent.mission, sent.size)
        return answer_refusal(stored) if isinstance(stored, Refused) else _answer_hand(request, stored, 201)


class OneHandView(HandView):
    """One of your sets of objectives."""

    @extend_schema(
        operation_id="hand_retrieve",
        summary="One of your sets of objectives",
        responses={200: HandSerializer, 404: NOT_YOURS},
        tags=["hands"],
    )
    def get(self, request: Request, public_id: str) -> HttpResponseBase:
        stored = find_own_hand(request, public_id)
        return confirm_tag(request, _tag_hand(request, stored)) or _answer_hand(request, stored)

    @extend_schema(
        operation_id="hand_delete",
        summary="Delete a set of objectives",
        parameters=[IF_MATCH],
        responses={204: None, 400: ProblemSerializer, 404: NOT_YOURS, 412: STALE},
        tags=["hands"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        stored = find_own_hand(request, public_id)
        made_on = read_if_match(request, stored.revision)
        if made_on is not None and made_on != stored.revision:
            return _answer_stale(request, stored, made_on)
        if not verbs.delete_hand(stored, made_on):
            return _answer_stale(request, find_own_hand(request, public_id), made_on or stored.revision)
        return Response(status=204)


class DeedsView(HandView):
    """Do what the buttons of the page do: choose categories, begin or take back a round, score, replace."""

    @extend_schema(
        operation_id="hand_do",
        summary="Draw, score or change objectives",
        parameters=[IF_MATCH],
        request=SentDeedSerializer,
        responses={
            200: HandSerializer,
            400: FieldProblemSerializer,
            404: NOT_YOURS,
            409: REFUSED,
            412: STALE,
            428: OpenApiResponse(ProblemSerializer, "`If-Match` is missing."),
        },
        tags=["hands"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        stored = find_own_hand(request, public_id)
        sent = read_body(request, SentDeed)
        if sent.do not in ACTS:
            raise ValidationError({"do": [_("Choose one of: %(names)s.") % {"names": ", ".join(ACTS)}]})
        made_on = require_if_match(request, stored.revision)
        if not isinstance(made_on, int):
            return made_on
        match verbs.act_on(stored, made_on, sent.do, _write_fields(sent)):
            case Conflict():
                return _answer_stale(request, find_own_hand(request, public_id), made_on)
            case Refused(code="bad-change"):
                # The sentence of this code is about a form.
                detail = _("These objectives do not allow that now. Read them again to see what you can do.")
                return ProblemResponse(409, detail, "bad-change", "refused")
            case Refused() as refused:
                return answer_refusal(refused)
        return _answer_hand(request, stored)


def find_own_hand(request: Request, public_id: str) -> ObjectiveHand:
    """Return one of the account's hands. Raises NotAuthenticated and ObjectiveHand.DoesNotExist."""
    return verbs.find_own_hand(public_id, require_account(request))


def _write_fields(sent: SentDeed) -> dict[str, str]:
    """Return the fields as the page's form sends them."""
    return {
        "group": " ".join(sent.categories),
        "secret": sent.secret,
        "extra": "on" if sent.extra else "",
        "keep": " ".join(sent.keep),
        "place": "" if sent.place is None else str(sent.place),
        "objective": sent.objective,
        "old": sent.old,
        "new": sent.new,
    }


def _tag_hand(request: Request, stored: ObjectiveHand) -> str:
    return tag_state(request, stored.revision, (stored.pk, stored.updated))


def _answer_hand(request: Request, stored: ObjectiveHand, status: int = 200) -> Response:
    address = reverse("play_api:hand", args=[stored.public_id])
    headers = {"ETag": _tag_hand(request, stored), **NO_INDEX, **({"Location": address} if status == 201 else {})}
    return Response(_describe_hand(stored), status, headers=headers)


def _answer_stale(request: Request, stored: ObjectiveHand, made_on: int) -> ProblemResponse:
    words = {"made": made_on, "head": stored.revision}
    return ProblemResponse(
        412,
        _(
            "These objectives have changed: you changed revision %(made)s, and they are at revision %(head)s. Nothing "
            "was done."
        )
        % words,
        headers={"ETag": _tag_hand(request, stored)},
        made_on=made_on,
        revision=stored.revision,
        current=_describe_hand(stored),
    )


def _describe_row(stored: ObjectiveHand) -> dict[str, Any]:
    held = stored.hand
    return {
        "id": stored.public_id,
        "game": stored.version.game.slug,
        "version": stored.version.content_hash,
        "mission": held.mission_id,
        "name": stored.name,
        "size": held.size_id,
        "round": len(held.rounds),
        "revision": stored.revision,
        "updated": stored.updated,
    }


def _describe_hand(stored: ObjectiveHand) -> dict[str, Any]:
    play, held = load_play(stored.version), stored.hand
    rules = verbs.make_rules(play, held)
    unused = verbs.list_unused(rules, held)
    cards = [verbs.build_card(play, rules, held, place) for place in range(len(held.now.drawn))]
    return _describe_row(stored) | {
        "rounds": engine.ROUNDS,
        "points": engine.sum_points(rules, held),
        "spent": held.spent,
        "choose": rules.draw.choose,
        "categories": [{"id": group, "name": play.groups[group].name} for group in rules.objectives],
        "chosen": held.groups,
        "secret": held.secret,
        "objectives": [_describe_card(card) for card in cards],
        "stratagems": [
            {
                "id": stratagem.id,
                "name": stratagem.name,
                "cost": rules.get_cost(act),
                "is_used": stratagem.id not in unused,
            }
            for act, stratagem in rules.stratagems.items()
        ],
        "past": [
            {
                "round": number,
                "objectives": [
                    {"id": objective.id, "name": objective.name, "points": points} for objective, points in scored
                ],
                "used": used,
            }
            for number, scored, used in verbs.list_past_rounds(play, rules, held)
        ],
    }


def _describe_card(card: HandCard) -> dict[str, Any]:
    drawn = card.drawn
    changes = {"up": card.up, "down": card.down, "one": card.one}
    return {
        "place": card.place,
        "id": drawn.objective_id,
        "name": card.objective.name,
        "category": drawn.group_id,
        "letter": drawn.letter,
        "roll": drawn.roll,
        "scores": [{"when": when, "text": text} for when, text in card.lines],
        "worth": card.worth,
        "scored": drawn.scored,
        "named": drawn.named,
        "barred": card.barred,
        "carried_over": drawn.carried_over,
        "replaced": drawn.replaced,
        **{act: objective.id if objective else "" for act, objective in changes.items()},
        "others": [objective.id for objective in card.others],
    }
