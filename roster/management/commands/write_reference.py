import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue.definitions.rule_codes import RuleCode
from catalogue.documents.reference import update_tables
from catalogue.formats.packs.reference import list_pack_sections, write_pack_schema
from roster.formats.list_document.document import list_document_sections, write_list_schema
from roster.services.api_client import write_client


class Command(BaseCommand):
    help = (
        "Write the tables of keys and the rule kinds in docs/, the JSON Schemas in docs/schema/, and the client in "
        "docs/clients/."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        docs = Path(settings.BASE_DIR) / "docs"
        stale = {
            path: text
            for path, text in write_files(docs)
            if not path.is_file() or path.read_text(encoding="utf-8") != text
        }
        if options["check"] and stale:
            raise CommandError(f"Run `manage.py write_reference`: {', '.join(path.name for path in stale)}.")
        for path, text in stale.items():
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"{path.name} is written.")


def write_files(docs: Path) -> Iterator[tuple[Path, str]]:
    packs = list_pack_sections()
    for page, sections in ((docs / "packs.md", packs), (docs / "lists.md", list_document_sections())):
        yield page, update_tables(page.read_text(encoding="utf-8"), sections)
    for page in sorted((docs / "features").glob("*.md")):
        yield page, update_tables(page.read_text(encoding="utf-8"), packs, "../")
    yield docs / "rules.md", describe_rule_kinds((docs / "rules.md").read_text(encoding="utf-8"))
    yield docs / "schema" / "pack.schema.json", format_schema(write_pack_schema())
    yield docs / "schema" / "list.schema.json", format_schema(write_list_schema())
    yield docs / "clients" / "armybuilder_api.py", write_client()


def describe_rule_kinds(page: str) -> str:
    """Replace the rule kinds in a page with the docstrings of their modules."""
    before, begin, rest = page.partition("<!-- kinds -->\n")
    _, end, after = rest.partition("<!-- end of kinds -->\n")
    sections = []
    for code in RuleCode:
        text = import_module(f"roster.engine.rules.{code.name.lower()}").__doc__ or ""
        former = "" if code.value == code.kind else f"Code: `{code.value}`.\n\n"
        sections.append(f"### {code.kind}\n\n{text.strip()}\n\n{former}")
    return before + begin + "".join(sections) + end + after


def format_schema(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
