"""Values of the builder's templates, one class for each template."""

from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from roster import wording
from roster.engine.report import CostTotal, Violation
from roster.services.board import AttachmentControl, ChoiceGroup, ForceOffer, OptionChoice, SlotCounter
from roster.services.board.shapes import RowKind, Shape, Stray
from roster.services.faces import UnitFace
from roster.views.builder.fragments import Fragment
from roster.views.datasheet import SideSheet
from roster.views.verdict_presenter import DeedButton, MissingItem, VerdictRibbon, ViolationItem
from roster.wording import Sentence

OptionItem = OptionChoice | ChoiceGroup


class ListTitles(Shape):
    """`typed` is the content of the name field."""

    name: str
    typed: str
    faction: str
    game: str
    overlay: str
    size: str


class ListNotices(Shape):
    is_taken_down: bool
    is_kept_aside: bool
    is_on_other_data: bool


class UndoButtons(Shape):
    can_undo: bool
    can_redo: bool


class StripItem(Shape):
    kind: str
    headline: str
    deed: DeedButton | None = None


class TodoStrip(Shape):
    """For narrow screens. `link_id` is for a legal list, to print, share or play it."""

    items: tuple[StripItem, ...]
    link_id: str = ""


class RuleBox(Shape):
    """`rule` is the address of the rule's coverage, `report` of the report form."""

    sentence: Sentence
    rule: str
    report: str


class ViolationCard(Shape):
    """`with_deeds` means that deeds are loaded, so no space is reserved for them."""

    violation: ViolationItem
    box: Fragment
    with_deeds: bool


class VerdictPanel(Shape):
    ribbon: VerdictRibbon
    points: CostTotal | None
    left: str
    violations: tuple[Fragment, ...]


class VerdictDock(Shape):
    """The bottom bar of phones."""

    state: str
    word: str
    tally: str
    points: CostTotal | None


class LimitField(Shape):
    field: str
    name: str
    value: str


class ListSettings(Shape):
    """`typed` means that the form's input was refused."""

    name: str
    player: str
    event: str
    notes: str
    rules: str
    limits: tuple[LimitField, ...]
    typed: bool = False


class Named(Shape):
    id: str
    name: str


class TypeChip(Shape):
    """Shows one type of unit, in the fragment `part`."""

    id: str
    name: str
    part: str


class OfferSearchFields(Shape):
    q: str = ""
    type: str = ""
    most: str = ""


class OfferShelf(Shape):
    """`points` names the main cost."""

    into: str
    detachments: tuple[Named, ...]
    types: tuple[TypeChip, ...]
    points: str


class OfferList(Shape):
    """`instead` are a search's corrected words."""

    into: str
    groups: tuple[Fragment, ...]
    none_found: bool
    instead: str = ""


class OfferGroup(Shape):
    into: str
    type: str
    head: Fragment
    units: tuple[Fragment, ...]


class OfferHead(Shape):
    name: str
    emblem: str
    slot: SlotCounter | None


class OfferBlock(Shape):
    """`is_limit_shown` means that the rule that one more would break is the limit next to the total."""

    blocked: Violation | None
    taken: int
    too_dear: bool = False
    is_limit_shown: bool = False

    @property
    def words(self) -> str:
        return wording.shorten_block(self.blocked, self.taken, too_dear=self.too_dear) if self.blocked else ""

    @property
    def sentence(self) -> str:
        if self.blocked is None or self.is_limit_shown:
            return ""
        return wording.explain_block(self.blocked, is_excess_said=self.too_dear)

    @property
    def is_bar(self) -> bool:
        """Whether one more would break a rule that further picks cannot fix."""
        return self.blocked is not None and not self.blocked.mendable

    @property
    def is_dead_end(self) -> bool:
        """Whether one more would make a legal list impossible."""
        return self.blocked is not None and self.blocked.code == RuleCode.NO_COMPLETION


class OfferBar(Shape):
    is_bar: bool
    is_dead_end: bool


