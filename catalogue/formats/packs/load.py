"""Load a pack and all its problems from a folder."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml
from yaml.error import MarkedYAMLError

from catalogue.definitions.catalogues import DataSet
from catalogue.documents.node import DocumentNode, DocumentSource, MappingReader
from catalogue.documents.problems import DocumentError, DocumentLimits, Problems, SourceLine
from catalogue.documents.section import Section, read_section
from catalogue.documents.yaml_reader import read_yaml
from catalogue.formats.packs.compile.data_set import compile_data_set
from catalogue.formats.packs.pack import LoadedPack, Pack, WorkedList
from catalogue.formats.packs.syntax.context import ParseContext
from catalogue.formats.packs.syntax.pack import DeclaredNames, FileSyntax, PackFileSyntax, gather_pack

MAX_BYTES = 1_000_000
MAX_FILES = 500
LIMITS = DocumentLimits(values=200_000, depth=50)
SUFFIXES = (".yaml", ".yml")
_WRAPPED = re.compile(r"(?<!\n)\n(?!\n)")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,11}")
HINT_ANCHOR = "Name each anchor once, before it is used."
DOCUMENT_ERRORS = {
    "cyclic-reference": ("An alias points to what encloses it.", "Write it out."),
    "too-deep": ("The file is nested too deeply.", "Make it flatter."),
    "too-big": ("The file is too large.", "Split it."),
}


class PackFolder:
    """A pack's folder. Problems name files by paths that can be opened."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    def list_files(self) -> list[Path]:
        """Leave out links to files outside the folder."""
        root = self.path.resolve()
        files = [
            file
            for file in sorted(self.path.rglob("*"))
            if file.suffix.lower() in SUFFIXES and file.is_file() and root in file.resolve().parents
        ]
        if len(files) > MAX_FILES:
            self._report_file(self.path, "too-many-files", f"The pack has more than {MAX_FILES} files.", "Join some.")
        return files[:MAX_FILES]

    def read_text(self, file: Path) -> str | None:
        """Report an unreadable file and return None."""
        try:
            if file.stat().st_size > MAX_BYTES:
                self._report_file(file, "oversized-file", f"The file is larger than {MAX_BYTES:,} bytes.", "Split it.")
                return None
            return file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self._report_file(file, "unreadable-file", "This is not UTF-8 text.", "Save the file as UTF-8.", line)
        except OSError as error:
            why = error.strerror or "an error"
            self._report_file(file, "unreadable-file", f"The file cannot be read: {why}.", "Check that it is there.")
        return None

    def read_tree(self, file: Path) -> DocumentNode | None:
        """Report a broken document and return None."""
        text = self.read_text(file)
        tree = None if text is None else parse_document(text, str(file), self.problems)
        self.problems.unread |= tree is None
        return tree

    def _report_file(self, file: Path, code: str, message: str, hint: str, line: int = 0) -> None:
        self.problems.add(SourceLine(str(file), line), code, message, hint)


def parse_document(text: str, file: str, problems: Problems) -> DocumentNode | None:
    """Report broken YAML and return None."""
    source = DocumentSource(file, problems)
    try:
        try:
            document = read_yaml(text, source, LIMITS)
        except yaml.YAMLError:
            # The slower parser gives better error messages.
            document = read_yaml(text, source, LIMITS, yaml.SafeLoader)
    except DocumentError as error:
        _report_document_error(error, file, problems)
        return None
    except yaml.YAMLError as error:
        _report_syntax(error, file, problems)
        return None

    if document.root is None or document.root.content == "":
        problems.add(SourceLine(file, 1), "empty-file", "The file is empty.", "Fill it or remove it.")
        return None
    if document.second_line:
        place = SourceLine(file, document.second_line)
        problems.add(place, "second-document", "A second document starts here.", "Remove the “---” line.")
    return document.root


def _report_document_error(error: DocumentError, file: str, problems: Problems) -> None:
    if error.code == "bad-anchor":
        problems.add(SourceLine(file, error.line), "bad-yaml", f"YAML: {error.detail}.", HINT_ANCHOR)
        return
    message, hint = DOCUMENT_ERRORS[error.code]
    if error.code == "cyclic-reference":
        problems.add(SourceLine(file, error.line), error.code, message, hint)
    else:
        problems.add(SourceLine(file), "too-deep", message, hint)


