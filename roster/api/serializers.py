"""The API's JSON of evaluated lists. Exact numbers are strings."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogue.api.problems import ProblemSerializer
from catalogue.api.serializers import NamedChoiceField
from catalogue.definitions.constraints import Severity, Stage
from catalogue.definitions.rulebook import RuleKind, RuleStage
from roster.engine.compare import DifferenceKind
from roster.engine.completion.solver import Possibility
from roster.engine.report import PlaceKind, Verdict
from roster.formats.text.arithmetic import SumKind
from roster.formats.text.foreign import TextLayout
from roster.formats.text.own import TextLength, TextStyle
from roster.formats.text.pasted import AS_READ, LineKind, PastedLayout, Reading
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services.history import Standing
from roster.services.ledger import State
from roster.services.list_search import VERDICTS_SOUGHT
from roster.services.ways import WayKind


def _list_choices(kinds: Any) -> list[str]:
    return [kind.value for kind in kinds]


VERDICTS = _list_choices(Verdict)
PASTE_VERDICTS = [*VERDICTS, AS_READ]
"""The verdicts on a text, which may be only partly read."""


class CostSerializer(serializers.Serializer[Any]):
    """The total of one kind of cost, with its limit if it has one."""

    type = serializers.CharField()
    name = serializers.CharField()
    value = serializers.CharField()
    limit = serializers.CharField(allow_null=True)


class PlaceSerializer(serializers.Serializer[Any]):
    """A part of the list: the whole list, a detachment, a type of unit in a detachment, or a selection."""

    kind = serializers.ChoiceField(_list_choices(PlaceKind))
    id = serializers.CharField(
        help_text="The id of this part of the list; blank for the list itself and for missing parts."
    )
    entry = serializers.CharField(help_text="The id of its definition.")
    name = serializers.CharField()


class CountedSerializer(serializers.Serializer[Any]):
    """What was counted."""

    id = serializers.CharField()
    name = serializers.CharField()


class SentenceSerializer(serializers.Serializer[Any]):
    """A violation in words."""

    headline = serializers.CharField()
    text = serializers.CharField()
    detail = serializers.CharField()
    where = serializers.CharField()
    hint = serializers.CharField()


class CitedSerializer(serializers.Serializer[Any]):
    """The source of a rule."""

    text = serializers.CharField()
    book = serializers.CharField()
    section = serializers.CharField()
    page = serializers.CharField()


class DeedSerializer(serializers.Serializer[Any]):
    """A change of the list that fixes a violation without making another one worse."""

    text = serializers.CharField(help_text="What it does, for people.")
    points = serializers.CharField(help_text="The change in the cost of the list.")
    change = serializers.DictField(child=serializers.CharField(), help_text="The fields of the builder's form.")


class ViolationSerializer(serializers.Serializer[Any]):
    """A violation of one rule at one place."""

    code = serializers.CharField(help_text="The kind of rule.")
    severity = serializers.ChoiceField(_list_choices(Severity))
    stage = serializers.ChoiceField(_list_choices(Stage), help_text="Whether the list breaks it, or the game plan.")
    mendable = serializers.BooleanField(help_text="Whether adding something could fix it.")
    rule = serializers.CharField(help_text="The id of the rule in the book's inventory; blank if it has none.")
    on = PlaceSerializer()
    counted = CountedSerializer()
    measured = serializers.CharField()
    allowed = serializers.CharField()
    cause = PlaceSerializer(many=True)
    sentence = SentenceSerializer()
    citation = CitedSerializer(allow_null=True)
    deeds = DeedSerializer(many=True, required=False, help_text="Present if the request asks for `deeds`.")


class UncheckedSerializer(serializers.Serializer[Any]):
    """A rule or part of the data that was not checked."""

    code = serializers.CharField()
    text = serializers.CharField()
    on = serializers.CharField(help_text="The id of the entry it is about; blank for all of the data.")
    citation = CitedSerializer(allow_null=True)


class AnswerSerializer(serializers.Serializer[Any]):
    """Whether a list is legal, and why not. “Incomplete” means that additions could fix everything."""

    name = serializers.CharField()
    game = serializers.CharField()
    version = serializers.CharField()
    faction = serializers.CharField()
    rules = serializers.CharField(help_text="The rules that apply to it besides its data; blank for none.")
    verdict = serializers.ChoiceField(VERDICTS)
    word = serializers.CharField(help_text="The verdict for people.")
    legal = serializers.BooleanField(help_text="False, whatever the verdict, if house rules of a player count.")
    house_rules = serializers.CharField(help_text="The player's house rules that apply to it; blank for none.")
    empty = serializers.BooleanField(help_text="Nothing has been taken yet, so the list is incomplete.")
    finished = serializers.BooleanField(
        help_text="False if looking ahead took longer than the server allows: an incomplete list may then be illegal."
    )
    costs = CostSerializer(many=True)
    violations = ViolationSerializer(many=True)
    unchosen = PlaceSerializer(many=True, help_text="Settings without a choice, although no rule requires one.")
    unchecked = UncheckedSerializer(many=True)


class RosterSerializer(AnswerSerializer):
    """A stored list with its verdict. `list` is its document, which `POST /api/v1/check` reads."""

    id = serializers.CharField()
    revision = serializers.IntegerField()
    hash = serializers.CharField(help_text="SHA-256 of this state of the list.")
    updated = serializers.DateTimeField()
    list = serializers.DictField()


class EditedRosterSerializer(RosterSerializer):
    """A list after an edit."""

    created = serializers.ListField(child=serializers.CharField(), help_text="The ids of the parts that it added.")
    act = serializers.CharField(help_text="What was done, undone or redone, for people; blank if nothing changed.")


class RefusedEditSerializer(ProblemSerializer):
    """Why no edit was made."""

    edit = serializers.IntegerField(
        required=False,
        help_text="The number of the refused edit, from 1; 0 if all are refused. Missing if the body cannot be read.",
    )
    errors = serializers.DictField(  # type: ignore[assignment]  # a field of the answer, not the property
        required=False, help_text="With `bad-change`: what is wrong with each field, by its name."
    )


class PartSerializer(serializers.Serializer[Any]):
    """A detachment or a selection, with all inside it."""

    id = serializers.CharField(help_text="Edits name the part by it.")
    kind = serializers.ChoiceField(["detachment", "selection"])
    entry = serializers.CharField()
    name = serializers.CharField()
    number = serializers.IntegerField()
    parts = serializers.ListField(child=serializers.DictField(), help_text="Parts of the same form.")


class PartsSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="The id of the list.")
    revision = serializers.IntegerField()
    parts = PartSerializer(many=True)


class OffersSerializer(serializers.Serializer[Any]):
    """What a part may contain."""

    id = serializers.CharField(help_text="The id of the part.")
    revision = serializers.IntegerField()
    offers = serializers.ListField(
        child=serializers.DictField(),
        help_text="Options (`entry`, `number`, `min`, `max`, `costs`, `parts`; `blocked` says what one more would "
        "break, or is blank) and groups of them (`group`, `offers`).",
    )


class ListQuerySerializer(serializers.Serializer[Any]):
    mine = serializers.BooleanField(default=False, help_text="Your own lists instead of the public ones.")
    game = serializers.CharField(default="", max_length=100, help_text="The id of a game.")
    faction = serializers.CharField(default="", max_length=200, help_text="The id of a faction, or its address.")
    unit = serializers.CharField(
        default="", max_length=100, help_text="Words of a unit's name. The name of a list counts, too."
    )
    q = serializers.CharField(default="", max_length=100, help_text="Words, as the search of the page finds them.")
    size = serializers.CharField(default="", max_length=20, help_text="The limit of points.")
    verdict = NamedChoiceField(
        VERDICTS_SOUGHT,
        default="",
        help_text="`legal` has no lists that are legal only by house rules of players; `house-rules` has those.",
    )
    since = serializers.DateTimeField(default=None, help_text="Changed at this time or later.")
    folder = serializers.CharField(default="", max_length=100, help_text="With `mine`: the name of a folder.")
    tag = serializers.CharField(default="", max_length=100, help_text="With `mine`: a tag.")


class TextQuerySerializer(serializers.Serializer[Any]):
    layout = NamedChoiceField(list(TextLayout), default=TextLayout.OWN)
    length = NamedChoiceField(list(TextLength), default=TextLength.COMPACT)
    style = NamedChoiceField(list(TextStyle), default=TextStyle.PLAIN)  # type: ignore[assignment]  # not Field.style


class ListUnitSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    count = serializers.IntegerField()


class ListRowSerializer(serializers.Serializer[Any]):
    """A list without its contents."""

    id = serializers.CharField(source="link_id", help_text="Read all of it at `/api/v1/rosters/<id>/`.")
    name = serializers.CharField()
    game = serializers.CharField(source="version.game.slug")
    version = serializers.CharField(source="version.label")
    faction = serializers.CharField(source="faction_id")
    points = serializers.CharField()
    size = serializers.CharField(source="limit", help_text="The limit of points; blank for none.")
    verdict = serializers.ChoiceField(VERDICTS)
    house_rules = serializers.CharField(source="homebrew", help_text="The player's rules that count; blank for none.")
    violations = serializers.IntegerField()
    player = serializers.CharField(source="player_name", help_text="Blank for a player without a name.")
    visibility = serializers.ChoiceField(Visibility.choices)
    secret = serializers.BooleanField(source="is_secret", help_text="Only its owner may read its contents.")
    revision = serializers.IntegerField(source="head")
    updated = serializers.DateTimeField()
    units = serializers.SerializerMethodField(help_text="Its first units, at most 24; none if it is secret.")

    @extend_schema_field(ListUnitSerializer(many=True))
    def get_units(self, roster: Roster) -> list[dict[str, Any]]:
        return [] if roster.is_secret else [{"name": name, "count": count} for name, count, _emblem in roster.units]


class StaleSerializer(ProblemSerializer):
    """A change of a list that has changed since. `base` and `current` are list documents."""

    made_on = serializers.IntegerField(help_text="The revision that the change was made on.")
    revision = serializers.IntegerField(help_text="The revision of the list now.")
    base = serializers.DictField(
        allow_null=True, help_text="The list at `made_on`; null if there was no such revision."
    )
    current = serializers.DictField(help_text="The list now.")


class PlanSerializer(serializers.Serializer[Any]):
    """The game plan of a list, and the verdict on the list with it."""

    revision = serializers.IntegerField(help_text="The revision of the plan; 0 if there is none.")
    plan = serializers.DictField(help_text="Ids of a mission, units and answers; empty if there is none.")
    verdict = serializers.ChoiceField(VERDICTS)
    legal = serializers.BooleanField()
    violations = ViolationSerializer(many=True)


class StalePlanSerializer(ProblemSerializer):
    """A change of a plan that has changed since."""

    made_on = serializers.IntegerField(help_text="The revision that the change was made on.")
    revision = serializers.IntegerField(help_text="The revision of the plan now.")
    current = serializers.DictField(help_text="The plan now.")


class HistoryRowSerializer(serializers.Serializer[Any]):
    """A step in the history of a list."""

    revision = serializers.IntegerField()
    parent = serializers.IntegerField(help_text="The revision that it changed; 0 for the first.")  # type: ignore[assignment]  # a field of the answer, not of the tree
    standing = serializers.ChoiceField(
        _list_choices(Standing), help_text="Now `shown`, `below` it, `left` by an undo, or `aside` as a conflict."
    )
    name = serializers.CharField(help_text="The owner's name for it, or blank.")
    act = serializers.CharField(help_text="What was done, for people.")
    points = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    house_rules = serializers.CharField(
        allow_null=True,
        help_text="The player's house rules by which it is legal; blank for none, null if its archive cannot be read.",
    )
    hash = serializers.CharField()
    created = serializers.DateTimeField()


class HistorySerializer(serializers.Serializer[Any]):
    next = serializers.CharField(allow_null=True, help_text="The address of older revisions.")
    results = HistoryRowSerializer(many=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(_list_choices(DifferenceKind))
    text = serializers.CharField()


class CostChangeSerializer(serializers.Serializer[Any]):
    type = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ChangesSerializer(serializers.Serializer[Any]):
    """How two states of a list differ."""

    summary = serializers.CharField(help_text="All of it in a line, for people.")
    differences = DifferenceSerializer(many=True)
    costs = CostChangeSerializer(many=True)
    verdicts = serializers.ListField(child=serializers.ChoiceField(VERDICTS), help_text="Before and after.")
    house_rules = serializers.ListField(
        child=serializers.CharField(), help_text="The player's house rules before and after; blank for none."
    )
    new = ViolationSerializer(many=True, help_text="Violations that only the later state has.")
    gone = ViolationSerializer(many=True, help_text="Violations that only the earlier state has.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="Things that later data does not have.")


class ComparisonSerializer(ChangesSerializer):
    """What changed between two revisions of a list."""

    to = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python.
        return {"from": serializers.IntegerField(), **super().get_fields()}


class WaySerializer(serializers.Serializer[Any]):
    """A list that can be made of the requested one, and is legal by its rules."""

    text = serializers.CharField(help_text="What it does, for people.")
    changes = serializers.ListField(child=serializers.CharField(), help_text="The differences in it.")
    points = serializers.CharField(help_text="The change in the cost of the list.")
    total = serializers.CharField(help_text="What the list costs then.")
    legal = serializers.BooleanField(help_text="Always true, except by house rules of a player.")
    house_rules = serializers.CharField(help_text="The player's house rules that apply to it; blank for none.")
    best = serializers.BooleanField(
        help_text="Whether it is proved that none is fuller or smaller, or cheaper with all units as they are."
    )
    list = serializers.DictField(help_text="Its document, which `POST /api/v1/check` reads.")


class FoundWaysSerializer(serializers.Serializer[Any]):
    """The result of a search for ways.

    `no` is proved. `unknown` means that no way was found or ruled out. `unfinished` means that the server ran out of
    time, so another request may find one.
    """

    kind = serializers.ChoiceField(_list_choices(WayKind))
    answer = serializers.ChoiceField(_list_choices(Possibility))
    finished = serializers.BooleanField(help_text="False if there may be others, which the server had no time to find.")
    text = serializers.CharField(help_text="Why there are no ways, or nothing to change; otherwise blank.")
    ways = WaySerializer(many=True, help_text="One, or up to three repairs, smallest first.")


class AdditionSerializer(serializers.Serializer[Any]):
    """A unit that may be added."""

    detachment = serializers.CharField(help_text="The id of the detachment in this list; blank if any list is meant.")
    unit = serializers.CharField(help_text="The id of its entry.")
    name = serializers.CharField()
    points = serializers.CharField(help_text="What one more costs.")
    needed = serializers.BooleanField(help_text="Whether it supplies something that the list lacks.")
    answer = serializers.ChoiceField(
        _list_choices(Possibility), help_text="Whether the list can be completed with it: `no` is proved."
    )


class AlliedForceSerializer(serializers.Serializer[Any]):
    """A detachment of another faction."""

    detachment = serializers.CharField(help_text="The id of its entry: `detachment` in a list document.")
    name = serializers.CharField()
    costs = CostSerializer(many=True, help_text="What it costs by itself.")
    free = serializers.BooleanField(help_text="Whether one more keeps all rules about detachments.")
    reason = serializers.CharField(help_text="What one more would break; blank if nothing.")


class AlliedFactionSerializer(serializers.Serializer[Any]):
    """Another faction of the game, and its detachments that the data allows in one place of a list."""

    catalogue = serializers.CharField(help_text="The id of the faction: `catalogue` in a list document.")
    name = serializers.CharField()
    detachments = AlliedForceSerializer(many=True)


class ComplaintSerializer(serializers.Serializer[Any]):
    """Why a document cannot be read. Lines and columns count from 1; 0 means the whole document."""

    code = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.IntegerField()
    reason = serializers.CharField()
    mend = serializers.CharField()
    suggestions = serializers.ListField(child=serializers.CharField())


class UnreadableSerializer(ProblemSerializer, ComplaintSerializer):
    """A problem with a document that cannot be read. Problems with the rest of a request lack the places."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for name in ("line", "column", "reason", "mend", "suggestions"):
            fields[name].required = False
        return fields


