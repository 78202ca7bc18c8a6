"""Judge a list document or a roster file: is it legal, and why not."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from roster.engine.report import CostTotal, Verdict
from roster.formats.list_document import Media
from roster.services.exchange import LIMITS, ImportedList, ImportFailure, read_list_file
from roster.wording import Sentence, explain_unreadable, format_violations, get_verdict_word, list_unchecked
from roster.wording.api_payload import serialize_error, serialize_list
from roster.wording.documents import INSTALL

STATUS = {Verdict.LEGAL: 0, Verdict.ILLEGAL: 1, Verdict.INCOMPLETE: 3}
UNREADABLE = 2
NO_SHEET = 4
SIGNS = {Verdict.LEGAL: "✓", Verdict.ILLEGAL: "✗", Verdict.INCOMPLETE: "…"}
MEDIA = {".json": Media.JSON, ".yaml": Media.YAML, ".yml": Media.YAML}


class Command(BaseCommand):
    help = (
        "Judge a list written in YAML or JSON, or a roster file (.ros, .rosz). "
        "Exit status: 0 legal, 1 illegal, 2 unreadable, 3 incomplete; 4: judged, but no sheet could be made."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django declares it as a plain list

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a list document, .ros or .rosz; - reads standard input")
        parser.add_argument("--json", action="store_true", help="answer in JSON, as the API does")
        parser.add_argument("--pdf", metavar="OUT", help="also print the list to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        _replace_unprintable()
        try:
            data = _read_file(options["file"])
        except OSError as error:
            self._stop_with(_("%(file)s: %(reason)s") % {"file": options["file"], "reason": error.strerror})
        media = MEDIA.get(Path(options["file"]).suffix.lower(), Media.AUTO)
        try:
            checked = read_list_file(data, Path(options["file"]).name, media, tree=bool(options["pdf"]))
        except DatabaseError as error:
            self._stop_with(
                _("There are no games yet. Install them with: %(command)s\n(%(reason)s)")
                % {"command": f"manage.py migrate && {INSTALL}", "reason": error}
            )
        if not isinstance(checked, ImportedList):
            self._report_unreadable(options["file"], checked, as_json=options["json"])
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    _describe_list(checked) | serialize_list(checked.judged), ensure_ascii=False, indent=2
                )
            )
        else:
            self._report_verdict(checked)
        if options["pdf"]:
            self._print_sheet(checked, options["pdf"])
        sys.exit(STATUS[checked.judged.verdict])

    def _report_unreadable(self, file: str, error: ImportFailure, *, as_json: bool) -> NoReturn:
        if as_json:
            self.stdout.write(
                json.dumps({"unreadable": serialize_error(error)}, ensure_ascii=False, indent=2)
            )
            sys.exit(UNREADABLE)
        complaint = explain_unreadable(error)
        place = (
            f"{file}:{complaint.line}:{complaint.column}" if complaint.column else f"{file}:{complaint.line}"
        )
        self._stop_with(f"{place if complaint.line else file}: {complaint}")

    def _stop_with(self, text: str, status: int = UNREADABLE) -> NoReturn:
        self.stderr.write(self.style.ERROR(text))
        sys.exit(status)

    def _print_sheet(self, checked: ImportedList, out: str) -> None:
        # Imported here, because most calls print nothing and the renderer takes seconds to load.
        from roster.pdf.render_lock import RendererBusy
        from roster.pdf.sheet_job import create_unstored_sheet_job

        job = create_unstored_sheet_job(checked.version, checked.faction.faction_id, checked.judged)
        try:
            Path(out).write_bytes(job.render())
        except OSError as error:
            self._stop_with(_("%(file)s: %(reason)s") % {"file": out, "reason": error.strerror}, NO_SHEET)
        except RendererBusy as busy:
            self._stop_with(_("%(file)s: %(reason)s") % {"file": out, "reason": busy}, NO_SHEET)

    # ---- the answer for people -----------------------------------------------------------------------------------

    def _report_verdict(self, checked: ImportedList) -> None:
        verdict = checked.judged.verdict
        style = self.style.SUCCESS if verdict is Verdict.LEGAL else self.style.ERROR
        if verdict is Verdict.INCOMPLETE:
            style = self.style.WARNING
        self.stdout.write(
            style(f"{SIGNS[verdict]} {get_verdict_word(verdict)}") + f"  {_format_title(checked)}"
        )
        self.stdout.write("  " + ", ".join(_format_totals(checked)))
        for sentence in format_violations(checked.judged):
            self.stdout.write("")
            for line in self._format_violation(sentence):
                self.stdout.write(line)
        self._report_unchecked(checked)

    def _format_violation(self, sentence: Sentence) -> Iterator[str]:
        mark = self.style.ERROR("✗") if sentence.severity == "error" else self.style.WARNING("!")
        where = f" ({sentence.where})" if sentence.where else ""
        yield f"{mark} {self.style.MIGRATE_HEADING(sentence.headline)}{where}"
        rule = f"[{sentence.rule}]" if sentence.rule else ""
        for line in (sentence.text, sentence.detail, sentence.hint, f"{sentence.citation} {rule}".strip()):
            if line:
                yield f"  {line}"

    def _report_unchecked(self, checked: ImportedList) -> None:
        notes = list(list_unchecked(checked.judged.report.unchecked, checked.judged.books))
        if notes:
            self.stdout.write("")
            self.stdout.write(self.style.MIGRATE_HEADING(_("Not checked")))
        for note in notes:
            self.stdout.write(f"  {note}")


def _read_file(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(LIMITS.file_bytes + 1)
    with Path(file).open("rb") as stream:
        return stream.read(LIMITS.file_bytes + 1)


def _replace_unprintable() -> None:
    """Let a terminal without the letters of a name show a sign instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _format_title(checked: ImportedList) -> str:
    judged, game = checked.judged, checked.version.game.name
    parts = (judged.tree.name, game, judged.overlay_name, checked.faction.name)
    return " · ".join(part for part in parts if part)


def _format_totals(checked: ImportedList) -> Iterator[str]:
    return (_format_total(cost) for cost in checked.judged.report.costs if not cost.hidden)


def _format_total(cost: CostTotal) -> str:
    figures = {"value": format_number(cost.value), "name": cost.name}
    if cost.limit is None:
        return _("%(value)s %(name)s") % figures
    return _("%(value)s of %(limit)s %(name)s") % {**figures, "limit": format_number(cost.limit)}


def _describe_list(checked: ImportedList) -> dict[str, Any]:
    return {
        "name": checked.judged.tree.name,
        "game": checked.version.game.slug,
        "version": checked.version.label,
        "faction": checked.faction.faction_id,
        "rules": checked.judged.overlay_name,
    }
