from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from roster.club.models import LedgerEntry, LedgerKind, ModelState, StateChange
from roster.club.services.veterans import LedgerStep
from roster.services.outcomes import Refused
from roster.wording import explain_refusal


def explain_collection_refusal(refused: Refused) -> str:
    fields = {"allowed": refused.allowed, "measured": refused.measured, "name": refused.subject_id}
    match refused.code:
        case "too-few":
            return _("You have %(measured)s of these, not %(allowed)s.") % fields
        case "too-many":
            return _("At most %(allowed)s fit here.") % fields
        case "no-name":
            return _("Write the name of the model.")
        case "bad-number":
            return _("Enter a whole number, at least 1.")
        case "nothing-owned-fits":
            return _("Nothing that you own fits into this list.")
        case "nothing-to-undo":
            return _("Nothing to undo.")
        case "nothing-ticked":
            return _("Tick models first.")
        case "changed-since":
            return (
                _("The number of %(name)s has changed since. Nothing was stored; check the numbers and try again.")
                % fields
            )
        case "too-few-unpainted":
            return _("Of your %(name)s, only %(measured)s are not painted yet.") % fields
        case "too-many-photos":
            return _("A kind of model has at most %(allowed)s photos. Delete one first.") % fields
        case "no-file":
            return _("Choose a file first.")
    return explain_refusal(refused)


def describe_changes(changes: Sequence[StateChange]) -> str:
    """Describe one step: "3 Lychguard: Painted"."""
    change = changes[0]
    kinds = len({one.kind_id for one in changes})
    fields = {
        "number": sum(one.number for one in changes),
        "name": change.kind.name if kinds == 1 else _("models of %(n)s kinds") % {"n": kinds},
    }
    if not change.source:
        return _("%(number)s %(name)s added") % fields
    if not change.target:
        return _("%(number)s %(name)s removed") % fields
    fields |= {"state": ModelState(change.target).label}
    return _("%(number)s %(name)s: %(state)s") % fields