class ListItemSerializer(serializers.Serializer[Any]):
    """A unit. `unit` is the id or name of its entry. A unit without options may be a plain string."""

    unit = serializers.CharField()
    count = serializers.IntegerField(required=False, min_value=0)
    name = serializers.CharField(required=False)
    notes = serializers.CharField(required=False)
    ref = serializers.CharField(required=False, help_text="What the plan calls this unit.")
    options = serializers.ListField(
        required=False,
        help_text="Ids or names of options, or objects with `option`, `count` and `options` of their own.",
    )


class ListDetachmentSerializer(serializers.Serializer[Any]):
    """A detachment: the id or name of a force entry, and its units."""

    detachment = serializers.CharField()
    catalogue = serializers.CharField(
        required=False, help_text="The id or name of its faction; by default the list's faction."
    )
    name = serializers.CharField(required=False)
    notes = serializers.CharField(required=False)
    units = ListItemSerializer(many=True, required=False)
    detachments = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Detachments inside it, written like this one."
    )


class ListSerializer(serializers.Serializer[Any]):
    """A list document."""

    list = serializers.ChoiceField([1], help_text="The form of the document.")
    game = serializers.CharField(help_text="The id of an installed game.")
    version = serializers.CharField(
        required=False, help_text="A version's label or hash; by default the current version."
    )
    faction = serializers.CharField(required=False, help_text="An id or name; required if the game has several.")
    rules = serializers.CharField(required=False, help_text="A pack whose rules also apply to the list.")
    name = serializers.CharField(required=False)
    notes = serializers.CharField(required=False)
    exact = serializers.BooleanField(required=False, help_text="Nothing is added to what is written.")
    limits = serializers.DictField(child=serializers.IntegerField(), required=False)
    detachments = ListDetachmentSerializer(many=True, required=False)
    plan = serializers.DictField(
        required=False,
        help_text="How it is played: mission, side, reserves and so on; evaluated together with the list.",
    )
    vendor = serializers.DictField(required=False, help_text="What programs keep with the list, by program.")


