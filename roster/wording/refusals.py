"""Explain why an edit was refused, and describe edits in the history."""

from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from catalogue.definitions.numbers import format_number
from roster.services.outcomes import Conflict, ConflictingRevision, Refused

_REFUSALS = {
    "bad-change": gettext_lazy("We couldn’t read this form. Reload the page and try again."),
    "bad-plan": gettext_lazy("The plan names something that isn’t there. Reload the page and try again."),
    "bad-day": gettext_lazy("Enter a date up to today, like 2026-02-28."),
    "bad-number": gettext_lazy("That isn’t a valid number here."),
    "too-deep": gettext_lazy("That is nested too deeply."),
    "needs-account": gettext_lazy("You need an account to make a list public. Sign up or sign in first."),
    "needs-photo-account": gettext_lazy("You need an account to add photos. Sign up or sign in first."),
    "no-photos": gettext_lazy("This site stores no photos."),
    "photo-animated": gettext_lazy("This picture is animated. Choose a still one."),
    "photo-heic": gettext_lazy(
        "We can’t read HEIC and AVIF photos. Save it as JPEG first: share or export it as JPEG, or set your camera to "
        "“Most compatible”."
    ),
    "photo-unreadable": gettext_lazy(
        "This is not a photo that we can read, or the file is damaged. Choose a JPEG, PNG or WebP file."
    ),
    "photo-unstored": gettext_lazy("The server could not store the photo. Nothing was changed. Try again later."),
    "private-game": gettext_lazy("This list is for its owner’s private game: you can read it, but not copy it."),
    "private-list": gettext_lazy("The game of this list is private, so the list cannot be public. Share its link."),
    "name-taken": gettext_lazy("Another player already has this name. Choose a different one."),
    "no-name": gettext_lazy("Write the name of the card first."),
    "no-label": gettext_lazy("Give it a name."),
    "no-lifetime": gettext_lazy("Choose how long the token works."),
    "no-scope": gettext_lazy("Tick what the token may do."),
    "token-name-taken": gettext_lazy(
        "You already have a token with this name. Revoke it first, or choose another name."
    ),
    "no-backup": gettext_lazy("This is not a valid backup of lists, or the file is damaged."),
    "nothing-chosen": gettext_lazy("Choose the lists first."),
    "nothing-to-redo": gettext_lazy("Nothing to redo."),
    "nothing-to-split": gettext_lazy("There is only one of these, so none can be split off."),
    "nothing-to-undo": gettext_lazy("Nothing to undo."),
    "same-version": gettext_lazy("The list already uses that data."),
    "achievable": gettext_lazy("This objective refers to no keyword, so you cannot replace it."),
    "barred": gettext_lazy("The opponent barred this objective: it cannot be scored this round."),
    "draw-over": gettext_lazy("An objective of this round has already been named or scored, so the draw stands."),
    "drawn-already": gettext_lazy("The objectives of this round have already been drawn."),
    "naming-over": gettext_lazy("An objective of this round has already been scored, so none can be named now."),
    "none-left": gettext_lazy("No other objective of this category is left in this round."),
    "not-due": gettext_lazy("This objective cannot be scored yet. Its card says when it can."),
    "not-closing": gettext_lazy("You can only do that at the end of a round, in the last phase of its last turn."),
    "not-drawn": gettext_lazy("The objectives of this round are not drawn yet. Draw them first, for both sides."),
    "not-opening": gettext_lazy("You can only do that at the start of a round, in its first phase."),
    "opponent-names": gettext_lazy("The other player names one of your objectives."),
    "other-chooses": gettext_lazy(
        "The other player has not chosen categories yet. They are shown to both at once, and then you draw."
    ),
    "other-extra": gettext_lazy("The other side has already drawn the extra objective of this round."),
    "all-drawn": gettext_lazy("All cards are drawn. Shuffle the deck to draw again."),
    "bad-copies": gettext_lazy("A deck holds up to 20 copies of a mission."),
    "empty-deck": gettext_lazy("There is nothing to draw: put missions into the deck first."),
    "nothing-saved": gettext_lazy(
        "Nothing has been saved yet. The errors are shown below; everything you typed is still here."
    ),
    "has-table-rules": gettext_lazy("This game's data already says how it is played."),
    "ended-table": gettext_lazy("This game is over. Play on to change its table."),
    "unknown-setup": gettext_lazy("This table setup no longer exists. Choose another."),
    "game-over": gettext_lazy("The last battle round is over."),
    "no-secret": gettext_lazy("Note one of your categories in secret: the mission asks for it."),
    "other-secret": gettext_lazy("Your secret category has to be one of those you chose: choose it there, too."),
    "roll-taken": gettext_lazy("There is no such roll, or that objective has already been drawn this round."),
    "too-late": gettext_lazy("The battle has begun; categories are chosen before it."),
    "used-already": gettext_lazy("You have already used that."),
    "wrong-categories": gettext_lazy("Choose as many different categories as the mission asks for."),
    "old-invitation": gettext_lazy("This code has been used or withdrawn."),
    "other-game": gettext_lazy("The opponent’s list is for a different game."),
    "other-side": gettext_lazy("The other player records this."),
    "secret-list": gettext_lazy("This list is hidden: only its owner can play it."),
    "unknown-game": gettext_lazy("There is no such game."),
    "unknown-list": gettext_lazy("There is no list at this link, or you may not read it."),
    "unknown-map": gettext_lazy("There is no such deployment."),
    "unknown-mission": gettext_lazy("There is no such mission."),
    "unknown-pack": gettext_lazy("There is no such mission pack in the deck."),
    "unknown-size": gettext_lazy("Choose a battle size."),
    "no-solver": gettext_lazy("This server cannot work that out for this game: it has no solver for its rules."),
    "no-repair": gettext_lazy(
        "Nothing you could add or remove makes this list legal within its limits. Change a limit, then try again."
    ),
    "no-way": gettext_lazy("No addition can make this list legal. Remove something first."),
    "old-way": gettext_lazy("The list has changed since. Check what is shown now."),
    "plan-forbids": gettext_lazy(
        "The list alone can be legal, but its game plan breaks a rule. Change the plan first."
    ),
    "lacks-allies": gettext_lazy("This list needs a detachment of another faction. Add one first, then try again."),
    "legal-already": gettext_lazy("This list is legal. Nothing has to be changed."),
    "nothing-fits": gettext_lazy("This list is legal, and nothing more fits into it."),
    "nothing-found": gettext_lazy("This list is legal. Nothing more that fits was found."),
    "unknown-repair": gettext_lazy(
        "No small change that makes this list legal was found, though there may be one. Change what the verdict names."
    ),
    "unknown-way": gettext_lazy(
        "No legal list that keeps everything in this one was found, though there may be one. Add what it lacks, then "
        "try again."
    ),
    "unfinished-way": gettext_lazy("The search is not finished: it takes longer than this server allows at once."),
    "better-way": gettext_lazy("The search is not finished, so there may be a better way."),
    "bad-program-address": gettext_lazy(
        "Write addresses in full, without * and #. They begin with https://, or with http://127.0.0.1 or "
        "http://localhost for a program on its user’s own computer."
    ),
    "no-program-address": gettext_lazy("Enter the address that people return to after signing in."),
    "too-many-addresses": gettext_lazy("A program can have at most %(allowed)s addresses."),
    "too-many-programs": gettext_lazy("You can have at most %(allowed)s programs. Delete one first."),
    "bad-webhook-address": gettext_lazy(
        "A webhook needs an address of another site that begins with https://, without a name and a password in it."
    ),
    "no-rules-name": gettext_lazy("Give the house rules a name: verdicts will mention it."),
    "rules-of-other-game": gettext_lazy("House rules keep their game. Create new ones from this document."),
    "nothing-new": gettext_lazy("Nothing has changed since the last version."),
    "too-many-lines": gettext_lazy("House rules hold at most %(allowed)s lines. Begin new ones for the rest."),
    "too-many-rules": gettext_lazy("You can have at most %(allowed)s sets of house rules. Delete one first."),
    "too-many-versions": gettext_lazy(
        "House rules have at most %(allowed)s versions, and all of these are in use. Copy them as a file to go on."
    ),
    "no-topic": gettext_lazy("Choose what to report to the webhook."),
    "nothing-said": gettext_lazy("Say in a few words what you mean."),
    "too-many-reports": gettext_lazy("%(allowed)s of your reports are not answered yet. Wait for some answers first."),
    "private-webhook-address": gettext_lazy(
        "This address is in a private network. A webhook needs an address on the public internet."
    ),
    "too-many-webhooks": gettext_lazy("You can have at most %(allowed)s webhooks. Delete one first."),
    "unknown-association": gettext_lazy("It cannot be attached in that way."),
    "other-faction": gettext_lazy("A list keeps its game and its faction. Make a new list from this document."),
    "unknown-catalogue": gettext_lazy("This game's data has no such faction."),
    "unknown-category": gettext_lazy("This game's data has no such type of unit."),
    "unknown-cost-type": gettext_lazy("This game has no such cost."),
    "unknown-entry": gettext_lazy("That cannot be taken here."),
    "unknown-faction": gettext_lazy("This game's data has no such faction."),
    "unknown-force-entry": gettext_lazy("This game's data has no such detachment."),
    "unknown-group": gettext_lazy("This choice does not exist here."),
    "no-namesake": gettext_lazy("This data has nothing with that name to replace it."),
    "unknown-node": gettext_lazy("That part of the list no longer exists."),
    "unknown-rules": gettext_lazy("These rules don’t apply to this list’s data."),
    "unknown-tag": gettext_lazy("You have no such tag."),
    "unknown-revision": gettext_lazy("This list has no such earlier state."),
    "lost-step": gettext_lazy(
        "This old step cannot be shown: its archived file is missing or damaged. The list itself and its newest steps "
        "are safe. The server’s administrator may have a backup of the file."
    ),
    "unread-step": gettext_lazy(
        "The archive with this old step does not answer. Nothing was changed. Try again in a minute."
    ),
}

