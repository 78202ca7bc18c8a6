from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.definitions.identity import UNKNOWN
from catalogue.definitions.numbers import format_number
from catalogue.views.decorators import allow
from roster.club.models import LedgerKind
from roster.club.services.forces import find_force_face
from roster.club.services.veterans import ForceRoll, VeteranState, describe_gear, load_roll
from roster.club.views.forces import own_force
from roster.club.wording import describe_entry, write_figure
from roster.pdf.imposition.card_face import CardFamily, Face, FaceBlock, FaceRow, PrintCard
from roster.pdf.order_of_battle import LedgerRow, OrderOfBattleJob, VeteranRecord
from roster.pdf.sheet_options import PaperSize
from roster.views.paper.cards import answer_cards
from roster.views.paper.sheets import answer_print, read_asked_options


@allow("GET")
def print_force(request: HttpRequest, public_id: str) -> HttpResponse:
    force = own_force(request, public_id)
    roll, face = load_roll(force), find_force_face(force)
    about = [force.game_name, roll.table.name, _("%(n)s points") % {"n": format_number(roll.total)}]
    job = OrderOfBattleJob(
        title=force.name,
        about=" · ".join(filter(None, about)),
        experience=roll.table.experience,
        total=format_number(roll.total),
        units=tuple(describe_veteran(roll, state) for state in roll.present),
        paper=read_asked_options({"paper": request.GET.get("paper", PaperSize.A4)}).paper,
        identity=face.identity if face else UNKNOWN,
    )
    return answer_print(request, job, slugify(force.name, allow_unicode=True) or "force")


def describe_veteran(roll: ForceRoll, state: VeteranState) -> VeteranRecord:
    entries = [line.entry for line in reversed(state.lines) if line.stands]
    return VeteranRecord(
        name=state.name,
        gear=describe_gear(state.unit, state.name),
        rank=state.rank.name if state.rank else "",
        marks=tuple((mark.name, mark.text) for mark in (*state.honours, *state.injuries)),
        counters=tuple(state.counted),
        experience=state.experience,
        games=state.games,
        kills=state.kills,
        points=state.unit.points,
        cost=f"{state.cost:+d}" if state.cost else "",
        total=format_number(state.total),
        story=" ".join(state.story.split()),
        lines=tuple(
            LedgerRow(
                day=date_format(timezone.localtime(entry.created), _("j M Y")),
                text=describe_entry(entry),
                figure=write_figure(entry, roll.table.experience),
            )
            for entry in entries
            if entry.kind not in (LedgerKind.STORY, LedgerKind.UNDO)
        ),
    )


@allow("GET")
def print_force_cards(request: HttpRequest, public_id: str) -> HttpResponse:
    force = own_force(request, public_id)
    roll, face = load_roll(force), find_force_face(force)
    family = CardFamily(_("Force"), "flag")
    cards = []
    for state in roll.present:
        record = describe_veteran(roll, state)
        front, back = build_faces(record, roll.table.experience)
        cards.append(PrintCard(key=f"veteran-{state.veteran.pk}", front=front, back=back, family=family))
    return answer_cards(request, force.game, cards, force.name, face.identity if face else UNKNOWN)


def build_faces(record: VeteranRecord, experience: str) -> tuple[Face, Face | None]:
    """Return a unit card's front, and its back if it has a story."""
    numbers = [(experience, record.experience), (_("Games"), record.games), (_("Kills"), record.kills)]
    rows = tuple(FaceRow(name=name, value=str(number)) for name, number in (*numbers, *record.counters))
    marks = tuple(f"{name}: {text}" if text else name for name, text in record.marks)
    blocks = [FaceBlock(rows=rows)]
    if marks:
        blocks.append(FaceBlock(label=_("Honours and injuries"), texts=marks))
    front = Face(
        title=record.name, kicker=record.rank or _("Unit"), corner=record.total, lead=record.gear, blocks=tuple(blocks)
    )
    if not record.story:
        return front, None
    return front, Face(title=record.name, kicker=_("Story"), blocks=(FaceBlock(texts=(record.story,)),))