class BookClauseSerializer(serializers.Serializer[Any]):
    """A part of a rule that can be broken separately."""

    id = serializers.CharField(help_text="The rule's id and the clause's id, separated by a slash.")
    text = serializers.CharField()
    implemented = serializers.BooleanField(help_text="True while a list below breaks it and another keeps it.")
    open = serializers.CharField(help_text="Why it is not implemented yet.")
    broken_by = serializers.ListField(child=serializers.CharField(), help_text="Lists that break it.")
    kept_by = serializers.ListField(child=serializers.CharField(), help_text="Lists that keep it.")


class BookRuleSerializer(serializers.Serializer[Any]):
    """A rule of a game's book."""

    id = serializers.CharField()
    name = serializers.CharField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(_list_choices(RuleKind))
    stage = serializers.ChoiceField(_list_choices(RuleStage))
    state = serializers.ChoiceField(
        _list_choices(State), help_text="Implemented only while lists show each clause broken and kept."
    )
    reading = serializers.CharField(help_text="How an unclear rule is read.")
    caveat = serializers.CharField()
    part_of = serializers.ListField(child=serializers.CharField())
    clauses = BookClauseSerializer(many=True)
    broken_by = serializers.ListField(child=serializers.CharField(), help_text="Lists that break it.")
    kept_by = serializers.ListField(child=serializers.CharField(), help_text="Lists that keep it.")
    citation = CitedSerializer(allow_null=True)


