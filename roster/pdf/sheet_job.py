"""Print one list's sheet, or several in one file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import PurePath
from typing import Any, NamedTuple

from django.utils.text import slugify
from django.utils.translation import ngettext
from weasyprint import Document

from catalogue.definitions.identity import Identity
from catalogue.models import Faction, PackVersion
from roster.engine.plan import GamePlan
from roster.models import Photo, Roster
from roster.pdf.pages import PAGE_STYLES, PageLook, compose_document, format_paper, lay_out_blank_page
from roster.pdf.print_job import PrintJob
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.shapes import Imprint, ListSheet, SheetPhoto
from roster.pdf.sheet_content import build_sheet, describe_plan
from roster.pdf.sheet_options import Photos, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.services.evaluation import (
    EvaluatedList,
    decode_tree,
    encode_tree,
    evaluate_list,
    hash_document,
    recall_outlook,
)
from roster.services.owners import Visitor, is_owner
from roster.services.photos import list_shown_photos
from roster.services.plans import encode_plan, get_game_plan
from roster.services.revisions import PaperState, build_revision_address, find_shown_revision
from roster.services.rulesets import HOMEBREW_MARK, find_homebrew
from roster.services.sharing import is_redacted_for
from roster.services.stored_files import read_file

DEFAULT_OPTIONS = SheetOptions()
MOST_SHEETS = 12
"""The most lists that can be laid out within the time limit."""


@lru_cache(maxsize=256)
def find_identity(version_id: int, content_hash: str, faction_id: str) -> Identity | None:
    """Return a faction's identity, cached because a version with this content never changes."""
    faction = Faction.objects.filter(version_id=version_id, faction_id=faction_id).first()
    return faction.identity if faction else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetJob(PrintJob):
    """One list's sheet.

    Only the owner's sheets have the game plan `game`. `address` is the list's public page, blank for an unsaved list.
    """

    version: PackVersion
    faction_id: str
    document: str
    options: SheetOptions = DEFAULT_OPTIONS
    revision: int = 0
    address: str = ""
    evaluated_list: EvaluatedList | None = None
    game: GamePlan | None = None
    outlook: str = ""
    photos: tuple[Photo, ...] = ()

    @property
    def imprint(self) -> Imprint:
        game, content_hash = self.version.game, hash_document(self.document)
        return Imprint(
            game=str(game),
            version=self.version.label,
            revision=self.revision,
            content_hash=content_hash,
            link=build_revision_address(self.address, self.revision, content_hash) if self.address else "",
            notice=game.notice,
            identity=self.identity,
        )

    @property
    def identity(self) -> Identity:
        return find_identity(self.version.pk, self.version.content_hash, self.faction_id) or self.version.game.identity

    @property
    def content(self) -> tuple[object, ...]:
        plan = encode_plan(self.game) if self.game else ""
        photos = [(photo.unit, photo.content_hash) for photo in self.photos]
        # House rules can be deleted or hidden, and their author can be renamed.
        rules = find_homebrew(decode_tree(self.document).homebrew) if HOMEBREW_MARK in self.document else None
        signed = rules and (rules.content_hash, rules.homebrew_set.author)
        data = (self.version.content_hash, self.faction_id, signed)
        return *data, self.options, self.imprint, plan, self.outlook, photos

    @property
    def texts(self) -> tuple[str, ...]:
        """The list, or only a veiled list's name, because even missing characters would reveal more."""
        if self.options.style is Style.VEILED:
            return (self.build_sheet().title,)
        return (self.document,)

    def build_sheet(self) -> ListSheet:
        evaluated_list = self.evaluated_list or evaluate_list(self.version, self.faction_id, self.document)
        evaluated_list = recall_outlook(evaluated_list, self.outlook)
        game = ", ".join(filter(None, (self.imprint.game, evaluated_list.overlay_name)))
        imprint = replace(self.imprint, game=game, player=evaluated_list.tree.player, event=evaluated_list.tree.event)
        sheet = replace(build_sheet(evaluated_list, imprint), photos=tuple(self._read_photos()))
        if self.game is None:
            return sheet
        return replace(sheet, plan=describe_plan(self.version, self.faction_id, self.document, self.game))

    def _read_photos(self) -> Iterator[SheetPhoto]:
        for photo in self.photos:
            # Units get the small file: nobody would see the three more dots per millimetre of the large one.
            name = photo.small if photo.unit else photo.large
            if content := read_file(name):
                key = PurePath(name).stem
                yield SheetPhoto(unit=photo.unit, key=key, width=photo.width, height=photo.height, content=content)

    def prepare(self) -> Callable[[], bytes]:
        sheet = self.build_sheet()

        def make_pdf() -> bytes:
            document = lay_out_sheet(sheet, self.options)
            return write_pdf(document, document.pages)

        return make_pdf

    def make_pdf(self) -> bytes:
        return self.prepare()()


