"""The catalogue as JSON. Numbers that must stay exact are strings."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.definitions.numbers import format_number, shorten_number
from catalogue.models import (
    Card,
    DeckRule,
    Detachment,
    Faction,
    GameSystem,
    Mission,
    Option,
    OrganisationChart,
    PackVersion,
    Slot,
    UnitEntry,
)
from catalogue.services.search import LONGEST_TEXT, SORTS
from catalogue.services.unit_card import UnitCard
from catalogue.services.unit_card_builder import list_options


class ExactField(serializers.DecimalField):
    """A number as a string without superfluous zeros; null if there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=None, decimal_places=None, read_only=True, **options)

    def to_representation(self, value: Any) -> str:
        return format_number(shorten_number(value))


class CitationSerializer(serializers.Serializer[Any]):
    """A citation; parts that the data does not give are blank."""

    book = serializers.CharField()
    section = serializers.CharField()
    page = serializers.CharField()


class VersionSerializer(serializers.ModelSerializer[PackVersion]):
    class Meta:
        model = PackVersion
        fields: tuple[str, ...] = ("label", "edition", "source", "content_hash", "points_id", "points_name", "created")


class GameSerializer(serializers.ModelSerializer[GameSystem]):
    id = serializers.SlugField(source="slug")
    version = VersionSerializer(source="shown_version")

    class Meta:
        model = GameSystem
        fields: tuple[str, ...] = (
            "id",
            "family",
            "name",
            "title",
            "edition",
            "publisher",
            "summary",
            "unofficial",
            "example",
            "version",
        )


class FactionSerializer(serializers.ModelSerializer[Faction]):
    id = serializers.SlugField(source="slug")

    class Meta:
        model = Faction
        fields = ("id", "faction_id", "name", "unit_count", "card_count", "book", "section", "page")


class SlotSerializer(serializers.ModelSerializer[Slot]):
    class Meta:
        model = Slot
        fields = ("category_id", "name", "min", "max", "conditional", "book", "section", "page")


class RuleSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()
    citation = CitationSerializer()


class DetachmentSerializer(serializers.ModelSerializer[Detachment]):
    parent_id = serializers.SerializerMethodField()
    slots = SlotSerializer(many=True)
    rules = RuleSerializer(many=True)

    class Meta:
        model = Detachment
        fields = ("force_id", "parent_id", "name", "min", "max", "slots", "rules", "book", "section", "page")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_parent_id(self, detachment: Detachment) -> str | None:
        return detachment.parent.force_id if detachment.parent else None


class ChartSerializer(serializers.ModelSerializer[OrganisationChart]):
    faction_id = serializers.CharField(source="faction.faction_id", default=None, allow_null=True)
    detachments = DetachmentSerializer(many=True)

    class Meta:
        model = OrganisationChart
        fields = ("chart_id", "name", "faction_id", "detachments")


class MissionSerializer(serializers.ModelSerializer[Mission]):
    class Meta:
        model = Mission
        fields = ("mission_id", "name", "pack", "scoring", "book", "section", "page")


class GameDetailSerializer(GameSerializer):
    factions = FactionSerializer(source="shown_version.factions", many=True)
    charts = ChartSerializer(source="shown_version.charts", many=True)
    missions = MissionSerializer(source="shown_version.missions", many=True)

    class Meta(GameSerializer.Meta):
        fields = (*GameSerializer.Meta.fields, "notice", "factions", "charts", "missions")


class UnitSerializer(serializers.ModelSerializer[UnitEntry]):
    """`points` and `costs` are for the smallest selection, as the data states them."""

    id = serializers.SlugField(source="slug")
    points = ExactField(allow_null=True)
    costs = serializers.DictField(child=serializers.CharField())
    keywords = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = UnitEntry
        fields = (
            "id",
            "entry_id",
            "name",
            "type",
            "category_id",
            "category",
            "points",
            "costs",
            "models_min",
            "models_max",
            "option_count",
            "keywords",
            "provisional",
            "book",
            "section",
            "page",
        )


class OptionSerializer(serializers.ModelSerializer[Option]):
    """Options in the order of the data. An option of depth n is inside the nearest option of depth n - 1 before it."""

    points = ExactField(allow_null=True)

    class Meta:
        model = Option
        fields = ("entry_id", "name", "group", "type", "points", "min", "max", "depth", "note")


class ProfileRowSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    count = serializers.CharField(help_text="How many there are, if the data says so.")
    values = serializers.ListField(child=serializers.CharField())
    source_option = serializers.CharField(source="source", help_text="The option that adds it, or blank.")
    citation = CitationSerializer()


class ProfileTableSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = ProfileRowSerializer(many=True)


class AbilitySerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    parameter = serializers.CharField()
    text = serializers.CharField()
    source_option = serializers.CharField(source="source", help_text="The option that adds it, or blank.")
    citation = CitationSerializer()


class RestrictionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    text = serializers.CharField()
    citation = CitationSerializer()


class AllowanceSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    min = serializers.IntegerField()
    max = serializers.IntegerField()


class UnitDetailSerializer(serializers.Serializer[Any]):
    """A unit's card."""

    unit = UnitSerializer()
    about = serializers.CharField()
    allowances = AllowanceSerializer(many=True)
    profiles = ProfileTableSerializer(source="tables", many=True)
    abilities = AbilitySerializer(many=True)
    options = serializers.SerializerMethodField()
    restrictions = RestrictionSerializer(many=True)

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, card: UnitCard) -> list[Any]:
        return list(OptionSerializer(list_options(card.unit), many=True).data)


class CardSerializer(serializers.ModelSerializer[Card]):
    """A card. A list must have one of the units in `needs`. `figures` are pairs of a column and its value."""

    id = serializers.SlugField(source="slug")
    needs = serializers.ListField(child=serializers.CharField())
    keywords = serializers.ListField(child=serializers.CharField())
    figures = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))

    class Meta:
        model = Card
        fields = (
            "id",
            "entry_id",
            "name",
            "deck_id",
            "deck",
            "copies",
            "needs",
            "keywords",
            "figures",
            "text",
            "written",
            "book",
            "section",
            "page",
        )


class DeckRuleSerializer(serializers.ModelSerializer[DeckRule]):
    class Meta:
        model = DeckRule
        fields = ("rule", "name", "text", "deck", "detachment", "min", "max", "book", "section", "page")


class CardQuery(serializers.Serializer[Any]):
    q = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Words that all occur on the card, or in the names of its deck and of the units it needs.",
    )
    deck = serializers.CharField(default="", allow_blank=True, help_text="The id of a deck, as in deck_id.")


class NamedChoiceField(serializers.ChoiceField):
    """A choice whose error names the choices."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError:
            names = ", ".join(map(str, self.choices))
            raise serializers.ValidationError(_("Choose one of: %(names)s.") % {"names": names}) from None


class UnitQuery(serializers.Serializer[Any]):
    q = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Words that all occur in the unit's name, type, gear, abilities, keywords or options.",
    )
    type = serializers.CharField(required=False, help_text="The id of a type of unit, as in category_id.")
    sort = NamedChoiceField(
        choices=list(SORTS), default="book", help_text="The order; `book` is the order of the data."
    )
