"""Evaluate a list document, a roster file or a pasted text.

Modules for some options are imported on demand: importing all takes longer than evaluating a list.
"""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import DatabaseError
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from roster.engine.edits import Refused
from roster.engine.report import Verdict
from roster.formats.list_document import Media, format_yaml
from roster.formats.text.foreign import TextLayout
from roster.formats.text.own import TextLength, TextStyle
from roster.formats.text.pasted import AS_READ
from roster.services.evaluation import evaluate_with
from roster.services.exchange import LIMITS, ImportedList, ImportFailure, read_list_file
from roster.wording import explain_refusal, explain_unreadable, format_violations, get_verdict_word, list_unchecked
from roster.wording.documents import INSTALL

if TYPE_CHECKING:
    from roster.services.pasted_lists import ReadPaste

STATUS: dict[str, int] = {Verdict.LEGAL: 0, Verdict.ILLEGAL: 1, Verdict.INCOMPLETE: 3, AS_READ: 5}
UNREADABLE = 2
NO_SHEET = 4
SIGNS: dict[str, str] = {Verdict.LEGAL: "✓", Verdict.ILLEGAL: "✗", Verdict.INCOMPLETE: "…", AS_READ: "~"}
MEDIA = {".json": Media.JSON, ".yaml": Media.YAML, ".yml": Media.YAML}


