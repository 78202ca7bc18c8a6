"""The lists that packs come with, as rosters that everybody may read and copy and nobody may edit."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from roster.engine.report import Verdict
from roster.engine.tree import copy_with
from roster.formats.list_document import Media, Unreadable
from roster.models import Roster
from roster.services.evaluation import encode_tree
from roster.services.list_check import CheckedDocument, check_document
from roster.services.outcomes import Refused
from roster.services.owners import NOBODY, match_unowned
from roster.services.plans import get_game_plan
from roster.services.rosters import store_roster


def list_examples() -> QuerySet[Roster]:
    """Return all example lists, documents left in the database."""
    return (
        Roster.objects.filter(match_unowned())
        .select_related("version__game")
        .defer("document")
        .order_by("name")
    )


def find_example_files(packs: Path) -> Iterator[Path]:
    """Find the list documents of all packs below a folder: `<game>/<edition>/lists/*.yaml`, in order."""
    return iter(sorted(packs.glob("*/*/lists/*.yaml")))


def load_example(path: Path, packs: Path) -> Roster | Unreadable | Refused | None:
    """Store the list of one file; one that is stored already and has not changed is left alone.

    Its address depends on the file's place alone, so that a link to an example lasts. None for a list that shows a
    mistake: those are for tests.
    """
    checked = check_document(path.read_bytes(), Media.YAML)
    if isinstance(checked, Unreadable):
        return checked
    if checked.document.expected.verdict not in ("", Verdict.LEGAL.value):
        return None
    public_id = _derive_address(path, packs)
    stored = Roster.objects.select_related("version").filter(public_id=public_id).first()
    if stored is not None and _is_unchanged(stored, checked):
        return stored
    with transaction.atomic():
        # An example has no owner and no history worth keeping: it is replaced whole, at the same address.
        if stored is not None:
            stored.delete()
        return store_roster(
            NOBODY,
            checked.version,
            checked.faction.faction_id,
            checked.judged.tree,
            act="example",
            public_id=public_id,
            game=checked.judged.game,
        )


def forget_examples(packs: Path) -> None:
    """Delete the examples whose files are not there any more."""
    known = [_derive_address(path, packs) for path in find_example_files(packs)]
    Roster.objects.filter(match_unowned()).exclude(public_id__in=known).delete()


def _derive_address(path: Path, packs: Path) -> str:
    place = path.relative_to(packs).as_posix()
    return urlsafe_b64encode(sha256(f"example:{place}".encode()).digest())[:22].decode()


def _is_unchanged(stored: Roster, checked: CheckedDocument) -> bool:
    new = (checked.version.pk, checked.faction.faction_id, encode_tree(checked.judged.tree))
    planned = get_game_plan(stored)
    game = copy_with(planned, names={}) if planned else None
    return (stored.version_id, stored.faction_id, stored.document) == new and game == checked.judged.game
