from roster.models.consent import PublicDomainConsent
from roster.models.homebrew import HomebrewSet, HomebrewVersion
from roster.models.judgements import Impact, PackProofs
from roster.models.ownership import AbuseReport, ChosenLanguage, FavouriteUnit, PlayerName, SettledNames
from roster.models.photos import Photo
from roster.models.print_line import PrintLine
from roster.models.roster import Folder, RevisionName, RevisionOutlook, Roster, RosterPlan, RosterRevision, Tag
from roster.models.tokens import AccessToken
from roster.models.verdict_reports import VerdictReport, VerdictTest
from roster.models.webhooks import Webhook, WebhookDelivery

__all__ = [
    "AbuseReport",
    "AccessToken",
    "ChosenLanguage",
    "FavouriteUnit",
    "Folder",
    "HomebrewSet",
    "HomebrewVersion",
    "Impact",
    "PackProofs",
    "Photo",
    "PlayerName",
    "PrintLine",
    "PublicDomainConsent",
    "RevisionName",
    "RevisionOutlook",
    "Roster",
    "RosterPlan",
    "RosterRevision",
    "SettledNames",
    "Tag",
    "VerdictReport",
    "VerdictTest",
    "Webhook",
    "WebhookDelivery",
]
