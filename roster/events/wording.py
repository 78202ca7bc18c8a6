from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogue.definitions.numbers import Number, format_number
from roster import wording
from roster.events.house_rules.document import ONE_ARMY, Contradiction, HouseRules, WrittenRule, describe_things
from roster.events.models.event import ListVerdict
from roster.events.services.judging import RulesProblem
from roster.services.outcomes import Refused
from roster.wording.documents import OTHER_FILES

_REFUSALS = {
    **OTHER_FILES,
    "no-name": gettext_lazy("Give it a name."),
    "no-text": gettext_lazy("Write something first."),
    "no-reason": gettext_lazy("Say why you return the list: the player will read it."),
    "no-withdrawal-reason": gettext_lazy("Say why the penalty is withdrawn."),
    "reported": gettext_lazy("The score of this table has already been entered. A helper of the event can change it."),
    "no-tables": gettext_lazy("There are no pairings for this round yet. Import them first."),
    "no-lists": gettext_lazy("There is no list to print yet."),
    "no-list": gettext_lazy("There is no list yet."),
    "no-checker": gettext_lazy("Choose who checks."),
    "none-ticked": gettext_lazy("Tick at least one list."),
    "moved-on": gettext_lazy("The player has submitted another list since. Look at that one first."),
    "not-open": gettext_lazy("This event is not accepting lists at the moment."),
    "too-late": gettext_lazy("The deadline has passed, so this list was not taken. Ask an organiser for a late pass."),
    "before-window": gettext_lazy("Your list was returned. You can correct it from %(name)s."),
    "too-many": gettext_lazy("You can submit at most %(allowed)s times."),
    "full": gettext_lazy("All %(allowed)s seats are taken."),
    "no-room": gettext_lazy("At most %(allowed)s are possible."),
    "last-organiser": gettext_lazy("You are the only organiser. Make someone else an organiser first."),
    "stays-blind": gettext_lazy("You play in this event, so another organiser has to lift this."),
    "unknown-person": gettext_lazy("No player here has that email address or player name."),
    "unknown-version": gettext_lazy("That data version isn't available on this server."),
    "unknown-zone": gettext_lazy("There is no time zone “%(name)s”."),
    "shown-too-early": gettext_lazy("Lists can be shown once the deadline has passed, not before."),
    "has-lists": gettext_lazy("Players have submitted lists, so this event can be closed, but not made a draft again."),
    "pass-too-early": gettext_lazy("A late pass has to end later than the deadline."),
    "window-before-deadline": gettext_lazy("Corrections can begin when the deadline has passed, not before."),
    "window-ends-first": gettext_lazy("The end has to be after the beginning."),
    "windows-overlap": gettext_lazy("There is already a correction window at that time."),
    "bad-penalty": gettext_lazy("This line of the table is not understood: “%(name)s”."),
    "no-pairings": gettext_lazy(
        "This contains no pairings. A table needs a column for each of the two players, JSON a list of rounds."
    ),
    "too-many-rows": gettext_lazy("There are more pairings here than an event can have."),
    "paired-twice": gettext_lazy("“%(name)s” plays twice in one round. Nothing was imported."),
    "bad-round": gettext_lazy("Rounds are numbered from 1 to %(allowed)s."),
    "bad-number": gettext_lazy("Enter a number."),
    "bad-moment": gettext_lazy("Enter a date and a time."),
    "not-captain": gettext_lazy("Only the captain of a team can do this."),
    "team-fixed": gettext_lazy("The deadline has passed. An organiser can still change the team."),
    "unknown-captain": gettext_lazy(
        "No possible captain has that email address or player name. They have to join the event first."
    ),
    "team-full": gettext_lazy("A team has %(allowed)s players and as many reserves."),
    "name-taken": gettext_lazy("There is already a team with that name."),
    "no-archive": gettext_lazy("This is neither a ZIP archive nor a table with one list per line."),
    "no-list-column": gettext_lazy("No column of this table has the lists. Call it “list”."),
    "no-player-column": gettext_lazy("No column of this table has the players. Call it “player”."),
    "empty-archive": gettext_lazy("There is no list in this file."),
    "no-rules-at-link": gettext_lazy("There are no published house rules of this game at this link."),
    "no-list-at-link": gettext_lazy("There is no list at this link that you may read."),
    "several-lists": gettext_lazy("There are several lists in this text. Submit one."),
    "unknown-list": gettext_lazy("No list was recognised in this."),
    "wrong-game": gettext_lazy("This list is for a different game."),
    "too-big": gettext_lazy("This file is larger than any list."),
    "too-many-detachments": gettext_lazy("This list has more detachments than any list may have."),
    "too-slow": gettext_lazy("This list takes too long to judge. An organiser has to look at it."),
}

