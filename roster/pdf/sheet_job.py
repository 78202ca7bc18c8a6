"""The door to the printed sheet: a list in, the bytes of a PDF out."""

import json
import time
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from roster.engine.plan import GamePlan
from roster.engine.report import Violation
from roster.models import Roster
from roster.pdf.bibliography import Sources
from roster.pdf.cache import SheetCache
from roster.pdf.html import accent_of, attempts, styles_of
from roster.pdf.render_lock import Busy, TooSlowError, turn
from roster.pdf.renderer_version import program_stamp
from roster.pdf.shapes import Imprint, Problem, Rule, Settled, Sheet
from roster.pdf.sheet_model import ERROR, sheet_model
from roster.pdf.sheet_options import SheetOptions, Style
from roster.services.deck_board import beside_decks, cards_of_game
from roster.services.evaluation import EvaluatedList, encode_tree, evaluate_list, hash_document
from roster.services.list_check import Checked
from roster.services.plan_board import plan_board
from roster.services.plans import NO_REVISION, Planned, game_of, planned_in
from roster.services.revisions import address_at
from roster.services.rulesets import Books
from roster.wording import plan_lines, sentence
from roster.wording.list_facts import facts
from roster.wording.reminders import reminders

__all__ = ["Busy", "Order", "order_for", "order_of", "render_sheet"]