class OfferLine(Shape):
    """`token` is a short name for ids on the page.

    `full_name` adds the slot to equal names. `why` is a separate fragment, because spending points changes it on many
    lines.
    """

    entry_id: str
    token: str
    name: str
    full_name: str
    points: Number | None
    price: str
    number: int
    note: str
    face: UnitFace
    is_starred: bool
    why: Fragment


class QuickOffer(Shape):
    """`token` links to the unit's line."""

    entry_id: str
    token: str
    name: str
    price: str
    is_bar: bool


class QuickSection(Shape):
    """The favourites, or the units used last."""

    part: str
    name: str
    units: tuple[QuickOffer, ...]


class QuickOffers(Shape):
    """Sections above the offers, hidden during a search, and tokens of all favourites."""

    into: str
    sections: tuple[QuickSection, ...]
    starred: tuple[str, ...]
    is_hidden: bool


class DetachmentMenu(Shape):
    """A detachment can be changed into `kinds`."""

    node: str
    title: str
    name: str
    data_name: str
    notes: str
    entry_id: str
    kinds: tuple[Named, ...]


class DetachmentHead(Shape):
    """`kind` is the name in the data unless it is the title, and the faction unless it is the list's.

    `first` names the slot to fill first.
    """

    node: str
    title: str
    kind: str
    notes: str
    points: Number | None
    has_rows: bool
    costs: tuple[CostTotal, ...]
    slots: tuple[SlotCounter, ...]
    is_empty: bool
    takes_units: bool
    first: str
    menu: Fragment


class InnerKinds(Shape):
    """Detachments to add inside `node`, which `holds` this number already."""

    node: str
    forces: tuple[ForceOffer, ...]
    holds: int
    has_allies: bool


class DetachmentKinds(Shape):
    """Detachments to add, or to replace `instead`."""

    forces: tuple[ForceOffer, ...]
    instead: Named | None
    is_first: bool
    has_allies: bool


class RowMark(Shape):
    id: str
    kind: str
    headline: str


class RowMarks(Shape):
    """`ordinal` distinguishes equal names for screen readers."""

    unit_id: str
    ordinal: int | None
    wrong: tuple[RowMark, ...]
    needs: tuple[MissingItem, ...]


class RowMoves(Shape):
    unit_id: str
    up: int | None
    down: int | None


class RowActs(Shape):
    """`leads` is whether the unit is the declared leader, None if it cannot lead."""

    unit_id: str
    leads: bool | None
    moves: Fragment


class RowLine(Shape):
    """`badge` is the number of models or of equal units, if above 1.

    `marks` and moves are separate fragments, because editing one unit changes them on many others.
    """

    unit_id: str
    kind: RowKind
    name: str
    summary: str
    commands: str
    leads: bool
    is_placeholder: bool
    bonds: tuple[str, ...]
    notes: str
    points: Number | None
    has_deck: bool
    emblem: str
    glance: str
    badge: int | None
    is_open: bool
    note: SideSheet | None
    marks: Fragment
    acts: Fragment


class ClosedRow(Shape):
    """A row with only its line. A type's first row also shows its name and emblem."""

    kind: RowKind
    type: str
    type_emblem: str
    line: RowLine


class OpenedRow(Shape):
    """`photo` is an address or "". `takes_photo` is whether the site stores photos."""

    kind: RowKind
    type: str
    type_emblem: str
    unit_id: str
    name: str
    custom_name: str
    notes: str
    slug: str
    photo: str
    takes_photo: bool
    line: Fragment
    stats: Fragment
    card: Fragment
    strays: tuple[Stray, ...]
    attachments: tuple[AttachmentControl, ...]
    items: tuple[Fragment, ...]


class LaterRows(Shape):
    """A placeholder of `number` rows that load on scrolling; the page then has `rows` rows."""

    first: str
    number: int
    rows: int


class DetachmentPanel(Shape):
    """A detachment; `rows` is the id of its list of rows."""

    depth: int
    rows: str
    head: Fragment
    units: tuple[Fragment, ...]
    inside: Fragment


class DetachmentList(Shape):
    detachments: tuple[Fragment, ...]
    depths: tuple[int, ...]
    kinds: Fragment