_CONTRADICTIONS = {
    "at-least-over-at-most": gettext_lazy(
        "“%(name)s”: at least %(first)s and at most %(second)s. No list can satisfy both."
    ),
    "ban-and-cap": gettext_lazy("“%(name)s” is banned in line %(other)s, but every list needs at least %(first)s."),
    "banned-twice": gettext_lazy("“%(name)s” is already banned in line %(other)s. Keep one of the two."),
    "capped-apart": gettext_lazy("“%(name)s” has a different cap in line %(other)s, and no number satisfies both."),
    "limit-zero": gettext_lazy("With a limit of 0 %(name)s no list is possible."),
    "limit-twice": gettext_lazy("“%(name)s” already has a limit in line %(other)s. Keep one of the two."),
    "least-too-dear": gettext_lazy(
        "Every list needs “%(name)s”, which costs at least %(first)s, "
        "but by line %(other)s may cost at most %(second)s."
    ),
    "nothing-asked": gettext_lazy("“%(name)s”: say “at most” or “at least”."),
    "nobody-plays": gettext_lazy("With 0 “%(name)s” nobody has an army. Write at least 1."),
    "rules-collide": gettext_lazy("No list can satisfy all of these: %(rules)s."),
}

_OUTCOMES = {
    "taken": gettext_lazy("Imported"),
    "beside-a-list": gettext_lazy("Left out, because this player’s list is in another file."),
    "changed": gettext_lazy("Verdict changed"),
    "still-unread": gettext_lazy("Still unreadable"),
    "no-list": gettext_lazy("The table has no list for this player."),
    "no-player": gettext_lazy("The file does not say whose list this is."),
    "several-not-kept": gettext_lazy(
        "Several players have this name. Upload this list again with an email address or a team that tells them apart."
    ),
    "several-players": gettext_lazy("Several players have this name. Choose whose list this is."),
}

COLUMNS = {
    "first": gettext_lazy("First player"),
    "second": gettext_lazy("Second player"),
    "table": pgettext_lazy("furniture", "Table"),
    "round": gettext_lazy("Round"),
    "first_points": gettext_lazy("Points of the first"),
    "second_points": gettext_lazy("Points of the second"),
}
"""The meanings of columns in a table of pairings."""

ACTS = {
    "create": gettext_lazy("began the event"),
    "copy": gettext_lazy("copied the event from"),
    "change": gettext_lazy("changed settings"),
    "rules": gettext_lazy("changed the house rules"),
    "homebrew": gettext_lazy("chose whose values count"),
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
    "orphaned": gettext_lazy("closed the event, because it no longer has an organiser"),
    "blind": gettext_lazy("hid other players’ lists from"),
    "seeing": gettext_lazy("showed other players’ lists to"),
    "enter": gettext_lazy("entered"),
    "drop": gettext_lazy("took out"),
    "return-player": gettext_lazy("took back in"),
    "submit": gettext_lazy("submitted a list"),
    "look": pgettext_lazy("act", "looked at the list"),
    "entries": gettext_lazy("looked at the table of all lists"),
    "search": gettext_lazy("searched all lists for"),
    "numbers": gettext_lazy("looked at the numbers of all lists"),
    "suggest": gettext_lazy("let the event suggest penalties for"),
    "accepted": gettext_lazy("accepted the list"),
    "returned": gettext_lazy("returned the list"),
    "new": gettext_lazy("withdrew the decision"),
    "comment-player": gettext_lazy("wrote to the player"),
    "comment-organisers": gettext_lazy("wrote a note"),
    "late-pass": gettext_lazy("gave a late pass"),
    "late-pass-removed": gettext_lazy("withdrew the late pass of"),
    "window": gettext_lazy("set a correction window"),
    "window-changed": gettext_lazy("changed a correction window"),
    "window-removed": gettext_lazy("removed a correction window"),
    "assign": gettext_lazy("assigned lists to check"),
    "checked": gettext_lazy("checked the list"),
    "penalty-confirmed": gettext_lazy("confirmed a penalty"),
    "penalty-withdrawn": gettext_lazy("withdrew a penalty"),
    "penalty-dismissed": gettext_lazy("dismissed a penalty"),
    "recheck": gettext_lazy("checked all lists again"),
    "reread": gettext_lazy("reread, with different data, the list of"),
    "upload": gettext_lazy("uploaded lists"),
    "export": gettext_lazy("exported all data"),
    "print": gettext_lazy("printed all lists"),
    "paper": gettext_lazy("checked a printout"),
    "print-papers": gettext_lazy("printed for the tables:"),
    "print-tables": gettext_lazy("printed table sheets of round"),
    "pairings": gettext_lazy("imported pairings of round"),
    "publish": gettext_lazy("published the pairings of round"),
    "unpublish": gettext_lazy("hid the pairings of round"),
    "delete-round": gettext_lazy("deleted the pairings of round"),
    "results": gettext_lazy("entered results of round"),
    "team": gettext_lazy("made a team"),
    "captain": gettext_lazy("appointed a captain"),
    "remove-member": gettext_lazy("took out of the team"),
    "swap": gettext_lazy("swapped in a reserve"),
}