LONGEST_WAIT = 10
DEFAULT = SheetOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Everything that a sheet depends on but the program. `judged` saves judging again, where it is at hand.

    `game` is how the list is to be played, for the owner's own sheets.
    """

    version: PackVersion
    faction_id: str
    document: str
    options: SheetOptions = DEFAULT
    revision: int = 0
    address: str = ""
    judged: EvaluatedList | None = None
    game: GamePlan | None = None

    @property
    def imprint(self) -> Imprint:
        """What the sheet says besides the list."""
        game, content_hash = self.version.game, hash_document(self.document)
        return Imprint(
            game=str(game),
            version=self.version.label,
            revision=self.revision,
            content_hash=content_hash,
            link=address_at(self.address, self.revision, content_hash) if self.address else "",
            notice=game.notice,
            accent=game.accents[0],
        )

    @property
    def key(self) -> str:
        """The hash that the finished sheet is kept under, in hexadecimal: equal keys, equal bytes."""
        parts = [
            program_stamp(),
            get_language(),
            self.version.content_hash,
            self.faction_id,
            *astuple(self.options),
            *astuple(self.imprint),
            planned_in(self.game) if self.game else "",
        ]
        return sha256(json.dumps(parts).encode()).hexdigest()


def order_of(roster: Roster, options: SheetOptions = DEFAULT, *, address: str = "") -> Order:
    """The sheet of what a stored list is now. `address` is that of its read-only page, for the QR code."""
    return Order(
        version=roster.version,
        faction_id=roster.faction_id,
        document=roster.document,
        options=options,
        revision=roster.head,
        address=address,
        game=game_of(roster) if options.style is Style.FULL else None,
    )


def order_for(checked: Checked, options: SheetOptions = DEFAULT) -> Order:
    """The sheet of a list that is not stored: it has no address, but the hash of exactly this list."""
    return Order(
        version=checked.version,
        faction_id=checked.faction.faction_id,
        document=encode_tree(checked.judged.tree),
        options=options,
        judged=checked.judged if checked.judged.report.forces and not checked.judged.game else None,
        game=checked.judged.game if options.style is Style.FULL else None,
    )


def render_sheet(what: Order | Checked | Roster, options: SheetOptions = DEFAULT) -> bytes:
    """The PDF of a list. The same list by the same data gives the same bytes; what was made once is not made again.

    `options` count for a list; an order has its own. Raises Busy when it cannot be made now.
    """
    if isinstance(what, Checked):
        what = order_for(what, options)
    elif isinstance(what, Roster):
        what = order_of(what, options)
    kept = SheetCache(_setting("PDF_CACHE_DIR"), _setting("PDF_CACHE_MAX_BYTES"))
    key = what.key
    if pdf := kept.get(key):
        return pdf
    with turn(kept.folder, _setting("PDF_LAYOUTS_AT_ONCE"), min(LONGEST_WAIT, _setting("PDF_SECONDS"))):
        # Somebody may have made it while this one waited.
        pdf = kept.get(key) or _made(what, key)
    kept.put(key, pdf)
    return pdf


def _setting(name: str) -> Any:
    return settings.ARMYBUILDER[name]


def _made(order: Order, key: str) -> bytes:
    from roster.pdf.render import to_pdf  # takes half a second, which only sheets have to wait for

    end = time.monotonic() + _setting("PDF_SECONDS")
    sheet = ordered_sheet(order)
    try:
        for attempt in attempts(sheet, order.options):
            pdf = to_pdf(
                attempt.html,
                styles_of(order.options),
                accent=accent_of(sheet, order.options),
                identifier=key[:32].encode(),
                end=end,
                pages=attempt.pages,
            )
            if pdf is not None:
                return pdf
    except TooSlowError as error:
        raise Busy(f"the layout took too long: {error}", too_slow=True) from error
    raise AssertionError("the last attempt counts in any case")


def ordered_sheet(order: Order) -> Sheet:
    """What stands on the sheet that was ordered."""
    judged = order.judged or evaluate_list(order.version, order.faction_id, order.document)
    game = ", ".join(filter(None, (order.imprint.game, judged.overlay_name)))
    imprint = replace(order.imprint, game=game, player=judged.tree.player, event=judged.tree.event)
    sheet = sheet_of(judged, imprint)
    return replace(sheet, plan=_plan(order, order.game)) if order.game else sheet


def _plan(order: Order, game: GamePlan) -> tuple[Settled, ...]:
    """The plan line by line, then the rules it breaks."""
    roster = Roster(version=order.version, faction_id=order.faction_id, document=order.document)
    board = plan_board(roster, Planned(game=game, revision=NO_REVISION))
    specials = [Settled(label=special.name, values=(special.text,)) for special in board.specials]
    broken = [_problem(violation, board.judged.books) for violation in board.violations]
    return (
        *(Settled(label=line.label, values=line.values) for line in plan_lines(board)),
        *specials,
        *(Settled(label=found.name, values=(found.text,), sign=_sign(found)) for found in broken),
    )


def _sign(problem: Problem) -> str:
    return "✕" if problem.severity == ERROR else "!"


def sheet_of(judged: EvaluatedList, imprint: Imprint) -> Sheet:
    """What stands on the sheet of a judged list."""
    sources = Sources(judged.books)
    made = sheet_model(
        judged.report,
        imprint,
        title=judged.tree.name or _("A list without a name"),
        problems=[_problem(violation, judged.books) for violation in judged.report.violations],
        cite=sources.cite,
        notes=judged.tree.notes,
        cards=cards_of_game(judged.ruleset),
        beside=beside_decks(judged.ruleset),
        facts=[
            (fact.name, fact.value, fact.text.rstrip(".") if fact.reason else "")
            for fact in facts(judged.report)
        ],
    )
    kept = [
        Rule(name=one.name, text=(one.text,), citation=sources.cite(one.place)) for one in reminders(judged)
    ]
    return replace(made, reminders=tuple(kept), sources=sources.lines)


def _problem(violation: Violation, books: Books) -> Problem:
    said = sentence(violation, books)
    text = " ".join(filter(None, [said.text, said.detail]))
    named = not said.where or said.where in said.headline or said.where in text
    return Problem(
        name=said.headline if named else f"{said.headline} ({said.where})",
        text=text,
        citation=said.citation,
        severity=said.severity,
        places=tuple(place.id for place in (violation.on, *violation.cause) if place.id),
    )