def _report_syntax(error: yaml.YAMLError, file: str, problems: Problems) -> None:
    where, problem, context, opened = SourceLine(file), "it cannot be read as YAML", "", SourceLine(file)
    if isinstance(error, MarkedYAMLError):
        where = _place_mark(file, error.problem_mark or error.context_mark)
        opened = _place_mark(file, error.context_mark)
        problem, context = str(error.problem or problem), str(error.context)
    # The parser only mentions the unexpected character.
    if "\\t" in problem:
        problems.add(where, "tab", "A tab is used for indentation.", "Use spaces.")
    elif "quoted scalar" in context:
        # An open quote swallows the rest of the file.
        problems.add(opened, "bad-yaml", "The text that begins here in quotes does not end.", "Close the quotes.")
    elif "mapping values" in problem:
        # The usual cause is a colon in a sentence.
        hint = "Put a text with a colon in it in quotes, or look at the indentation here and on the line before."
        problems.add(where, "bad-yaml", f"The YAML is broken: {problem}.", hint)
    else:
        hint = "Look at indentation, colons and quotes on this line and the one before."
        problems.add(where, "bad-yaml", f"The YAML is broken: {problem}.", hint)


def _place_mark(file: str, mark: yaml.Mark | None) -> SourceLine:
    return SourceLine(file, mark.line + 1 if mark else 0)


# ---- worked lists ---------------------------------------------------------------------------------------------------

VERDICTS = ("legal", "incomplete", "illegal")
CLAIMS = ("expect", "breaks", "warns", "keeps", "why", "starter", "total")


def add_worked_lists(folder: PackFolder, name: str, pack: Pack) -> Pack:
    worked_lists = []
    for file in folder.list_files():
        if name in file.relative_to(folder.path).parts:
            tree = folder.read_tree(file)
            if tree is not None:
                worked_lists.append(_read_worked_list(tree, str(file.relative_to(folder.path))))
    return msgspec.structs.replace(pack, lists=tuple(worked_lists))


def _read_worked_list(tree: DocumentNode, file: str) -> WorkedList:
    mapping = MappingReader(tree, "The worked list")
    rules = _read_texts(mapping, "breaks")
    total = mapping.get("total")
    document = {
        name.read_text(): make_plain(value) for name, value in tree.read_pairs() if name.read_text() not in CLAIMS
    }
    return WorkedList(
        name=mapping.read_text("name"),
        file=file,
        document=document,
        expect=_read_verdict(mapping, rules),
        rules=rules,
        warns=_read_texts(mapping, "warns"),
        keeps=_read_texts(mapping, "keeps"),
        points=total.read_number() if total is not None else None,
        why=mapping.read_text("why"),
    )


def _read_verdict(mapping: MappingReader, rules: tuple[str, ...]) -> str:
    expect = mapping.need("expect", "Add `expect: legal`, `incomplete` or `illegal`.")
    if expect is None:
        return ""
    verdict = expect.read_text()
    if verdict not in VERDICTS:
        expect.report("wrong-form", f"“{verdict}” is not a verdict.", "Write legal, incomplete or illegal.")
    if bool(rules) != (verdict in VERDICTS[1:]):
        hint = "A legal list breaks nothing; any other names the rules it breaks under `breaks:`."
        expect.report("odd-verdict", f"The list is {verdict} but breaks {len(rules)} rules.", hint)
    return verdict


def _read_texts(mapping: MappingReader, key: str) -> tuple[str, ...]:
    node = mapping.get(key)
    return tuple(item.read_text() for item in node.read_texts()) if node is not None else ()


def make_plain(node: DocumentNode) -> Any:
    """Return plain data, with whole numbers as numbers and the rest as text."""
    if node.is_map:
        return {name.read_text(): make_plain(value) for name, value in node.read_pairs()}
    if node.is_list:
        return [make_plain(value) for value in node.read_each()]
    text = node.read_text()
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else text


# ---- packs ----------------------------------------------------------------------------------------------------------