_CLUB_REFUSALS = {
    "no-name": gettext_lazy("Give it a name."),
    "no-room": gettext_lazy("At most %(allowed)s are possible."),
    "full": gettext_lazy("At most %(allowed)s are possible."),
    "last-organiser": gettext_lazy("You are the only organiser. Make someone else an organiser first."),
    "bad-points": gettext_lazy("A win must be worth at least as much as a draw, and a draw as much as a loss."),
    "bad-number": gettext_lazy("Enter a whole number from %(measured)s to %(allowed)s."),
    "bad-score": gettext_lazy("Enter both scores as whole numbers."),
    "bad-moment": gettext_lazy("Enter a day and a time, such as 2027-03-21T19:00."),
    "past-night": gettext_lazy("A club night must start later than now."),
    "far-night": gettext_lazy("Choose a day within the next two years."),
    "late-closing": gettext_lazy("Players must be paired before the club night starts."),
    "past-closing": gettext_lazy("This time has passed. Leave it blank to pair the players yourself."),
    "unknown-zone": gettext_lazy("There is no time zone “%(name)s”."),
    "night-closed": gettext_lazy("This club night takes no more players. Ask an organiser to add you."),
    "night-over": gettext_lazy("This club night is over."),
    "night-played": gettext_lazy("A game of this club night already has a result. Remove the result first."),
    "other-night": gettext_lazy("%(name)s already comes to another club night at that time."),
    "no-rematch": gettext_lazy("These two have already played, and in a round robin all players meet once."),
    "bad-day": gettext_lazy("Enter today’s date or a later one."),
    "no-last-day": gettext_lazy("Round %(measured)s has no games with a last day."),
    "no-results": gettext_lazy(
        "Name the columns in the first line, and write one game in each line below it: date, player A, player B, "
        "score A, score B."
    ),
    "too-many-results": gettext_lazy(
        "There are %(measured)s games in it. At most %(allowed)s can be entered at once: do it in parts."
    ),
    "not-started": gettext_lazy("Start the season first: a round robin pairs all its games then."),
    "unread-day": gettext_lazy("“%(name)s” is not a date. Write it like 2026-03-21 or 21.3.2026."),
    "unclear-day": gettext_lazy("“%(name)s” could be two dates. Write it like 2026-03-21 or 21.3.2026."),
    "future-day": gettext_lazy("%(name)s is in the future."),
    "early-day": gettext_lazy("%(name)s is more than two years before this season. Check the year."),
    "bad-round": gettext_lazy(
        "“%(name)s” is not a round. Enter a number from %(measured)s to %(allowed)s, or nothing."
    ),
    "no-player": gettext_lazy("Two players are needed. Leave byes out."),
    "not-in-season": gettext_lazy(
        "Nobody called “%(name)s” plays in this season. Correct the name, or enter them first."
    ),
    "gone-player": gettext_lazy("%(name)s has left the season. Enter them again first."),
    "same-player": gettext_lazy("%(name)s can’t play against themselves."),
    "unread-scores": gettext_lazy("“%(name)s” is not a result. Enter two whole numbers, such as 18 and 11."),
    "same-game": gettext_lazy("This game is already entered: %(name)s."),
    "no-meeting": gettext_lazy("These two have no game in this season: %(name)s."),
    "same-day": gettext_lazy(
        "These two already have a game on that day: %(name)s. If they played twice, give each game its round."
    ),
    "round-taken": gettext_lazy("%(name)s already has another opponent in round %(measured)s."),
    "no-round": gettext_lazy("Enter the round: in a Swiss system, each game has one."),
    "season-over": gettext_lazy("This season is over."),
    "season-full": gettext_lazy("The rounds are already fixed, so nobody else can enter."),
    "too-few-players": gettext_lazy("At least two players are needed."),
    "too-many-players": gettext_lazy("A round robin takes at most %(allowed)s players. Use the Swiss system for more."),
    "bad-limit": gettext_lazy("Enter a limit from 1 to %(allowed)s, or nothing."),
    "no-rules-at-link": gettext_lazy("There are no published house rules of this game at this link."),
    "unknown-rules": gettext_lazy("These house rules are not published, or are for a different game."),
    "no-event-at-link": gettext_lazy("There is no event at this link that you may see."),
    "draft-event": gettext_lazy("This event is a draft. Its results can count once it is published."),
    "event-of-other-game": gettext_lazy("This event is for a different game."),
    "same-event": gettext_lazy("“%(name)s” is already part of this season."),
    "no-list-chosen": gettext_lazy("Choose one of your lists of this game."),
    "faction-gone": gettext_lazy("This game’s current data lacks the faction of this list."),
    "lists-settled": gettext_lazy("Both lists are settled. An organiser who does not play can reset them."),
    "challenged": gettext_lazy("You two already have a game to play."),
    "too-many-challenges": gettext_lazy("%(allowed)s of your challenges have not been played yet. Play one first."),
    "unknown-place": gettext_lazy("There is no place called “%(name)s”."),
    "own-place": gettext_lazy("You already hold “%(name)s”."),
    "contested-place": gettext_lazy("A game for “%(name)s” is still open."),
    "far-place": gettext_lazy("“%(name)s” is not next to a place that you hold."),
    "held-place": gettext_lazy("%(name)s holds this place, so only they can be challenged for it."),
    "free-place": gettext_lazy("Nobody holds this place. Choose the player to play against."),
    "no-opponent": gettext_lazy("Choose the player to play against."),
    "lost-place": gettext_lazy(
        "“%(name)s” is the stake of an open game. Keep it; if it has a new name, add “was: %(name)s” to its line."
    ),
    "attacked": gettext_lazy("Only %(name)s or an organiser can withdraw a challenge for a place."),
    "has-result": gettext_lazy(
        "This game already has a result: %(name)s. Confirm it, or ask an organiser to correct it."
    ),
    "running-result": gettext_lazy("A game in progress is already entered for this meeting."),
    "scores-changed": gettext_lazy("The result has changed since: it is now %(name)s. Look at it again."),
    "other-player": gettext_lazy("That game was not played against %(name)s."),
    "no-player-name": gettext_lazy("Choose a player name first: others see it on your page and next to your comments."),
    "own-list": gettext_lazy("You can’t like your own list."),
    "blocked-player": gettext_lazy(
        "This player has blocked you: you can neither follow them nor like or comment on their lists."
    ),
    "too-many-followed": gettext_lazy("You can follow at most %(allowed)s players. Unfollow one first."),
    "comments-off": gettext_lazy("Comments on this list are switched off."),
    "too-many-comments": gettext_lazy("You can write at most %(allowed)s comments in an hour. Try again later."),
    "edit-over": gettext_lazy("You can change a comment for %(allowed)s minutes. Write a new one instead."),
    "unknown-comment": gettext_lazy("This comment no longer exists."),
    "game-running": gettext_lazy("End the game first, then write about it."),
    "too-many-moments": gettext_lazy(
        "A report has at most %(allowed)s turning points; %(measured)s are ticked. Untick some."
    ),
    "too-many-photos": gettext_lazy("A report has at most %(allowed)s photos. Delete one first."),
    "no-file": gettext_lazy("Choose a file first."),
    "signed-out": gettext_lazy("Sign in first. What you typed is still here."),
}