class TextSerializer(serializers.Serializer[Any]):
    """A list as text; `messages` are its parts of at most 2,000 characters, for chats."""

    text = serializers.CharField()
    characters = serializers.IntegerField()
    messages = serializers.ListField(child=serializers.CharField())


class ListLinkSerializer(serializers.Serializer[Any]):
    """A whole list as a link."""

    link = serializers.CharField(help_text="Begins with ARMYLIST:1: and has capitals and figures only.")
    qr = serializers.CharField(help_text="The link as a QR code in SVG; blank if it is too long for a card.")


class TabletopModelSerializer(serializers.Serializer[Any]):
    """Equal models of a unit."""

    name = serializers.CharField()
    number = serializers.IntegerField()
    weapons = serializers.ListField(
        child=serializers.DictField(), help_text="`name`, a key of the unit's weapons, and `number` of each model."
    )
    abilities = serializers.ListField(child=serializers.CharField(), help_text="Keys of the unit's abilities.")
    profileID = serializers.CharField(required=False, help_text="A key of the unit's `modelProfiles`.")  # noqa: N815  # the importer's name for it


class TabletopModelsSerializer(serializers.Serializer[Any]):
    models = serializers.DictField(child=TabletopModelSerializer())
    totalNumberOfModels = serializers.IntegerField()  # noqa: N815  # the importer's name for it