PACK_FILE = "pack.yaml"
LISTS = "lists"
UNITS = "units"
PROOFS = "proofs"
"""Lists of invented units that test the pack's rules, with the units in `proofs/units`."""
REAL = "real"
"""Inside `proofs`, lists of the pack's own units that are not worth playing."""
SCORES = "scores"
"""Examples of points for each line of a mission."""
S = TypeVar("S", bound=Section)
SHIPPED = Path(__file__).resolve().parents[2] / "packs"


def find_packs(root: Path = SHIPPED) -> tuple[Path, ...]:
    return tuple(sorted(file.parent for file in root.rglob(PACK_FILE)))


def find_pack(pack_id: str, root: Path = SHIPPED) -> Path | None:
    return next((path for path in find_packs(root) if _read_pack_id(path) == pack_id), None)


def _read_pack_id(path: Path) -> str | None:
    tree = PackFolder(path, Problems()).read_tree(path / PACK_FILE)
    identity = MappingReader(tree, "The pack").get("pack") if tree is not None else None
    return identity.read_text() if identity is not None else None


def read_pack(path: Path, instead: Path | None = None) -> LoadedPack:
    """Put problems into `LoadedPack.diagnostics`, never raise.

    Files in `instead` replace the pack's units, and may define factions.
    """
    problems = Problems()
    if not (path / PACK_FILE).is_file():
        hint = f"Give the folder of a pack, which holds a {PACK_FILE}."
        problems.add(SourceLine(str(path)), "no-pack", f"There is no {PACK_FILE} here.", hint)
        return LoadedPack(pack=None, data=None, diagnostics=problems.diagnostics)
    folder = PackFolder(path, problems)
    context = ParseContext(DeclaredNames())
    head = _read_section(PackFileSyntax, folder, path / PACK_FILE, context)
    # Read all files, so that an author sees all mistakes at once.
    files = [_read_section(FileSyntax, *place, context) for place in _list_content_files(folder, instead)]
    if head is None:
        return LoadedPack(pack=None, data=None, diagnostics=problems.diagnostics)

    pack = head.make_pack(_read_notice(folder))
    data: DataSet | None = None
    places: dict[str, tuple[str, int]] = {}
    # Otherwise the contents of a broken file would be reported as missing.
    if not problems.unread:
        syntax = gather_pack(head, filter(None, files), context.declared)
        data = compile_data_set(syntax, pack, problems)
        for rule in syntax.inventory:
            places[rule.id] = (rule.where.file, rule.where.line)
            for clause in rule.clauses:
                places[f"{rule.id}/{clause.id}"] = (clause.where.file, clause.where.line)
    # Worked lists need the units that `instead` replaces.
    if not instead:
        pack = add_worked_lists(folder, LISTS, pack)
    if problems.has_errors:
        return LoadedPack(pack=None, data=None, diagnostics=problems.diagnostics)
    return LoadedPack(pack=pack, data=data, diagnostics=problems.diagnostics, rule_places=places)


def _list_content_files(folder: PackFolder, instead: Path | None) -> Iterator[tuple[PackFolder, Path]]:
    # Invented units of proofs are never mixed with the pack's own.
    skipped = {LISTS, PROOFS, SCORES} | ({UNITS} if instead else set())
    for file in folder.list_files():
        if file != folder.path / PACK_FILE and skipped.isdisjoint(file.relative_to(folder.path).parts):
            yield folder, file
    if instead:
        guests = PackFolder(instead, folder.problems)
        yield from ((guests, file) for file in guests.list_files())


def _read_section(cls: type[S], folder: PackFolder, file: Path, context: ParseContext) -> S | None:
    tree = folder.read_tree(file)
    return None if tree is None else read_section(cls, tree, replace(context, file=str(file)))


def _read_notice(folder: PackFolder) -> str:
    notice = folder.path / "NOTICE"
    text = folder.read_text(notice) if notice.is_file() else None
    if not text:
        hint = "Add a file NOTICE that says whose game it is and that the pack is unofficial."
        folder.problems.add(SourceLine(str(folder.path)), "no-notice", "The pack has no NOTICE.", hint)
    # Lines end where the file's editor wraps them; an empty line parts paragraphs.
    return _WRAPPED.sub(" ", text.strip()) if text else ""
