"""The sentences of events: why something is refused, what house rules contradict, what somebody did."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from roster import wording
from roster.events.house_rules.document import Contradiction
from roster.events.services.judging import RulesProblem
from roster.services.outcomes import Refused

_REFUSALS = {
    "no-name": gettext_lazy("Give it a name."),
    "no-text": gettext_lazy("Write something first."),
    "no-reason": gettext_lazy("Say why the list is returned: the player reads it."),
    "no-withdrawal-reason": gettext_lazy("Say why the penalty is withdrawn."),
    "no-lists": gettext_lazy("There is no list to print yet."),
    "no-list": gettext_lazy("There is no list yet."),
    "no-checker": gettext_lazy("Choose who checks."),
    "moved-on": gettext_lazy("The player has submitted another list since. Look at that one first."),
    "not-open": gettext_lazy("This event takes no lists now."),
    "too-late": gettext_lazy("The deadline has passed, so this list was not taken. Ask an organiser for a late pass."),
    "too-many": gettext_lazy("You can submit at most %(allowed)s times."),
    "full": gettext_lazy("All %(allowed)s seats are taken."),
    "no-room": gettext_lazy("At most %(allowed)s are possible."),
    "last-organiser": gettext_lazy("You are the only organiser. Make somebody else one first."),
    "stays-blind": gettext_lazy("You play in this event, so another organiser has to lift this."),
    "unknown-person": gettext_lazy("Nobody here has that mail address or player name."),
    "unknown-version": gettext_lazy("That data version isn't available on this server."),
    "unknown-zone": gettext_lazy("There is no time zone “%(name)s”."),
    "shown-too-early": gettext_lazy("Lists can be shown once the deadline has passed, not before."),
    "has-lists": gettext_lazy("Players have submitted lists, so this event can be closed, but not be a draft."),
    "pass-too-early": gettext_lazy("A late pass has to end later than the deadline."),
    "window-before-deadline": gettext_lazy("Corrections can begin when the deadline has passed, not before."),
    "window-ends-first": gettext_lazy("The end has to be later than the beginning."),
    "windows-overlap": gettext_lazy("There is a correction window at that time already."),
    "bad-penalty": gettext_lazy("This line of the table is not understood: “%(name)s”."),
    "no-pairings": gettext_lazy(
        "There are no pairings in this. A table needs a column for each of the two players, JSON a list of rounds."
    ),
    "too-many-rows": gettext_lazy("These are more pairings than an event has."),
    "paired-twice": gettext_lazy("“%(name)s” plays twice in one round. Nothing was taken in."),
    "bad-round": gettext_lazy("Rounds are numbered from 1 to %(allowed)s."),
    "bad-number": gettext_lazy("Enter a number."),
    "bad-moment": gettext_lazy("Enter a day and a time."),
    "not-captain": gettext_lazy("Only the captain of a team can do this."),
    "team-fixed": gettext_lazy("The deadline has passed. An organiser can still change the team."),
    "unknown-captain": gettext_lazy(
        "Nobody who could be captain has that mail address or player name. They have to join the event first."
    ),
    "team-full": gettext_lazy("A team has %(allowed)s players and as many reserves."),
    "name-taken": gettext_lazy("There is a team of that name already."),
    "no-archive": gettext_lazy("This is neither a ZIP archive nor a table with one list per line."),
    "empty-archive": gettext_lazy("There is no list in this file."),
    "no-list-at-link": gettext_lazy("There is no list at this link that you may read."),
    "several-lists": gettext_lazy("There are several lists in this text. Submit one."),
    "unknown-list": gettext_lazy("No list was recognised in this."),
    "wrong-game": gettext_lazy("This list is of another game."),
    "too-big": gettext_lazy("This file is larger than any list."),
    "too-slow": gettext_lazy("This list takes too long to judge. An organiser has to look at it."),
}

_CONTRADICTIONS = {
    "at-least-over-at-most": gettext_lazy(
        "“%(name)s”: at least %(first)s and at most %(second)s. No list can keep to both."
    ),
    "ban-and-cap": gettext_lazy("“%(name)s” is banned, but every list needs at least %(first)s."),
    "banned-twice": gettext_lazy("“%(name)s” is banned twice. Keep one of the two."),
    "capped-apart": gettext_lazy("“%(name)s” has another cap in line %(first)s, and no number keeps to both."),
    "limit-zero": gettext_lazy("A limit of 0 %(name)s leaves no list."),
    "limit-twice": gettext_lazy("“%(name)s” is limited twice. Keep one of the two."),
    "least-too-dear": gettext_lazy(
        "Every list needs “%(name)s”, which costs at least %(first)s, but may cost %(second)s at most."
    ),
    "nothing-asked": gettext_lazy("“%(name)s”: say “at most” or “at least”."),
}

_OUTCOMES = {
    "taken": gettext_lazy("Taken in"),
    "changed": gettext_lazy("Verdict changed"),
    "no-player": gettext_lazy("The file does not say whose list this is."),
    "several-not-kept": gettext_lazy(
        "Several players are called so. Upload this list again with a mail address or a team that tells them apart."
    ),
    "several-players": gettext_lazy("Several players are called so. Choose whose list this is."),
}

COLUMNS = {
    "first": gettext_lazy("First player"),
    "second": gettext_lazy("Second player"),
    "table": pgettext_lazy("furniture", "Table"),
    "round": gettext_lazy("Round"),
    "first_points": gettext_lazy("Points of the first"),
    "second_points": gettext_lazy("Points of the second"),
}
"""What a column of a table of pairings may mean."""

ACTS = {
    "create": gettext_lazy("began the event"),
    "copy": gettext_lazy("copied the event from"),
    "change": gettext_lazy("changed settings"),
    "rules": gettext_lazy("changed the house rules"),
    "version": gettext_lazy("changed the data version"),
    "draft": gettext_lazy("made it a draft"),
    "open": gettext_lazy("opened the event"),
    "closed": gettext_lazy("closed the event"),
    "new-link": gettext_lazy("replaced the invitation link"),
    "add-organiser": gettext_lazy("added an organiser"),
    "add-judge": gettext_lazy("added a judge"),
    "remove-role": gettext_lazy("removed a helper"),
    "leave": gettext_lazy("left the event"),
    "inherit": gettext_lazy("became organiser, because the last one left"),
    "orphaned": gettext_lazy("closed the event, because nobody runs it any more"),
    "blind": gettext_lazy("hid the lists of others from"),
    "seeing": gettext_lazy("showed the lists of others to"),
    "enter": gettext_lazy("entered"),
    "drop": gettext_lazy("took out"),
    "return-player": gettext_lazy("took back in"),
    "submit": gettext_lazy("submitted a list"),
    "look": pgettext_lazy("act", "looked at the list"),
    "accepted": gettext_lazy("accepted the list"),
    "returned": gettext_lazy("returned the list"),
    "new": gettext_lazy("took the decision back"),
    "comment-player": gettext_lazy("wrote to the player"),
    "comment-organisers": gettext_lazy("wrote a note"),
    "late-pass": gettext_lazy("gave a late pass"),
    "window": gettext_lazy("set a correction window"),
    "assign": gettext_lazy("shared out lists to check"),
    "checked": gettext_lazy("checked the list"),
    "penalty-confirmed": gettext_lazy("confirmed a penalty"),
    "penalty-withdrawn": gettext_lazy("withdrew a penalty"),
    "penalty-dismissed": gettext_lazy("dismissed a penalty"),
    "recheck": gettext_lazy("checked all lists again"),
    "upload": gettext_lazy("uploaded lists"),
    "export": gettext_lazy("took all data away"),
    "print": gettext_lazy("printed all lists"),
    "paper": gettext_lazy("checked a print-out"),
    "print-tables": gettext_lazy("printed table sheets of round"),
    "pairings": gettext_lazy("took in pairings of round"),
    "publish": gettext_lazy("showed players round"),
    "unpublish": gettext_lazy("hid from players round"),
    "delete-round": gettext_lazy("took away round"),
    "results": gettext_lazy("entered results of round"),
    "team": gettext_lazy("made a team"),
    "captain": gettext_lazy("made somebody captain"),
    "remove-member": gettext_lazy("took out of the team"),
    "swap": gettext_lazy("swapped in a reserve"),
}


def explain_refusal(refused: Refused) -> str:
    """Explain why something was not done in an event."""
    sentence = _REFUSALS.get(refused.code)
    if sentence is None:
        return wording.explain_refusal(refused)
    return str(sentence) % {"allowed": refused.allowed, "name": refused.subject_id}


def explain_rules_problem(problem: RulesProblem) -> str:
    """Explain what is wrong with house rules, with the line."""
    if isinstance(problem, Contradiction):
        words = {"name": problem.name, "first": problem.first, "second": problem.second}
        return _locate_problem(problem.line, str(_CONTRADICTIONS[problem.code]) % words)
    return _locate_problem(problem.line, str(wording.explain_unreadable(problem)))


def _locate_problem(line: int, text: str) -> str:
    return _("Line %(line)s: %(text)s") % {"line": line, "text": text} if line else text


def explain_outcome(code: str) -> str:
    """Say what came of one list among many."""
    if code in _OUTCOMES:
        return str(_OUTCOMES[code])
    return explain_refusal(Refused(code=code))


def explain_unread_list(code: str, text: str) -> str:
    """Explain why a submitted list has no verdict; `text` is what the reader said."""
    return text or explain_refusal(Refused(code=code))
