from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse

from roster.events.models import Event, EventHomebrew, Submission
from roster.events.services.judging import judge_tree, load_rules
from roster.pdf.imposition.card_face import Face, PrintCard
from roster.pdf.imposition.list_cards import build_deck_cards, build_plain_back, build_unit_cards
from roster.pdf.imposition.print_cards import CannotPrintError, CardOptions, lay_out_cards
from roster.pdf.pages import lay_out_blank_page
from roster.pdf.render import write_pdf
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_content import build_sheet
from roster.pdf.sheet_job import SheetJob, lay_out_sheet
from roster.pdf.sheet_options import SheetOptions
from roster.pdf.sheet_pages import make_look
from roster.services.evaluation import decode_tree

UNITS, DECK = "units", "deck"


@dataclass(frozen=True, kw_only=True)
class SubmittedSheetJob(SheetJob):
    """A player's printout, under the house rules of the list's submission."""

    rules: str = ""
    homebrew: EventHomebrew | None = None
    player: str = ""
    event: str = ""
    title: str = ""
    cards: tuple[str, ...] = ()

    @property
    def content(self) -> tuple[object, ...]:
        changed = self.homebrew and (self.homebrew.content_hash, self.homebrew.is_hidden, self.homebrew.author)
        return *super().content, self.rules, changed, self.player, self.event, self.title, self.cards

    @property
    def texts(self) -> tuple[str, ...]:
        return *super().texts, self.player, self.event, self.title

    def build_sheet(self) -> ListSheet:
        force = load_rules(self.version, self.rules, self.homebrew)
        evaluated_list = judge_tree(force, self.faction_id, decode_tree(self.document), tree=True)
        sheet = build_sheet(evaluated_list, replace(self.imprint, player=self.player, event=self.event))
        if not self.title:
            return sheet
        # The title names the player, and the list's own name follows in the player's line.
        return replace(sheet, title=self.title, imprint=replace(sheet.imprint, player=sheet.title))

    def prepare(self) -> Callable[[], bytes]:
        return partial(self._lay_out_all, self.build_sheet(), build_plain_back(self.version.game))

    def _lay_out_all(self, sheet: ListSheet, plain: Face) -> bytes:
        document = lay_out_sheet(sheet, self.options)
        cards: list[PrintCard] = []
        if UNITS in self.cards:
            cards += build_unit_cards(sheet)
        if DECK in self.cards:
            cards += build_deck_cards(sheet)
        if not cards:
            return write_pdf(document, document.pages)
        options = CardOptions(paper=self.options.paper, ink=self.options.ink)
        try:
            layout = lay_out_cards(cards, options, title=sheet.title, identity=sheet.imprint.identity, plain=plain)
        except CannotPrintError:
            # More cards than one print may have: print the sheet alone.
            return write_pdf(document, document.pages)
        pages = list(document.pages)
        if len(pages) % 2:
            pages.append(lay_out_blank_page(make_look(sheet, self.options)))
        return write_pdf(document, [*pages, *layout.pages], is_duplex=True)


def create_submitted_job(
    event: Event,
    submission: Submission,
    options: SheetOptions,
    site: str,
    *,
    cards: tuple[str, ...] = (),
    title: str = "",
    player: str = "",
) -> SubmittedSheetJob:
    assert submission.version is not None  # noqa: S101 - a readable list was read with the data of a version
    participant = submission.participant
    return SubmittedSheetJob(
        version=submission.version,
        faction_id=submission.faction_id,
        document=submission.document,
        options=options,
        revision=submission.number,
        address=site + reverse("events:list", args=[event.public_id, participant.public_id]),
        rules=submission.rules,
        homebrew=submission.homebrew,
        player=player or participant.name,
        event=event.name,
        title=title,
        cards=cards,
    )
