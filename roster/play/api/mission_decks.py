"""Mission decks through the API, with the services of their pages."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from msgspec import Meta
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from catalogue.api.pages import MOST_ROWS, PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from catalogue.models import PackVersion
from catalogue.services.published_games import select_games
from catalogue.services.releases import filter_published
from roster.api.bodies import read_body
from roster.api.lists import WRITING, answer_refusal, require_account
from roster.api.views import NO_INDEX, READING, VanishingView
from roster.formats.list_text import clean_text
from roster.models.ownership import Visibility
from roster.play.api.views import REFUSED
from roster.play.models import MOST_COPIES, MissionDeck, MissionDraw
from roster.play.models.hands_and_decks import ID_LENGTH
from roster.play.services import mission_decks as verbs
from roster.play.services.mission_decks import MOST_MISSIONS, ShownDraw
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.sharing import set_visibility

NOT_YOURS = OpenApiResponse(ProblemSerializer, "You have no such mission deck.")
NOT_SHARED = OpenApiResponse(ProblemSerializer, "There is no mission deck at this link that you may read.")
MOST_CARDS = MOST_MISSIONS * MOST_COPIES
"""A row for each card of the largest deck."""
GameId = Annotated[str, Meta(pattern=r"^[-\w]{1,200}\Z")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,64}\Z")]


LARGEST = 1_000
"""A number of copies beyond which no sentence needs to be exact."""


class SentMission(msgspec.Struct, forbid_unknown_fields=True):
    game: GameId
    mission: str
    version: Hash = ""
    copies: Annotated[int, Meta(ge=0, le=LARGEST)] = 1


SentMissions = Annotated[tuple[SentMission, ...], Meta(max_length=MOST_CARDS)]


class SentNewDeck(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    missions: SentMissions = ()
    visibility: Visibility = Visibility.LINK


class SentDeck(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    missions: SentMissions
    visibility: Visibility | None = None


class SentDraw(msgspec.Struct, forbid_unknown_fields=True):
    pack: str = ""
    game: str = ""
    version: str = ""


class DeckMissionSerializer(serializers.Serializer[Any]):
    """A mission of a data version."""

    game = serializers.CharField(source="version.game.slug", help_text="The id of the game system.")
    version = serializers.CharField(source="version.content_hash", help_text="The hash of the version of its data.")
    mission = serializers.CharField(source="mission.id")
    name = serializers.CharField(source="mission.name")
    pack = serializers.CharField(source="mission.pack", help_text="The name of its mission pack; blank for none.")
    copies = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Copies that have not been drawn since the last shuffle.")


class RolledPackSerializer(serializers.Serializer[Any]):
    """A mission pack whose die chooses between missions in the deck."""

    game = serializers.CharField()
    version = serializers.CharField()
    pack = serializers.CharField(help_text="Its id.")
    name = serializers.CharField()
    die = serializers.IntegerField(help_text="The sides of its die.")


class PublicDeckSerializer(serializers.Serializer[Any]):
    """A mission deck as its readers find it."""

    link = serializers.CharField(source="link_id", help_text="What readers need for `decks/by-link/`.")
    name = serializers.CharField()
    cards = serializers.IntegerField()
    updated = serializers.DateTimeField()


class DeckSerializer(PublicDeckSerializer):
    """One of your mission decks."""

    id = serializers.CharField(source="public_id")
    visibility = serializers.ChoiceField(Visibility.choices)


class LinkedDeckSerializer(PublicDeckSerializer):
    """A mission deck with its missions, in the order of the books."""

    missions = DeckMissionSerializer(many=True)


class WholeDeckSerializer(DeckSerializer):
    """One of your mission decks with its missions, in the order of the books."""

    missions = DeckMissionSerializer(many=True)
    packs = RolledPackSerializer(many=True)


class SentMissionSerializer(serializers.Serializer[Any]):
    """Copies of a mission. If several rows name it, their copies are added."""

    game = serializers.CharField(help_text="The id of the game system.")
    mission = serializers.CharField(help_text="The id of a mission of the game.")
    version = serializers.CharField(required=False, help_text="The hash of a published version; else the current one.")
    copies = serializers.IntegerField(required=False, min_value=0, help_text=f"At most {MOST_COPIES}; else 1.")


class SentDeckSerializer(serializers.Serializer[Any]):
    """Everything in a deck."""

    name = serializers.CharField()
    missions = SentMissionSerializer(many=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False, help_text="Else it stays as it is.")


class SentNewDeckSerializer(SentDeckSerializer):
    """A new deck."""

    missions = SentMissionSerializer(many=True, required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False, help_text="Who may see it; else by link.")


class RefusedDeckSerializer(ProblemSerializer):
    """Why a deck was not stored."""

    mission = serializers.CharField(help_text="The id of the mission that it is about; blank for none.")


class SentDrawSerializer(serializers.Serializer[Any]):
    """How to draw: without `pack` a card at random, else by the die of a mission pack."""

    pack = serializers.CharField(required=False, help_text="The id of one of the deck's `packs`.")
    game = serializers.CharField(required=False, help_text="Its game; needed if there is a `pack`.")
    version = serializers.CharField(required=False, help_text="Its version; else the newest in the deck.")


class MissionDrawSerializer(serializers.Serializer[Any]):
    """A drawn mission."""

    number = serializers.IntegerField(source="draw.number")
    game = serializers.CharField(source="version.game.slug")
    version = serializers.CharField(source="version.content_hash")
    mission = serializers.CharField(source="draw.mission_id")
    name = serializers.CharField(source="mission.name", default="", help_text="Blank if the data has lost it.")
    map = serializers.CharField(source="draw.map_id", help_text="The deployment map drawn with it; blank for none.")
    map_name = serializers.CharField(source="map.name", default="")
    rolled = serializers.CharField(source="draw.rolled", help_text="The dice, such as `D6: 5, 3`; blank at random.")
    drawn = serializers.DateTimeField(source="draw.created")


REFUSED_DECK = OpenApiResponse(RefusedDeckSerializer, "It cannot be stored; `code` says why. Nothing was changed.")


class MissionDeckView(VanishingView):
    scopes: ClassVar = WRITING
    gone = (MissionDeck.DoesNotExist,)


class DecksView(MissionDeckView):
    """Your mission decks, most recently changed first. A POST makes one."""

    @extend_schema(
        operation_id="decks_list",
        summary="Your mission decks",
        parameters=PAGED,
        responses={200: DeckSerializer(many=True), 400: FieldProblemSerializer},
        tags=["decks"],
    )
    def get(self, request: Request) -> Response:
        def serialize(page: list[MissionDeck]) -> list[Any]:
            return list(DeckSerializer(page, many=True).data)

        decks = verbs.list_decks(require_account(request)).annotate(cards=Sum("missions__copies", default=0))
        return answer_page(request, decks, serialize, lambda deck: deck.pk, headers=NO_INDEX)

    @extend_schema(
        operation_id="deck_create",
        summary="Make a mission deck",
        request=SentNewDeckSerializer,
        responses={201: WholeDeckSerializer, 400: FieldProblemSerializer, 409: REFUSED_DECK},
        tags=["decks"],
    )
    def post(self, request: Request) -> Response:
        owner = require_account(request)
        sent = read_body(request, SentNewDeck)
        deck = verbs.create_deck(owner, sent.name or _("Mission deck"), count_copies(sent.missions))
        if isinstance(deck, Refused):
            return _refuse_deck(deck)
        set_visibility(deck, sent.visibility)
        return _answer_deck(deck, 201)


class PublicDecksView(MissionDeckView):
    """The public mission decks, most recently changed first."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="decks_public_list",
        summary="Public mission decks",
        parameters=PAGED,
        responses={200: PublicDeckSerializer(many=True), 400: FieldProblemSerializer},
        tags=["decks"],
    )
    def get(self, request: Request) -> Response:
        def serialize(page: list[MissionDeck]) -> list[Any]:
            return list(PublicDeckSerializer(page, many=True).data)

        decks = verbs.list_public_decks()
        return answer_page(request, decks, serialize, lambda deck: deck.pk, most=MOST_ROWS, headers=NO_INDEX)