class Command(BaseCommand):
    help = (
        "Judge a list written in YAML or JSON, a roster file (.ros, .rosz, New Recruit's JSON), or a pasted text. "
        "Exit status: 0 legal, 1 illegal, 2 unreadable, 3 incomplete, 5 legal as far as the text was read; "
        "4: judged, but no sheet could be made."
    )
    _paste: "ReadPaste | None" = None
    """The pasted text that the list was read from, if any."""
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django declares it as a plain list

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a list document, .ros or .rosz; - reads standard input")
        parser.add_argument("--json", action="store_true", help="answer in JSON, as the API does")
        parser.add_argument("--text", choices=[one.value for one in TextLength], help="write it as text")
        parser.add_argument("--layout", choices=[one.value for one in TextLayout], help="with --text: whose layout")
        parser.add_argument("--style", choices=[one.value for one in TextStyle], help="with --text: what it is for")
        parser.add_argument(
            "--choice",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="settle a name of a pasted text, by the key and one of the choices that --json names",
        )
        parser.add_argument("--game", default="", help="the id of the game that a pasted text is of")
        parser.add_argument("--faction", default="", help="with --game: the address of its faction in that game")
        parser.add_argument("--force", default="", help="the id or name of the kind of force that a pasted text is")
        ways = parser.add_mutually_exclusive_group()
        ways.add_argument(
            "--complete", action="store_const", dest="way", const="complete", help="complete it as cheaply as possible"
        )
        ways.add_argument("--fill", action="store_const", dest="way", const="fill", help="fill it with what fits")
        ways.add_argument("--repair", action="store_const", dest="way", const="repair", help="make it legal")
        ways.add_argument("--addable", action="store_true", help="list what can be added, best first")
        parser.add_argument(
            "--seed", type=_read_seed, metavar="N", help="with --fill: the same list again for the same N"
        )
        parser.add_argument("--patient", action="store_true", help="look ahead without a time limit, and search longer")
        parser.add_argument("--out", metavar="OUT", help="write the list of the first way found to this file, as YAML")
        parser.add_argument("--pdf", metavar="OUT", help="also print the list to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        # Print a replacement for characters that the terminal cannot show, instead of failing.
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")

        checked = self._read_list(options)
        self._report_list(checked, options)
        if options["pdf"]:
            # The renderer takes seconds to load, and most calls print nothing.
            from roster.pdf.render_lock import RendererBusy
            from roster.pdf.sheet_job import create_unstored_sheet_job

            job = create_unstored_sheet_job(checked.version, checked.faction.faction_id, checked.evaluated_list)
            reason: object = None
            try:
                Path(options["pdf"]).write_bytes(job.render())
            except OSError as error:
                reason = error.strerror
            except RendererBusy as busy:
                reason = busy
            if reason is not None:
                self._stop_with(_("%(file)s: %(reason)s") % {"file": options["pdf"], "reason": reason}, NO_SHEET)
        sys.exit(STATUS[self._paste.verdict if self._paste else checked.evaluated_list.verdict])

    def _read_list(self, options: dict[str, Any]) -> ImportedList:
        file = options["file"]
        try:
            if file == "-":
                data = sys.stdin.buffer.read(LIMITS.file_bytes + 1)
            else:
                with Path(file).open("rb") as stream:
                    data = stream.read(LIMITS.file_bytes + 1)
        except OSError as error:
            self._stop_with(_("%(file)s: %(reason)s") % {"file": file, "reason": error.strerror})

        # Other endings may be documents, roster files or pasted texts.
        media = MEDIA.get(Path(file).suffix.lower(), Media.AUTO)
        tree = bool(options["pdf"] or options["text"])
        is_text = False
        if media is Media.AUTO:
            from roster.services.pasted_lists import is_pasted_text

            is_text = is_pasted_text(data)
        checked: ImportedList | ImportFailure
        try:
            if is_text:
                checked = self._read_text(data, options, tree=tree)
            else:
                checked = read_list_file(data, Path(file).name, media, tree=tree, has_account=True)
        except DatabaseError as error:
            self._stop_with(
                _("There are no games yet. Install them with: %(command)s\n(%(reason)s)")
                % {"command": f"manage.py migrate && {INSTALL}", "reason": error}
            )
        if not isinstance(checked, ImportedList):
            self._report_unreadable(file, checked, as_json=options["json"])
        evaluated_list = checked.evaluated_list
        # By default, lists of community data are evaluated without looking ahead.
        if options["patient"] and evaluated_list.verdict is Verdict.INCOMPLETE:
            tree = bool(evaluated_list.report.forces)
            evaluated_list = evaluate_with(
                evaluated_list.ruleset,
                evaluated_list.tree,
                evaluated_list.game,
                tree=tree,
                look_ahead=True,
                seconds=inf,
            )
            return replace(checked, evaluated_list=evaluated_list)
        return checked

    def _report_list(self, checked: ImportedList, options: dict[str, Any]) -> None:
        if options["text"]:
            from roster.services.texts import read_text_form, write_judged_text

            form = read_text_form(options["layout"] or "", options["text"], options["style"] or "")
            assert form is not None  # noqa: S101 - the parser of the options admits no other words
            text = write_judged_text(checked.evaluated_list, checked.version, checked.faction.faction_id, form)
            self.stdout.write(text)
        elif options["json"]:
            from roster.wording.api_payload import serialize_list

            about = {
                "name": checked.evaluated_list.tree.name,
                "game": checked.version.game.slug,
                "version": checked.version.label,
                "faction": checked.faction.faction_id,
                "rules": checked.evaluated_list.overlay_name,
            }
            payload = about | serialize_list(checked.evaluated_list) | self._answer_ways(checked, options)
            if self._paste:
                from roster.wording.pasted_payload import serialize_judged, serialize_paste

                payload |= {**(serialize_judged(self._paste) or {}), "lists": [serialize_paste(self._paste)]}
            self.stdout.write(_format_json(payload))
        else:
            self._report_verdict(checked, self._paste)
            answer = self._answer_ways(checked, options)
            self._report_ways(answer, has_points=checked.evaluated_list.points is not None)
            search = answer.get("found", {"finished": True, "answer": "yes"})
            answers = {search["answer"], *(one["answer"] for one in answer.get("addable", ()))}
            is_open = not search["finished"] or not answers.isdisjoint({"unknown", "unfinished"})
            if not checked.evaluated_list.report.is_finished or (is_open and not options["patient"]):
                self.stdout.write("\n" + _("To search longer, add --patient."))

    def _read_text(self, data: bytes, options: dict[str, Any], *, tree: bool) -> ImportedList:
        """Read a pasted text and report how it was read. Exit unless it is one list of installed data."""
        from roster.services.pasted_lists import parse_choices, read_pasted_text
        from roster.wording.pasted_payload import serialize_paste

        choices = parse_choices(options["choice"])
        hints = {key: options[key] for key in ("game", "faction", "force")}
        read = read_pasted_text(data, **hints, choices=choices, tree=tree, has_account=True)
        if not isinstance(read, list):
            self._report_unreadable(options["file"], read, as_json=options["json"])
        single = read[0].checked if len(read) == 1 else None
        if single is not None:
            if not options["json"]:
                self._report_lines(read[0])
            self._paste = read[0]
            return single

        if options["json"]:
            self.stdout.write(_format_json({"lists": list(map(serialize_paste, read))}))
        else:
            for one in read:
                self._report_lines(one)
                if one.checked:
                    self._report_verdict(one.checked, one)
        # The worst status decides: unreadable, illegal, incomplete, read in part.
        statuses = [STATUS[one.verdict] if one.checked else UNREADABLE for one in read]
        sys.exit(max(statuses, key=(0, 5, 3, 1, 2).index))

    def _report_lines(self, one: "ReadPaste") -> None:
        from roster.formats.text.pasted import Reading
        from roster.wording.pasted import (
            READINGS,
            explain_doubt,
            explain_missing_game,
            explain_sum,
            list_also_possible,
            name_edition,
            name_layout,
            summarize_reading,
        )

        self.stderr.write(f"{name_layout(one.pasted.layout)}: {summarize_reading(one)}")
        for line in one.lines:
            if line.reading is not Reading.UNDERSTOOD:
                self.stderr.write(f"  {line.number}: {READINGS[line.reading]}: {line.text.strip()}")
        if one.editions.chosen and one.forces.chosen:
            self.stderr.write(f"  {name_edition(one.editions.chosen)}, {one.forces.chosen.entry.name}")
        alternatives = list_also_possible(one)
        for sentence in alternatives:
            self.stderr.write(self.style.WARNING(f"  {sentence}"))
        if alternatives:
            self.stderr.write("  " + _("Choose with --game, --faction and --force."))
        for doubt in one.pasted.doubts:
            self.stderr.write(self.style.WARNING(f"  {explain_doubt(doubt)}"))
        for check in one.sums:
            if not check.holds:
                self.stderr.write(self.style.ERROR(f"  {explain_sum(check)}"))
        for unit in one.differing_points:
            figures = f"{format_number(unit.claimed)} -> {format_number(unit.computed)}"
            self.stderr.write(f"  {unit.line}: {unit.name}: {figures}")
        if one.checked is None:
            reason = str(explain_unreadable(one.unreadable)) if one.unreadable else explain_missing_game(one)
            self.stderr.write(self.style.ERROR(f"  {reason}"))

    def _report_unreadable(self, file: str, error: ImportFailure, *, as_json: bool) -> NoReturn:
        if as_json:
            from roster.wording.api_payload import serialize_error

            self.stdout.write(_format_json({"unreadable": serialize_error(error)}))
            sys.exit(UNREADABLE)
        complaint = explain_unreadable(error)
        place = f"{file}:{complaint.line}:{complaint.column}" if complaint.column else f"{file}:{complaint.line}"
        self._stop_with(f"{place if complaint.line else file}: {complaint}")

    def _stop_with(self, text: str, status: int = UNREADABLE) -> NoReturn:
        self.stderr.write(self.style.ERROR(text))
        sys.exit(status)

    def _answer_ways(self, checked: ImportedList, options: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        if not options["addable"] and not options["way"]:
            return answer

        from roster.engine.completion.solver import is_solver_installed
        from roster.services.additions import list_additions
        from roster.services.ways import WayKind, find_ways
        from roster.wording.ways_payload import serialize_additions, serialize_ways

        if not is_solver_installed():
            self._stop_with(explain_refusal(Refused(code="no-solver")))
        if options["addable"]:
            additions = list_additions(checked.evaluated_list, is_patient=options["patient"])
            answer["addable"] = serialize_additions(additions or ())
        if options["way"]:
            kind = WayKind(options["way"])
            search = find_ways(
                checked.evaluated_list, kind, checked.version, seed=options["seed"], is_patient=options["patient"]
            )
            ways = serialize_ways(kind, search, checked.version, checked.faction.faction_id)
            if options["out"] and search.ways:
                try:
                    Path(options["out"]).write_bytes(format_yaml(ways["ways"][0]["list"]))
                except OSError as error:
                    reason = {"file": options["out"], "reason": error.strerror}
                    self._stop_with(_("%(file)s: %(reason)s") % reason, NO_SHEET)
            answer["found"] = ways
        return answer

    def _report_ways(self, answer: dict[str, Any], *, has_points: bool) -> None:
        search = answer.get("found", {"ways": (), "text": ""})
        for way in (way for way in search["ways"] if way["changes"]):
            self.stdout.write("")
            total = _("%(total)s points then") % {"total": way["total"]}
            self.stdout.write(self.style.SUCCESS("→ ") + way["text"] + (f" ({total})" if has_points else ""))
        if search["text"]:
            self.stdout.write("\n" + self.style.WARNING(search["text"]))
        if "addable" in answer:
            from roster.wording.ways_payload import format_additions

            self.stdout.write("\n" + self.style.MIGRATE_HEADING(_("Units you can add")))
            for line in format_additions(answer["addable"]):
                self.stdout.write(f"  {line}")

    def _report_verdict(self, checked: ImportedList, paste: "ReadPaste | None") -> None:
        evaluated_list = checked.evaluated_list
        verdict, word = evaluated_list.verdict.value, get_verdict_word(evaluated_list.verdict, evaluated_list.homebrew)
        if paste:
            from roster.wording.pasted import name_paste_verdict

            verdict, word = paste.verdict, name_paste_verdict(paste)
        styles = {
            Verdict.LEGAL: self.style.SUCCESS,
            Verdict.INCOMPLETE: self.style.WARNING,
            AS_READ: self.style.WARNING,
        }
        style = styles.get(verdict, self.style.ERROR)
        names = (evaluated_list.tree.name, checked.version.game.name, evaluated_list.overlay_name, checked.faction.name)
        title = " · ".join(filter(None, names))
        self.stdout.write(style(f"{SIGNS[verdict]} {word}") + f"  {title}")

        totals = []
        for cost in evaluated_list.report.costs:
            if not cost.hidden:
                words = _("%(value)s %(name)s") if cost.limit is None else _("%(value)s of %(limit)s %(name)s")
                limit = "" if cost.limit is None else format_number(cost.limit)
                totals.append(words % {"value": format_number(cost.value), "name": cost.name, "limit": limit})
        if totals:
            self.stdout.write("  " + ", ".join(totals))

        for sentence in format_violations(evaluated_list):
            mark = self.style.ERROR("✗") if sentence.severity == "error" else self.style.WARNING("!")
            self.stdout.write(f"\n{mark} {self.style.MIGRATE_HEADING(sentence.located_headline)}")
            rule = f"[{sentence.rule}]" if sentence.rule else ""
            lines = (sentence.text, sentence.detail, sentence.hint, f"{sentence.citation} {rule}".strip())
            for line in filter(None, lines):
                self.stdout.write(f"  {line}")

        if unchosen := [place.name for place in evaluated_list.open_choices]:
            self.stdout.write("\n" + _("Nothing chosen yet: %(names)s") % {"names": ", ".join(unchosen)})
        notes = list(list_unchecked(evaluated_list.report.unchecked, evaluated_list.books))
        if notes:
            self.stdout.write("\n" + self.style.MIGRATE_HEADING(_("Not checked")))
        for note in notes:
            self.stdout.write(f"  {note}")


def _format_json(payload: Any) -> str:
    return json.dumps(payload, ensure_ascii=False, indent=2)


def _read_seed(text: str) -> int:
    from roster.services.ways import SEEDS

    if not text.isascii() or not text.isdigit() or int(text) >= SEEDS:
        raise ArgumentTypeError(_("The seed is a whole number below %(most)s.") % {"most": SEEDS})
    return int(text)