class TabletopUnitSerializer(serializers.Serializer[Any]):
    """A unit. All figures are texts."""

    uuid = serializers.CharField()
    name = serializers.CharField()
    decorativeName = serializers.CharField(help_text="The owner's name for it, or blank.")  # noqa: N815  # as above
    isSingleModel = serializers.BooleanField()  # noqa: N815  # as above
    factionKeywords = serializers.ListField(child=serializers.CharField())  # noqa: N815  # as above
    keywords = serializers.ListField(child=serializers.CharField())
    rules = serializers.ListField(child=serializers.CharField(), help_text="Always empty.")
    models = TabletopModelsSerializer()
    modelProfiles = serializers.DictField(  # noqa: N815  # as above
        child=serializers.DictField(child=serializers.CharField()),
        help_text="`name` and figures, such as `m`, `t`, `sv`, `w`, `ld` and `oc`.",
    )
    weapons = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField()),
        help_text="`name`, `range`, `type`, `a`, `bsws`, `s`, `ap`, `d`, `abilities` and `shortAbilities`.",
    )
    abilities = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField()), help_text="`name` and `desc`."
    )
    psykerProfiles = serializers.ListField(child=serializers.DictField(), required=False)  # noqa: N815  # as above
    powersKnown = serializers.ListField(child=serializers.DictField(), required=False)  # noqa: N815  # as above