class OneDeckView(MissionDeckView):
    """One of your mission decks. A PUT replaces its name and all its missions."""

    @extend_schema(
        operation_id="deck_retrieve",
        summary="One of your mission decks",
        responses={200: WholeDeckSerializer, 404: NOT_YOURS},
        tags=["decks"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return _answer_deck(find_own_deck(request, public_id))

    @extend_schema(
        operation_id="deck_replace",
        summary="Replace the name and the missions of a deck",
        request=SentDeckSerializer,
        responses={200: WholeDeckSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED_DECK},
        tags=["decks"],
    )
    def put(self, request: Request, public_id: str) -> Response:
        """Keep the draws. Copies that were drawn since the last shuffle stay drawn."""
        deck = find_own_deck(request, public_id)
        sent = read_body(request, SentDeck)
        refused = verbs.fill_deck(deck, sent.name, count_copies(sent.missions))
        if refused:
            return _refuse_deck(refused)
        if sent.visibility is not None:
            set_visibility(deck, sent.visibility)
        return _answer_deck(deck)

    @extend_schema(
        operation_id="deck_delete",
        summary="Delete a mission deck with its draws",
        responses={204: None, 404: NOT_YOURS},
        tags=["decks"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        verbs.delete_deck(find_own_deck(request, public_id))
        return Response(status=204)


class DrawsView(MissionDeckView):
    """What was drawn from one of your mission decks, newest first. A POST draws a mission."""

    @extend_schema(
        operation_id="deck_draws_list",
        summary="What was drawn from a mission deck",
        parameters=PAGED,
        responses={200: MissionDrawSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_YOURS},
        tags=["decks"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        return _answer_draws(request, find_own_deck(request, public_id))

    @extend_schema(
        operation_id="deck_draw",
        summary="Draw a mission, at random or by the book",
        request=SentDrawSerializer,
        responses={201: MissionDrawSerializer, 400: FieldProblemSerializer, 404: NOT_YOURS, 409: REFUSED},
        tags=["decks"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Keep a card drawn at random out until the deck is shuffled. Rolling by the book leaves the cards in it."""
        deck = find_own_deck(request, public_id)
        sent = read_body(request, SentDraw)
        drawn = verbs.draw_by_the_book(deck, *_find_pack(deck, sent)) if sent.pack else verbs.draw_at_random(deck)
        if isinstance(drawn, Refused):
            return answer_refusal(drawn)
        return Response(_serialize_draws([drawn])[0], 201, headers=NO_INDEX)


class ShuffleView(MissionDeckView):
    """Put all drawn cards back into one of your mission decks. The history of draws stays."""

    @extend_schema(
        operation_id="deck_shuffle",
        summary="Shuffle a mission deck",
        request=None,
        responses={200: WholeDeckSerializer, 404: NOT_YOURS},
        tags=["decks"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        deck = find_own_deck(request, public_id)
        verbs.shuffle_deck(deck)
        return _answer_deck(deck)


class LinkedDeckView(MissionDeckView):
    """A shared mission deck. Everyone with the link may read it."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="deck_linked_retrieve",
        summary="A mission deck by its link",
        responses={200: LinkedDeckSerializer, 404: NOT_SHARED},
        tags=["decks"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        deck = verbs.find_readable_deck(link_id, identify_visitor(request))
        lines = verbs.list_missions(deck)
        answer = {
            "link": deck.link_id,
            "name": deck.name,
            "cards": sum(line.copies for line in lines),
            "updated": deck.updated,
            "missions": DeckMissionSerializer(lines, many=True).data,
        }
        return Response(answer, headers=NO_INDEX)


class LinkedDrawsView(MissionDeckView):
    """What was drawn from a shared mission deck, newest first."""

    scopes: ClassVar = READING

    @extend_schema(
        operation_id="deck_linked_draws_list",
        summary="What was drawn from a mission deck, by its link",
        parameters=PAGED,
        responses={200: MissionDrawSerializer(many=True), 400: FieldProblemSerializer, 404: NOT_SHARED},
        tags=["decks"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        return _answer_draws(request, verbs.find_readable_deck(link_id, identify_visitor(request)))


class DeckCopyView(MissionDeckView):
    """Copy a shared mission deck to your decks."""

    @extend_schema(
        operation_id="deck_copy",
        summary="Copy a mission deck to your decks",
        request=None,
        responses={201: WholeDeckSerializer, 404: NOT_SHARED, 409: REFUSED},
        tags=["decks"],
    )
    def post(self, request: Request, link_id: str) -> Response:
        visitor = require_account(request)
        copy = verbs.copy_deck(verbs.find_readable_deck(link_id, visitor), visitor)
        return answer_refusal(copy) if isinstance(copy, Refused) else _answer_deck(copy, 201)


def find_own_deck(request: Request, public_id: str) -> MissionDeck:
    """Return one of the account's decks. Raises NotAuthenticated and MissionDeck.DoesNotExist."""
    return verbs.find_own_deck(public_id, require_account(request))


def count_copies(rows: Sequence[SentMission]) -> Counter[tuple[PackVersion, str]]:
    """Return the copies by version and mission id. Raises ValidationError for an unknown game or version."""
    games = select_games().filter(slug__in={row.game for row in rows})
    versions = {(game.slug, ""): game.shown_version for game in games}
    named = filter_published().filter(content_hash__in={row.version for row in rows}).select_related("game")
    versions |= {(version.game.slug, version.content_hash): version for version in named}
    copies: Counter[tuple[PackVersion, str]] = Counter()
    for row in rows:
        version = versions.get((row.game, row.version))
        if version is None and (row.game, "") not in versions:
            raise ValidationError({"missions": [_("There is no game “%(game)s” here.") % {"game": row.game}]})
        if version is None:
            detail = _("“%(game)s” has no published version “%(version)s” here.")
            raise ValidationError({"missions": [detail % {"game": row.game, "version": row.version}]})
        copies[version, row.mission] += row.copies
    return copies


def _refuse_deck(refused: Refused) -> Response:
    return answer_refusal(refused, mission=clean_text(refused.subject_id)[:ID_LENGTH])


def _find_pack(deck: MissionDeck, sent: SentDraw) -> tuple[int, str]:
    """Return the key of the newest version in the deck that has the pack, 0 for none, and the pack's id."""
    for version, pack in reversed(verbs.find_rollable_packs(verbs.list_missions(deck))):
        if (pack.id, version.game.slug) == (sent.pack, sent.game) and sent.version in ("", version.content_hash):
            return version.pk, pack.id
    return 0, sent.pack


def _answer_deck(deck: MissionDeck, status: int = 200) -> Response:
    lines = verbs.list_missions(deck)
    packs = [
        {
            "game": version.game.slug,
            "version": version.content_hash,
            "pack": pack.id,
            "name": pack.name,
            "die": pack.die,
        }
        for version, pack in verbs.find_rollable_packs(lines)
    ]
    answer = {
        "id": deck.public_id,
        "link": deck.link_id,
        "name": deck.name,
        "cards": sum(line.copies for line in lines),
        "visibility": deck.visibility,
        "updated": deck.updated,
        "missions": DeckMissionSerializer(lines, many=True).data,
        "packs": packs,
    }
    address = reverse("play_api:deck", args=[deck.public_id])
    return Response(answer, status, headers={**NO_INDEX, **({"Location": address} if status == 201 else {})})


def _answer_draws(request: Request, deck: MissionDeck) -> Response:
    draws = verbs.select_draws(deck)
    return answer_page(request, draws, _serialize_draws, lambda draw: draw.number, most=MOST_ROWS, headers=NO_INDEX)


def _serialize_draws(draws: list[MissionDraw]) -> list[Any]:
    shown: list[ShownDraw] = verbs.look_up_draws(draws)
    return list(MissionDrawSerializer(shown, many=True).data)