def explain_club_refusal(refused: Refused) -> str:
    if refused.code not in _CLUB_REFUSALS:
        return explain_refusal(refused)
    fields = {"allowed": refused.allowed, "measured": refused.measured, "name": refused.subject_id}
    return str(_CLUB_REFUSALS[refused.code]) % fields


def explain_force_refusal(refused: Refused) -> str:
    fields = {"allowed": refused.allowed, "measured": refused.measured, "name": refused.subject_id}
    match refused.code:
        case "no-units":
            return _("Choose units first.")
        case "no-name":
            return _("Write a name.")
        case "same-name":
            return _("Another unit of this force is called “%(name)s”. Choose another name.") % fields
        case "not-injured":
            return _("This unit has no injury called “%(name)s”.") % fields
        case "other-force":
            return _("This list is for a different game or faction than the force.")
        case "data-gone":
            return (
                _(
                    "The version of %(name)s that these units came from is no longer here. The force and its ledger "
                    "stay. Copy the units from a list with current data, then muster again."
                )
                % fields
            )
        case "counted-game":
            return _("This game is already in the ledger. To change its results, undo them first.")
        case "full-ledger":
            return _("A ledger has at most %(allowed)s rows.") % fields
        case "nothing-to-undo":
            return _("Nothing to undo.")
        case "too-many":
            return _("At most %(allowed)s fit here.") % fields
    return explain_refusal(refused)


def describe_entry(entry: LedgerEntry) -> str:
    """Describe a ledger row, without its amount and cost, which pages show next to it."""
    fields = {"name": entry.name}
    match LedgerKind(entry.kind):
        case LedgerKind.JOINED:
            return _("Joined as %(name)s") % fields
        case LedgerKind.NAME:
            return _("Named %(name)s") % fields
        case LedgerKind.STORY:
            return _("Story written")
        case LedgerKind.GAME if entry.amount:
            return _("Survived: %(name)s") % fields
        case LedgerKind.GAME:
            return _("Destroyed: %(name)s") % fields
        case LedgerKind.HONOUR:
            return _("Honour: %(name)s") % fields
        case LedgerKind.INJURY:
            return _("Injury: %(name)s") % fields
        case LedgerKind.HEALED:
            return _("Healed: %(name)s") % fields
        case LedgerKind.EXPERIENCE | LedgerKind.COUNTER if entry.name:
            return entry.name
    return str(LedgerKind(entry.kind).label)


def describe_step(step: LedgerStep) -> str:
    """Describe one action's rows: "The Third Bank: Honour: Mud runners"."""
    first = step.entries[0]
    if step.kind == LedgerKind.UNDO:
        return _("Undone")
    if step.kind == LedgerKind.GAME:
        number = len({entry.veteran_id for entry in step.entries})
        units = ngettext("%(n)d unit", "%(n)d units", number) % {"n": number}
        return _("Game: %(name)s, %(units)s") % {"name": first.name, "units": units}
    if not step.name:
        number = len(step.entries)
        return ngettext("%(n)d unit joined or changed", "%(n)d units joined or changed", number) % {"n": number}
    return _("%(unit)s: %(what)s") % {"unit": step.name, "what": describe_entry(first)}


def write_figure(entry: LedgerEntry, experience: str) -> str:
    """Write what a row adds: "+2 xp", or an honour's or injury's cost, "+4"."""
    if entry.kind == LedgerKind.EXPERIENCE:
        return f"{entry.amount:+d} {experience}"
    if entry.kind in (LedgerKind.KILLS, LedgerKind.COUNTER):
        return f"{entry.amount:+d}"
    return f"{entry.cost:+d}" if entry.cost else ""