def explain_refusal(refused: Refused) -> str:
    sentence = _REFUSALS.get(refused.code)
    if sentence is None:
        return wording.explain_refusal(refused)
    return str(sentence) % {"allowed": refused.allowed, "name": refused.subject_id}


def explain_rules_problem(problem: RulesProblem) -> str:
    if isinstance(problem, Contradiction):
        words = {
            "name": problem.name,
            "first": problem.first,
            "second": problem.second,
            "other": problem.other_line,
            "rules": ", ".join(_("“%(name)s” (line %(line)s)") % asdict(rule) for rule in problem.rules),
        }
        return _locate_problem(problem.line, str(_CONTRADICTIONS[problem.code]) % words)
    return _locate_problem(problem.line, str(wording.explain_unreadable(problem)))


def _locate_problem(line: int, text: str) -> str:
    return _("Line %(line)s: %(text)s") % {"line": line, "text": text} if line else text


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    name: str = ""
    demand: str
    text: str = ""
    source: str = ""


def list_rule_lines(rules: HouseRules) -> list[RuleLine]:
    """List the house rules in the order of `docs/events.md`."""
    described: list[tuple[WrittenRule, str, str]] = []
    for limit in rules.limits:
        described.append((limit, limit.type.value, _describe_range(0, limit.value)))
    if rules.detachments:
        names = describe_things(rules.allowed_detachments)
        described.append((rules.detachments, names, _("no other detachments")))
    for ban in rules.bans:
        described.append((ban, describe_things(ban.what), _("not allowed")))
    for cap in rules.caps:
        described.append((cap, describe_things(cap.what), _describe_range(cap.least, cap.most)))
    if rules.same_faction is not ONE_ARMY:
        demand = _describe_range(0, rules.same_faction.most)
        described.append((rules.same_faction, _("One faction in a team"), demand))

    lines = [
        RuleLine(name=name, demand=demand, text=rule.text, source=rules.get_source(rule))
        for rule, name, demand in described
    ]
    notes = [RuleLine(demand=_("Not checked"), text=note.note, source=rules.get_source(note)) for note in rules.notes]
    return lines + notes


def _describe_range(least: Number, most: Number | None) -> str:
    if most is None:
        return _("at least %(least)s") % {"least": format_number(least)} if least else _("no limit")
    if not least:
        return _("at most %(most)s") % {"most": format_number(most)}
    return _("%(least)s to %(most)s") % {"least": format_number(least), "most": format_number(most)}


def describe_verdict(verdict: str, report: Mapping[str, Any]) -> str:
    """Return a verdict in words. A report says how far a text was read, and by whose rules a list is legal."""
    if verdict == ListVerdict.AS_READ and (as_read := report.get("as_read")):
        return str(as_read)
    if verdict == ListVerdict.BY_RULES and (word := report.get("word")):
        return str(word)
    return str(ListVerdict(verdict).label) if verdict else _("No list")


def explain_outcome(code: str) -> str:
    if code in _OUTCOMES:
        return str(_OUTCOMES[code])
    return explain_refusal(Refused(code=code))


def describe_uploaded(line: Mapping[str, str]) -> str:
    outcome, reading = explain_outcome(line["outcome"]), line.get("reading", "")
    if "unread" in line:
        sentence = reading or explain_refusal(Refused(code=line["unread"]))
    else:
        sentence = f"{outcome}: {reading}" if reading else outcome
    if faction := line.get("faction"):
        sentence += " " + _("The table says %(faction)s.") % {"faction": faction}
    return sentence


def explain_unread_list(report: Mapping[str, Any]) -> str:
    unreadable = report.get("unreadable")
    if not unreadable:
        return ""
    # The reader's explanation is more precise than the sentence of its code.
    text: str = unreadable["text"]
    return text or explain_refusal(Refused(code=unreadable["code"]))