_IN_MEGABYTES = {
    "full-history": gettext_lazy(
        "The history of this list has reached its limit of %(allowed)s MB. Make a copy and continue there."
    ),
    "no-bytes": gettext_lazy(
        "Your lists and their histories have reached your limit of %(allowed)s MB. Delete some lists for good first."
    ),
    "photo-bytes": gettext_lazy(
        "This file is %(measured)s MB, and at most %(allowed)s MB are allowed. Choose a smaller photo."
    ),
    "photo-room": gettext_lazy("Your photos have reached your limit of %(allowed)s MB. Delete some first."),
}


def explain_refusal(refused: Refused) -> str:
    allowed, measured = format_number(refused.allowed), format_number(refused.measured)
    plural = int(allowed) if allowed.isdecimal() else 2
    text = str(_REFUSALS.get(refused.code) or _("That cannot be done."))
    match refused.code:
        case "bad-number" if refused.allowed > 0:
            text = _("That is not a number from 0 to %(allowed)s.")
        case "full-history" | "no-bytes" | "photo-bytes" | "photo-room":
            text = str(_IN_MEGABYTES[refused.code])
            allowed, measured = (format_number(ceil(number / 2**20)) for number in (refused.allowed, refused.measured))
        case "no-room":
            text = _("You have reached the limit of %(allowed)s. Delete some first.")
        case "photo-pixels":
            text = _("This photo has more than %(allowed)s megapixels. Make it smaller first.")
            allowed = format_number(refused.allowed // 1_000_000)
        case "too-dear":
            text = _("That costs %(measured)s, and %(allowed)s are left.")
        case "too-large":
            text = ngettext("A list holds at most %(allowed)s part.", "A list holds at most %(allowed)s parts.", plural)
        case "too-many-detachments":
            text = _("A list holds at most %(allowed)s detachments. Remove one before you add another.")
        case "too-many":
            text = _("You can select at most %(allowed)s at a time.")
        case "too-many-tokens":
            text = _("You can have at most %(allowed)s tokens in use. Revoke one first.")
        case "too-many-copies":
            text = ngettext(
                "The deck takes only %(allowed)s copy of that card; this would make %(measured)s.",
                "The deck takes at most %(allowed)s copies of that card; this would make %(measured)s.",
                plural,
            )
        case "too-long":
            text = _("That is %(measured)s characters long; at most %(allowed)s fit.")
        case "too-slow":
            text = _(
                "That would take more than %(allowed)s seconds to judge, so the list is unchanged. Take out units or "
                "options first, or split the list in two."
            )
    return text % {"allowed": allowed, "measured": measured}


def explain_conflict(conflict: Conflict | ConflictingRevision) -> str:
    if isinstance(conflict, ConflictingRevision):
        text = _(
            "This list was changed elsewhere: your page showed step %(made)s, the list is at step %(head)s. Your last "
            "change is kept as step %(number)s next to it; nothing was overwritten."
        )
        return text % {"made": conflict.made_on, "head": conflict.head, "number": conflict.number}
    return _("This list was changed elsewhere in the meantime, so your last step was not made. This is the list now.")


_ACTS = {
    "start": gettext_lazy("Started"),
    "copy": gettext_lazy("Copied from %(subject)s"),
    "example": gettext_lazy("Example"),
    "starter": gettext_lazy("Army to start from"),
    "import": gettext_lazy("Imported"),
    "muster": gettext_lazy("Mustered from a force"),
    "edits": gettext_lazy("Made %(subject)s changes"),
    "restore": gettext_lazy("Went back to step %(subject)s"),
    "move-data": gettext_lazy("Switched to the data of %(subject)s"),
    "add-detachment": gettext_lazy("Added %(subject)s"),
    "change-detachment": gettext_lazy("Changed to %(subject)s"),
    "remove-detachment": gettext_lazy("Removed %(subject)s"),
    "duplicate-detachment": gettext_lazy("Copied %(subject)s"),
    "add-unit": gettext_lazy("Added %(subject)s"),
    "remove": gettext_lazy("Removed %(subject)s"),
    "take-namesake": gettext_lazy("Took %(subject)s of this data"),
    "duplicate-unit": gettext_lazy("Copied %(subject)s"),
    "set-number": gettext_lazy("Changed the number: %(subject)s"),
    "split-off": gettext_lazy("Split off: %(subject)s"),
    "write-card": gettext_lazy("Added %(subject)s to the deck"),
    "fill-deck": gettext_lazy("Filled the deck of %(subject)s"),
    "choose": gettext_lazy("Changed options: %(subject)s"),
    "toggle": gettext_lazy("Changed options: %(subject)s"),
    "rename": gettext_lazy("Renamed to %(subject)s"),
    "notes": gettext_lazy("Changed the notes of %(subject)s"),
    "occasion": gettext_lazy("Changed player and event"),
    "describe": gettext_lazy("Edited %(subject)s"),
    "leader": gettext_lazy("Chose the leader of %(subject)s"),
    "complete": gettext_lazy("Completed the list"),
    "fill": gettext_lazy("Filled with what fits"),
    "repair": gettext_lazy("Made it legal"),
    "attach": gettext_lazy("Attached %(subject)s"),
    "detach": gettext_lazy("Detached %(subject)s"),
    "set-limit": gettext_lazy("Changed the limit"),
    "set-rules": gettext_lazy("Changed the rules"),
    "set-homebrew": gettext_lazy("Changed the house rules"),
    "move": gettext_lazy("Moved %(subject)s"),
}


def describe_act(code: str, subject: str) -> str:
    """Describe a revision by `RosterRevision.act` and `.subject`: "Added Reed Cutters"."""
    if code == "rename" and not subject:
        return _("Renamed the list")
    text = _ACTS.get(code)
    if text is None:
        return _("Changed")
    return str(text) % {"subject": subject or _("the list")}
