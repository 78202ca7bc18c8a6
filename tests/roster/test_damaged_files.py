"""Damaged and malicious files are refused with a sentence, never with an error of ours."""

import gzip
import io
import zipfile
from collections.abc import Iterator
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS
from catalogue.formats.battlescribe.reader import read_bytes
from catalogue.formats.battlescribe.xml_parser import parse_xml
from roster import wording
from roster.formats import backup
from roster.models import Roster
from roster.services.exchange import ImportedList, RosterFormat, export_list, read_list_file
from tests.extent import COMPLETE, sample
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db

BRING, RESTORE, BACKUP = (reverse(f"roster:{name}") for name in ("import", "restore", "backup"))
CHECK = "/api/check"
ROUNDS = 150 if COMPLETE else 30
KEYS = backup.Keys(owner=b"mine", server=b"ours")


def damaged(data: bytes, seed: int, rounds: int = ROUNDS) -> Iterator[bytes]:
    """Return copies with bytes omitted, doubled, changed or cut off, the same at each run."""
    dice = Random(seed)
    for _ in range(rounds):
        broken = bytearray(data)
        for _ in range(dice.choice([1, 1, 1, 2, 8])):
            at = dice.randrange(max(1, len(broken) - 4))
            harm = dice.randrange(5)
            if harm == 0:
                del broken[at : at + dice.choice([1, 1, 4, 60])]
            elif harm == 1:
                broken[at:at] = broken[max(0, at - dice.choice([1, 4, 60])) : at]
            elif harm == 2:
                broken[at : at + 1] = bytes([dice.randrange(256)])
            elif harm == 3:
                broken[at : at + 4] = dice.choice([b"\xff" * 4, b"\0" * 4, b"PK\x05\x06", b"\x7f\xff\xff\xff"])
            elif harm == 4:
                del broken[at + 1 :]
        yield bytes(broken)


@pytest.fixture
def owner(client: Client):
    one = started(client)
    one.unit("warden")
    one.unit("cutters")
    return one


@pytest.mark.parametrize("ending", list(RosterFormat))
def test_damaged_lists_are_read_or_refused(owner, ending: RosterFormat) -> None:
    refused = 0
    for broken in damaged(export_list(owner.roster, ending), seed=1):
        answer = read_list_file(broken, f"list.{ending}")
        if not isinstance(answer, ImportedList):
            refused += 1
            assert wording.explain_unreadable(answer).reason
    assert refused


def test_an_archive_that_lacks_a_byte_in_its_middle(client: Client, owner) -> None:
    data = export_list(owner.roster, RosterFormat.ROSZ)
    for at in sample(range(30, len(data) - 1, 7), 40):
        broken = data[:at] + data[at + 1 :]
        answer = client.generic("POST", CHECK, broken, content_type="application/zip")
        assert answer.status_code in (200, 400)
    page = client.post(
        BRING, {"file": SimpleUploadedFile("x.rosz", data[: len(data) // 2] + data[len(data) // 2 + 1 :])}
    )
    assert page.status_code == 400
    assert page.context["form"].errors


def test_damaged_backups_are_refused_or_read_as_a_strangers(client: Client, owner) -> None:
    data = b"".join(client.get(BACKUP).streaming_content)
    Roster.objects.all().delete()
    signed = data.index(b"\x1f\x8b", 2)
    copies = [broken for broken in damaged(data[signed:], seed=2, rounds=60) if broken != data[signed:]]
    assert copies
    for broken in sample(copies, 20):
        answer = client.post(RESTORE, {"file": SimpleUploadedFile("x.gz", data[:signed] + broken)})
        # Zip verifies a checksum: a file that passes is whole, and is imported as a stranger's.
        assert answer.status_code in (303, 400)
        assert Roster.objects.exists() == (answer.status_code == 303)
        assert all(roster.revisions.count() == 1 for roster in Roster.objects.all())
        Roster.objects.all().delete()


@pytest.mark.parametrize("seed", sample(range(40), 10))
def test_damaged_lines_of_a_backup_in_the_old_form(seed: int) -> None:
    lines = b'{"backup":1,"made":"2026-01-01T00:00:00Z"}\n' + b'{"public_id":"x","revisions":[]}' * 3 + b"\n"
    signed = lines + b'{"signature":"' + b"0" * 64 + b'"}\n'
    files = list(damaged(signed, seed, rounds=20))
    assert len(files) == 20
    for broken in files:
        with pytest.raises(backup.NoBackupError):
            backup.check_backup(io.BytesIO(gzip.compress(broken)), KEYS)


def test_an_element_with_a_flood_of_attributes() -> None:
    def element(number: int) -> bytes:
        return b"<roster " + b" ".join(b'a%d = "1"' % at for at in range(number)) + b"/>"

    assert len(parse_xml("x", element(LIMITS.attributes), LIMITS).items()) == LIMITS.attributes
    for flood in (element(LIMITS.attributes + 1), element(100_000)):
        with pytest.raises(ReadError) as refused:
            parse_xml("x", b"<top>\n" + flood + b"</top>", LIMITS)
        assert (refused.value.code, refused.value.line) == ("too-large", 2)


def test_signs_in_a_text_are_no_attributes() -> None:
    text = b'a = "b" ' * LIMITS.attributes + b"=" * 5000
    assert parse_xml("x", b"<top>" + text + b"</top>", LIMITS).text


def test_damaged_data_of_a_game_is_read_or_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.gst", '<gameSystem id="g" name="G" revision="1" battleScribeVersion="2.03"/>')
    files = list(damaged(packed.getvalue(), seed=3))
    assert len(files) == ROUNDS
    for broken in files:
        report = read_bytes("a.zip", broken)
        assert report.data or report.diagnostics