class TabletopArmySerializer(serializers.Serializer[Any]):
    """A list for Tabletop Simulator."""

    edition = serializers.ChoiceField(choices=["10e", "9e"])
    order = serializers.ListField(child=serializers.CharField(), help_text="The units of `armyData` in order.")
    armyData = serializers.DictField(child=TabletopUnitSerializer())  # noqa: N815  # as above
    uiHeight = serializers.CharField()  # noqa: N815  # as above
    uiWidth = serializers.CharField()  # noqa: N815  # as above
    decorativeNames = serializers.CharField()  # noqa: N815  # as above
    baseScript = serializers.CharField(help_text="Blank; Yellowscribe adds its own script.")  # noqa: N815  # as above


class PastedLineSerializer(serializers.Serializer[Any]):
    """A line of the text and how it was read."""

    line = serializers.IntegerField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(_list_choices(LineKind))
    reading = serializers.ChoiceField(_list_choices(Reading))
    key = serializers.CharField(
        help_text="The key under which to send a choice for it: `note`, or the name of the unit that it means."
    )


class EditionOptionSerializer(serializers.Serializer[Any]):
    """A game and faction that a list may belong to."""

    value = serializers.CharField(help_text="The addresses of game and faction, separated by a slash.")
    name = serializers.CharField()
    units = serializers.IntegerField(help_text="How many names of units the list has.")
    known = serializers.IntegerField(help_text="How many of them the faction has.")
    equal = serializers.IntegerField(help_text="How many of these cost what the text says.")


class EditionSerializer(serializers.Serializer[Any]):
    """The game and faction that the list was read as, and the alternatives, likeliest first."""

    key = serializers.CharField(help_text="The key under which to send a choice for it.")
    value = serializers.CharField(help_text="Blank if none is likely enough.")
    sure = serializers.BooleanField(help_text="False if the next one is about as likely.")
    settled = serializers.BooleanField(help_text="Whether a choice in the request settled it.")
    choices = EditionOptionSerializer(many=True)