def create_sheet_job(roster: Roster, options: SheetOptions = DEFAULT_OPTIONS, *, address: str = "") -> SheetJob:
    """Create the job for a list's current state. Only full sheets include the game plan, and photos on request."""
    has_photos = options.style is Style.FULL and options.photos is Photos.SHOWN
    return SheetJob(
        version=roster.version,
        faction_id=roster.faction_id,
        document=roster.document,
        options=options,
        revision=roster.head,
        address=address,
        game=get_game_plan(roster) if options.style is Style.FULL else None,
        outlook=roster.outlook,
        photos=tuple(list_shown_photos(roster)) if has_photos else (),
    )


class SheetToPrint(NamedTuple):
    """A sheet and its file name without an ending, such as "low-water-7-summary" for revision 7 of Low water."""

    job: SheetJob
    name: str


def find_sheet_to_print(
    roster: Roster,
    visitor: Visitor,
    options: SheetOptions,
    number: str,
    content_hash: str,
    build_address: Callable[[str], str],
) -> SheetToPrint | None:
    """Return the sheet of a readable list at a revision, blank for the current one; None if there is no such revision.

    It is veiled if the visitor may not see the whole list. Readers other than the owner need a revision's hash.
    """
    if is_redacted_for(roster, visitor):
        options = replace(options, style=Style.VEILED)
    shown_list = find_shown_revision(roster, number, content_hash, owned=is_owner(visitor, roster))
    if shown_list.paper is PaperState.UNKNOWN:
        return None
    listed = shown_list.roster
    job = create_sheet_job(listed, options, address=build_address(listed.get_absolute_url()))
    kind = "" if options.style is Style.FULL else f"-{options.style.value}"
    return SheetToPrint(job, f"{slugify(listed.name, allow_unicode=True) or 'list'}-{listed.head}{kind}")


def create_unstored_sheet_job(version: PackVersion, faction_id: str, evaluated_list: EvaluatedList) -> SheetJob:
    # An evaluation for the verdict alone has no effective tree to print. An evaluation with the plan has the plan's
    # problems among its own, but the sheet lists them separately.
    is_printable = bool(evaluated_list.report.forces) and not evaluated_list.game
    return SheetJob(
        version=version,
        faction_id=faction_id,
        document=encode_tree(evaluated_list.tree),
        evaluated_list=evaluated_list if is_printable else None,
        game=evaluated_list.game,
    )


@dataclass(frozen=True, slots=True)
class SheetBatchJob(PrintJob):
    """Up to `MOST_SHEETS` lists in one file, each starting on a new sheet of paper.

    `report` receives the number of finished lists.
    """

    jobs: tuple[SheetJob, ...]
    report: Callable[[int], None] = lambda done: None

    @property
    def content(self) -> tuple[object, ...]:
        return tuple(job.key for job in self.jobs)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(text for job in self.jobs for text in job.texts)

    def prepare(self) -> Callable[[], bytes]:
        return partial(self._lay_out, [job.build_sheet() for job in self.jobs])

    def make_pdf(self) -> bytes:
        return self.prepare()()

    def _lay_out(self, sheets: Sequence[ListSheet]) -> bytes:
        blank = lay_out_blank_page(PageLook(paper=self.jobs[0].options.paper))
        documents = []
        pages: list[Any] = []
        labels: dict[int, str] = {}
        for job, sheet in zip(self.jobs, sheets, strict=True):
            documents.append(lay_out_sheet(sheet, job.options))
            # Without a blank page, the list would begin on the back of the one before.
            pages += [blank] * (len(pages) % 2)
            labels[len(pages)] = f"{sheet.title} "
            pages += documents[-1].pages
            self.report(len(documents))
        title = ngettext("%d list", "%d lists", len(documents)) % len(documents) if len(documents) > 1 else ""
        return write_pdf(documents[0], pages, is_duplex=True, labels=labels, title=title)


def lay_out_sheet(sheet: ListSheet, options: SheetOptions) -> Document:
    look = make_look(sheet, options)
    pages = build_sheet_pages(sheet, options, look)
    about = f"{sheet.imprint.game} {sheet.imprint.version}, {sheet.factions}"
    is_numbered = options.style is not Style.POCKET
    html = compose_document(pages, sheet.title, about, saves_ink=look.saves_ink, numbered=is_numbered)
    photos = {photo.key: photo.content for photo in sheet.photos}
    return lay_out(html, PAGE_STYLES, format_paper(look), photos)
