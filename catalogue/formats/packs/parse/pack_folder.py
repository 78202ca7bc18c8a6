"""The files of a pack as trees. Whatever is wrong with a file is reported; the other files are still read."""

from pathlib import Path

import yaml
from yaml.error import MarkedYAMLError

from catalogue.documents.limits import DocumentError, DocumentLimits
from catalogue.documents.node import DocumentNode, DocumentSource
from catalogue.documents.problems import Problems, SourceLine
from catalogue.documents.yaml_reader import YamlDocument, read_yaml

MAX_BYTES = 1_000_000
MAX_FILES = 500
LIMITS = DocumentLimits(values=200_000, depth=50)
SUFFIXES = (".yaml", ".yml")
HINT_ANCHOR = "Name each anchor once, before it is used."
DOCUMENT_ERRORS = {
    "cyclic-reference": ("An alias points to what encloses it.", "Write it out."),
    "too-deep": ("The file is nested too deeply.", "Make it flatter."),
    "too-big": ("The file is too large.", "Split it."),
}


class PackFolder:
    """The folder of one pack. File names in reports are relative to where it was found, so that they can be opened."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    def list_files(self) -> list[Path]:
        """Return all YAML files below the folder, sorted, without links to elsewhere."""
        files = [
            file
            for file in sorted(self.path.rglob("*"))
            if file.suffix.lower() in SUFFIXES and file.is_file() and self._is_inside(file)
        ]
        if len(files) > MAX_FILES:
            self._report_file(
                self.path, "too-many-files", f"The pack has more than {MAX_FILES} files.", "Join some."
            )
        return files[:MAX_FILES]

    def read_text(self, file: Path) -> str | None:
        """Return the text of a file; None, with a report, where it cannot be read."""
        try:
            if file.stat().st_size > MAX_BYTES:
                self._report_file(
                    file, "oversized-file", f"The file is larger than {MAX_BYTES:,} bytes.", "Split it."
                )
                return None
            return file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self._report_file(
                file, "unreadable-file", "This is not UTF-8 text.", "Save the file as UTF-8.", line
            )
        except OSError as error:
            why = error.strerror or "an error"
            self._report_file(
                file, "unreadable-file", f"The file cannot be read: {why}.", "Check that it is there."
            )
        return None

    def read_tree(self, file: Path) -> DocumentNode | None:
        """Return the one document of a file; None, with a report, where there is none."""
        text = self.read_text(file)
        tree = None if text is None else parse_document(text, str(file), self.problems)
        self.problems.unread |= tree is None
        return tree

    def _is_inside(self, file: Path) -> bool:
        return self.path.resolve() in file.resolve().parents

    def _report_file(self, file: Path, code: str, message: str, hint: str, line: int = 0) -> None:
        self.problems.add(SourceLine(str(file), line), code, message, hint)


def parse_document(text: str, file: str, problems: Problems) -> DocumentNode | None:
    """Return the one YAML document in `text`; None, with a report, where it cannot be read."""
    try:
        document = _parse_yaml(text, DocumentSource(file, problems))
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


def _parse_yaml(text: str, source: DocumentSource) -> YamlDocument:
    """Parse with the fast parser; what it refuses, the other one explains better."""
    try:
        return read_yaml(text, source, LIMITS)
    except yaml.YAMLError:
        return read_yaml(text, source, LIMITS, yaml.SafeLoader)


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
    line, problem = 0, "it cannot be read as YAML"
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        problem = str(error.problem or problem)
    if "\\t" in problem:
        problems.add(SourceLine(file, line), "tab", "A tab is used for indentation.", "Use spaces.")
        return
    if isinstance(error, MarkedYAMLError) and error.context_mark and "quoted scalar" in str(error.context):
        opened = SourceLine(file, error.context_mark.line + 1)
        problems.add(
            opened, "bad-yaml", "The text that begins here in quotes does not end.", "Close the quotes."
        )
        return
    hint = "Look at indentation, colons and quotes on this line and the one before."
    if "mapping values" in problem:
        hint = (
            "Put a text with a colon in it in quotes, or look at the indentation here and on the line before."
        )
    problems.add(SourceLine(file, line), "bad-yaml", f"The YAML is broken: {problem}.", hint)