class ForceOptionSerializer(serializers.Serializer[Any]):
    """A force or detachment that a list may use."""

    value = serializers.CharField()
    name = serializers.CharField()
    units = serializers.IntegerField(help_text="How many units of the list were found.")
    placed = serializers.IntegerField(help_text="How many of them have a slot in it.")
    note = serializers.CharField(help_text="How the list fits it, in words.")


class ForceSerializer(serializers.Serializer[Any]):
    """The force that a list was read as, and the alternatives, likeliest first."""

    key = serializers.CharField(help_text="The key under which to send a choice for it.")
    value = serializers.CharField()
    sure = serializers.BooleanField(help_text="False if the text names none and another one fits as well.")
    settled = serializers.BooleanField(help_text="Whether a choice in the request settled it.")
    choices = ForceOptionSerializer(many=True)


class SumSerializer(serializers.Serializer[Any]):
    """Two numbers that should agree."""

    kind = serializers.ChoiceField(_list_choices(SumKind))
    line = serializers.IntegerField(help_text="Where it is stated; 0 for the head.")
    name = serializers.CharField()
    stated = serializers.CharField()
    computed = serializers.CharField()
    holds = serializers.BooleanField()


class NameChoiceSerializer(serializers.Serializer[Any]):
    """Another possible meaning of a name."""

    value = serializers.CharField()
    name = serializers.CharField()


class NameSerializer(serializers.Serializer[Any]):
    """A name in the text and its name in the game."""

    line = serializers.IntegerField()
    written = serializers.CharField()
    resolved = serializers.CharField(help_text="Blank if nothing is similar.")
    reading = serializers.ChoiceField(_list_choices(Reading))
    key = serializers.CharField(help_text="The key under which to send a choice for it.")
    settled = serializers.BooleanField(help_text="Whether a choice in the request settled it.")
    choices = NameChoiceSerializer(many=True, help_text="What else it may be, likeliest first.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        return {"meant" if name == "resolved" else name: field for name, field in fields.items()}


class ComparedSerializer(serializers.Serializer[Any]):
    """The points of a unit by the text and by the data."""

    line = serializers.IntegerField()
    name = serializers.CharField()
    claimed = serializers.CharField()
    computed = serializers.CharField()


class PasteRequestSerializer(serializers.Serializer[Any]):
    """A text to read, with what you know about it."""

    text = serializers.CharField()
    game = serializers.CharField(required=False, help_text="The game that it is for.")
    faction = serializers.CharField(required=False, help_text="The address of its faction in that game.")
    force = serializers.CharField(required=False, help_text="The id or name of its kind of force.")
    choices = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="What names, lines, the game and the kind of force are: the `value` of a choice by its `key`, from "
        "an earlier answer.",
    )


class PasteSerializer(serializers.Serializer[Any]):
    """A pasted list. `names`, `points` and `judged` are empty if its game is not installed."""

    layout = serializers.ChoiceField(_list_choices(PastedLayout))
    claims = serializers.DictField(help_text="What its heading says about it.")
    units = serializers.ListField(child=serializers.DictField())
    lines = PastedLineSerializer(many=True)
    sums = SumSerializer(many=True)
    names = NameSerializer(many=True)
    points = ComparedSerializer(many=True)
    edition = EditionSerializer()
    force = ForceSerializer()
    game = serializers.CharField(help_text="Blank if no installed game has its units.")
    faction = serializers.CharField()
    doubts = serializers.ListField(child=serializers.DictField(), help_text="Why the reading is only a guess.")
    verdict = serializers.ChoiceField(
        PASTE_VERDICTS,
        allow_null=True,
        help_text="`as-read`: the list is legal, but not all of the text was read, or its points differ.",
    )
    word = serializers.CharField(help_text="The verdict for people; blank if there is none.")
    unreadable = ComplaintSerializer(allow_null=True)
    judged = serializers.DictField(allow_null=True, help_text="As `POST /api/v1/check` answers.")
