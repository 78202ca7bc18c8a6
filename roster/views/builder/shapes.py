"""What the fragments of the builder's page show: one value for each template, with everything it shows and no more."""

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
    """The head of the page. `typed` is the name in its field, which may be one that was refused."""

    name: str
    typed: str
    faction: str
    game: str
    overlay: str
    size: str


class ListNotices(Shape):
    """What the owner must know of the list as a whole."""

    is_taken_down: bool
    is_kept_aside: bool
    is_on_other_data: bool


class UndoButtons(Shape):
    can_undo: bool
    can_redo: bool


class StripItem(Shape):
    """A violation in the strip above the list; with a deed, a button that mends it."""

    kind: str
    headline: str
    deed: DeedButton | None = None


class TodoStrip(Shape):
    """What is to do, for narrow screens. Of a legal list `link_id` leads to what comes next: print, share, play."""

    items: tuple[StripItem, ...]
    link_id: str = ""


class RuleBox(Shape):
    """The source of a violation's rule, which opens its card; `rule` is the address of the rule's coverage."""

    sentence: Sentence
    rule: str


class ViolationCard(Shape):
    """A violation below the verdict. `with_deeds`: what mends it is known, and no room is kept for it."""

    violation: ViolationItem
    box: Fragment
    with_deeds: bool


class VerdictPanel(Shape):
    """The verdict with all violations. `left` says how many points are left."""

    ribbon: VerdictRibbon
    points: CostTotal | None
    left: str
    violations: tuple[Fragment, ...]


class VerdictDock(Shape):
    """The bar at the bottom of a phone."""

    state: str
    word: str
    tally: str
    points: CostTotal | None


class LimitField(Shape):
    """A field of the form for what is spent at most."""

    field: str
    name: str
    value: str


class ListSettings(Shape):
    """The form about the list itself. `typed`: its words were refused, and are kept to be mended.

    `overlays` are the rules to check against as well: the value and the title of each.
    """

    name: str
    player: str
    event: str
    notes: str
    rules: str
    limits: tuple[LimitField, ...]
    overlays: tuple[tuple[str, str], ...]
    typed: bool = False


class Named(Shape):
    """An id and what pages call it."""

    id: str
    name: str


class TypeChip(Shape):
    """A button that shows one type of unit: `part` is the id of the units of that type on the page."""

    id: str
    name: str
    part: str


class OfferSearchFields(Shape):
    """What the reader searches for among the offers."""

    q: str = ""
    type: str = ""
    most: str = ""


class OfferShelf(Shape):
    """The head of the offers: the detachments they can go into, the types, and `points`, the name of the main cost."""

    into: str
    detachments: tuple[Named, ...]
    types: tuple[TypeChip, ...]
    points: str


class OfferList(Shape):
    """All offers for the detachment `into`.

    `none_found`: the search leaves none of them; `instead` is what was searched in place of words that nothing has.
    """

    into: str
    groups: tuple[Fragment, ...]
    none_found: bool
    instead: str = ""


class OfferGroup(Shape):
    """The offers of one type for the detachment `into`."""

    into: str
    type: str
    head: Fragment
    units: tuple[Fragment, ...]


class OfferHead(Shape):
    name: str
    emblem: str
    slot: SlotCounter | None


class OfferBlock(Shape):
    """What one more of a unit would break, if the list has `taken` of it; None if nothing prevents it."""

    blocked: Violation | None
    taken: int
    too_dear: bool = False

    @property
    def words(self) -> str:
        return wording.shorten_block(self.blocked, self.taken, too_dear=self.too_dear) if self.blocked else ""

    @property
    def sentence(self) -> str:
        """What the words leave out."""
        return wording.explain_block(self.blocked, is_excess_said=self.too_dear) if self.blocked else ""

    @property
    def is_bar(self) -> bool:
        """Whether one more would break a rule that further picks cannot mend."""
        return self.blocked is not None and not self.blocked.mendable

    @property
    def is_dead_end(self) -> bool:
        """Whether one more would leave no way to a legal list."""
        return self.blocked is not None and self.blocked.code == RuleCode.NO_COMPLETION


