"""The catalogue for other programs, with the same verbs as the pages."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView

from catalogue.api import serializers
from catalogue.api.pages import Pages
from catalogue.api.problems import FieldProblemSerializer
from catalogue.models import Card, DeckRule, Faction, GameSystem, OrganisationChart, UnitEntry
from catalogue.services.published_games import add_detachments, select_factions, select_games, select_units
from catalogue.services.search import count_types, find_cards, find_units
from catalogue.services.unit_card import UnitCard
from catalogue.services.unit_card_builder import build_unit_card


def describe_path_parameter(name: str, what: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, OpenApiParameter.PATH, description=what)


GAME = describe_path_parameter("game", "The id of a game.")
FACTION = describe_path_parameter("faction", "The id of a faction.")
BAD_QUERY = OpenApiResponse(FieldProblemSerializer, "`errors` says what is wrong with each parameter.")
UNIT = describe_path_parameter("unit", "The id of a unit.")


@extend_schema(
    summary="The installed games",
    tags=["catalogue"],
    responses={200: serializers.GameSerializer(many=True), 400: BAD_QUERY},
)
class Games(ListAPIView[GameSystem]):
    serializer_class = serializers.GameSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[GameSystem]:
        return select_games()


@extend_schema(summary="A game: factions, how armies are organised, missions", tags=["catalogue"], parameters=[GAME])
class OneGame(RetrieveAPIView[GameSystem]):
    serializer_class = serializers.GameDetailSerializer

    def get_object(self) -> GameSystem:
        charts = Prefetch("current__charts", add_detachments(OrganisationChart.objects.all()))
        games = select_games().prefetch_related("current__factions", "current__missions", charts)
        return get_object_or_404(games, slug=self.kwargs["game"])


@extend_schema(
    summary="The factions of a game",
    tags=["catalogue"],
    parameters=[GAME],
    responses={200: serializers.FactionSerializer(many=True), 400: BAD_QUERY},
)
class Factions(ListAPIView[Faction]):
    serializer_class = serializers.FactionSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Faction]:
        game = get_object_or_404(select_games(), slug=self.kwargs["game"])
        return game.shown_version.factions.all()


@extend_schema(
    summary="The units of a faction",
    tags=["catalogue"],
    parameters=[GAME, FACTION, serializers.UnitQuery],
    responses={200: serializers.UnitSerializer(many=True), 400: BAD_QUERY},
)
class Units(ListAPIView[UnitEntry]):
    serializer_class = serializers.UnitSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[UnitEntry]:
        faction = get_object_or_404(select_factions(self.kwargs["game"]), slug=self.kwargs["faction"])
        query = serializers.UnitQuery(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        criteria: dict[str, Any] = query.validated_data
        if "type" in criteria:
            refuse_unknown_type(faction, criteria["type"])
        return find_units([faction], criteria["q"], criteria.get("type"), criteria["sort"])


@extend_schema(
    summary="The cards that decks of a faction may hold",
    tags=["catalogue"],
    parameters=[GAME, FACTION, serializers.CardQuery],
    responses={200: serializers.CardSerializer(many=True), 400: BAD_QUERY},
)
class Cards(ListAPIView[Card]):
    serializer_class = serializers.CardSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Card]:
        faction = get_object_or_404(select_factions(self.kwargs["game"]), slug=self.kwargs["faction"])
        query = serializers.CardQuery(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        criteria: dict[str, Any] = query.validated_data
        return find_cards([faction], criteria["q"], criteria["deck"])


@extend_schema(
    summary="The rules for decks of a faction",
    tags=["catalogue"],
    parameters=[GAME, FACTION],
    responses={200: serializers.DeckRuleSerializer(many=True), 400: BAD_QUERY},
)
class DeckRules(ListAPIView[DeckRule]):
    serializer_class = serializers.DeckRuleSerializer
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[DeckRule]:
        faction = get_object_or_404(select_factions(self.kwargs["game"]), slug=self.kwargs["faction"])
        return faction.deck_rules.all()


def refuse_unknown_type(faction: Faction, category_id: str) -> None:
    type_ids = [kind.id for kind in count_types(faction)]
    if category_id not in type_ids:
        message = _("No unit has the type “%(type)s”. Types here: %(known)s.")
        raise ValidationError({"type": [message % {"type": category_id, "known": ", ".join(type_ids)}]})


@extend_schema(
    summary="A unit: profiles, abilities, options",
    tags=["catalogue"],
    parameters=[GAME, FACTION, UNIT],
    responses=serializers.UnitDetailSerializer,
)
class Unit(RetrieveAPIView[UnitEntry]):
    serializer_class = serializers.UnitDetailSerializer

    def get_object(self) -> UnitCard:  # type: ignore[override] # the card holds the row
        units = select_units(self.kwargs["game"], self.kwargs["faction"])
        card = build_unit_card(get_object_or_404(units, slug=self.kwargs["unit"]))
        if card is None:
            raise Http404
        return card