class OfferBar(Shape):
    """What the line of an offer shows of its block; the browser derives it from `why` itself."""

    is_bar: bool
    is_dead_end: bool


class OfferLine(Shape):
    """A unit on offer; `token` is a short name of it for ids on the page.

    `why` says why it cannot be taken, or what it would ask for. It is a fragment of its own, because it changes on many
    lines whenever points are spent, and nothing else of them does.
    """

    entry_id: str
    token: str
    name: str
    points: Number | None
    price: str
    number: int
    note: str
    face: UnitFace
    why: Fragment


class DetachmentMenu(Shape):
    """The menu of a detachment. `kinds` are those it can be changed into, itself included; none if there is no other.

    `name` is blank if its owner gave it none.
    """

    node: str
    title: str
    name: str
    data_name: str
    notes: str
    entry_id: str
    kinds: tuple[Named, ...]


class DetachmentHead(Shape):
    """A detachment's name, figures and slots for units.

    `kind` is the name of the data unless that is the title, and the faction unless it is the list's. `has_rows`: it has
    units, settings or notes. `is_empty`: it has no unit yet, `takes_units`: it can have some; `first` then says which
    slot to fill first.
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
    """The kinds of detachment that can be added to the detachment `node`, which `holds` so many.

    `has_allies`: detachments of other factions can be looked for, too.
    """

    node: str
    forces: tuple[ForceOffer, ...]
    holds: int
    has_allies: bool


class DetachmentKinds(Shape):
    """The kinds of detachment to choose from: to add one, or to change the detachment `instead` into it.

    `has_allies`: detachments of other factions can be looked for, too.
    """

    forces: tuple[ForceOffer, ...]
    instead: Named | None
    is_first: bool
    has_allies: bool


class RowMark(Shape):
    """A violation on a unit, linked to the verdict by its id on the page."""

    id: str
    kind: str
    headline: str


class RowMarks(Shape):
    """What is marked on a unit: `wrong` are the violations it is to blame for, `needs` what it lacks."""

    wrong: tuple[RowMark, ...]
    needs: tuple[MissingItem, ...]


class RowMoves(Shape):
    """Where a unit goes when it is moved up or down: its place among its siblings; None if there is no way."""

    unit_id: str
    up: int | None
    down: int | None


class RowActs(Shape):
    """The acts in the menu of a row. `leads`: the unit is declared to lead; None if it cannot."""

    unit_id: str
    leads: bool | None
    moves: Fragment


class RowLine(Shape):
    """A unit on its line, closed or opened.

    `marks` and the moves are fragments of their own: a change of one unit may mend or break a rule about many others,
    of which nothing else changes, and its neighbours may move where they could not. `badge` is how many models it has,
    or how many there are of it, if that is more than one. `note` is the text of an entry that is only to be read.
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
    """A row with nothing but its line. The first of a type has its name and emblem above it; others have no emblem."""

    kind: RowKind
    type: str
    type_emblem: str
    line: RowLine


class OpenedRow(Shape):
    """A row with its line, its figures, all choices of the unit, of which an answer holds those that changed, and its
    weapons and rules.
    """

    kind: RowKind
    type: str
    type_emblem: str
    unit_id: str
    name: str
    custom_name: str
    notes: str
    slug: str
    line: Fragment
    stats: Fragment
    card: Fragment
    strays: tuple[Stray, ...]
    attachments: tuple[AttachmentControl, ...]
    items: tuple[Fragment, ...]


class LaterRows(Shape):
    """What the page has instead of `number` rows, until the reader scrolls there: then it has `rows` of the whole list.

    `first` is the id that the first of them will have.
    """

    first: str
    number: int
    rows: int


class DetachmentPanel(Shape):
    """A detachment; `rows` is the id of its list of rows, whose last may be one for those that come later."""

    depth: int
    rows: str
    head: Fragment
    units: tuple[Fragment, ...]
    inside: Fragment


class DetachmentList(Shape):
    """All detachments, and the kinds that can be added."""

    detachments: tuple[Fragment, ...]
    depths: tuple[int, ...]
    kinds: Fragment
