"""The files of a pack as YAML trees. Whatever is wrong with a file is a finding; the other files are still read."""

import re
from pathlib import Path

import yaml
from yaml.error import MarkedYAMLError

from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import Problems, SourceLine

MAX_BYTES = 1_000_000
MAX_FILES = 500
MAX_VALUES = 200_000
MAX_DEPTH = 50
SUFFIXES = (".yaml", ".yml")
FAST = hasattr(yaml, "CSafeLoader")
_BRACKETS = re.compile(r"[\[\]{}]")
_DASHES = re.compile(r"(?:[-?:]\s+){20}")


class PackFolder:
    """The folder of one pack. File names in findings are relative to where it was found, so that they can be opened."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    def files(self) -> list[Path]:
        """All YAML files below the folder, sorted, links to elsewhere left out."""
        found = [
            file
            for file in sorted(self.path.rglob("*"))
            if file.suffix.lower() in SUFFIXES and file.is_file() and self._inside(file)
        ]
        if len(found) > MAX_FILES:
            self.problems.add(
                SourceLine(str(self.path)),
                "too-many-files",
                f"The pack has more than {MAX_FILES} files.",
                "Join some.",
            )
        return found[:MAX_FILES]

    def text(self, file: Path) -> str | None:
        """The text of a file; None, and a finding, where it cannot be read."""
        try:
            if file.stat().st_size > MAX_BYTES:
                self._report(
                    file, "oversized-file", f"The file is larger than {MAX_BYTES:,} bytes.", "Split it."
                )
                return None
            return file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.problems.add(
                SourceLine(str(file), line),
                "unreadable-file",
                "This is not UTF-8 text.",
                "Save the file as UTF-8.",
            )
        except OSError as error:
            why = error.strerror or "an error"
            self._report(
                file, "unreadable-file", f"The file cannot be read: {why}.", "Check that it is there."
            )
        return None

    def tree(self, file: Path) -> DocumentNode | None:
        """The one YAML document of a file; None, and findings, where there is none."""
        text = self.text(file)
        tree = None if text is None else read_tree(text, str(file), self.problems)
        self.problems.unread |= tree is None
        return tree

    def _inside(self, file: Path) -> bool:
        return self.path.resolve() in file.resolve().parents

    def _report(self, file: Path, code: str, message: str, mend: str) -> None:
        self.problems.add(SourceLine(str(file)), code, message, mend)


def read_tree(text: str, file: str, problems: Problems) -> DocumentNode | None:
    """The one YAML document in `text`, or None with findings."""
    try:
        nodes = _compose(text)
    except yaml.YAMLError as error:
        _report_syntax(error, file, problems)
        return None
    except (RecursionError, ValueError):
        problems.add(SourceLine(file), "too-deep", "The file is nested too deeply.", "Make it flatter.")
        return None
    if not nodes or _is_blank(nodes[0]):
        problems.add(SourceLine(file, 1), "empty-file", "The file is empty.", "Fill it or remove it.")
        return None
    if len(nodes) > 1:
        line = nodes[1].start_mark.line + 1
        problems.add(
            SourceLine(file, line),
            "second-document",
            "A second document starts here.",
            "Remove the “---” line.",
        )
    return DocumentNode(nodes[0], file, problems) if _sound(nodes[0], file, problems) else None


def _compose(text: str) -> list[yaml.Node]:
    """The documents in a text, by the fast reader where that is safe; what it refuses, the other one explains."""
    if FAST and not _may_be_deep(text):
        try:
            return list(yaml.compose_all(text, Loader=yaml.CSafeLoader))
        except yaml.YAMLError:
            pass
    return list(yaml.compose_all(text, Loader=yaml.SafeLoader))


def _may_be_deep(text: str) -> bool:
    """Whether brackets or dashes might nest so deeply that the fast reader, which does not count, would crash."""
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest > MAX_DEPTH or _DASHES.search(text) is not None


def _is_blank(node: yaml.Node | None) -> bool:
    return node is None or (isinstance(node, yaml.ScalarNode) and not node.value)


def _report_syntax(error: yaml.YAMLError, file: str, problems: Problems) -> None:
    line, problem = 0, "it cannot be read as YAML"
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        problem = str(error.problem or problem)
    if "\\t" in problem:
        problems.add(SourceLine(file, line), "tab", "A tab stands in the indentation.", "Use spaces.")
        return
    if "duplicate anchor" in problem or "undefined alias" in problem:
        problems.add(
            SourceLine(file, line),
            "bad-yaml",
            f"YAML: {problem}.",
            "Name each anchor once, before it is used.",
        )
        return
    if isinstance(error, MarkedYAMLError) and error.context_mark and "quoted scalar" in str(error.context):
        opened = SourceLine(file, error.context_mark.line + 1)
        problems.add(
            opened, "bad-yaml", "The text that begins here in quotes does not end.", "Close the quotes."
        )
        return
    mend = "Look at indentation, colons and quotes on this line and the one before."
    if "mapping values" in problem:
        mend = (
            "Put a text with a colon in it in quotes, or look at the indentation here and on the line before."
        )
    problems.add(SourceLine(file, line), "bad-yaml", f"The YAML is broken: {problem}.", mend)


def _sound(root: yaml.Node, file: str, problems: Problems) -> bool:
    """Whether the tree is one that can be walked: no alias to what encloses it, not too deep, not too large."""
    left = MAX_VALUES

    def walk(node: yaml.Node, above: tuple[int, ...]) -> str:
        nonlocal left
        left -= 1
        if id(node) in above:
            return "cyclic-reference"
        if left < 0 or len(above) > MAX_DEPTH:
            return "too-deep"
        children = _children(node)
        return next((bad for child in children if (bad := walk(child, (*above, id(node))))), "")

    found = walk(root, ())
    if found == "cyclic-reference":
        problems.add(
            SourceLine(file, root.start_mark.line + 1),
            found,
            "An alias points to what encloses it.",
            "Write it out.",
        )
    elif found:
        problems.add(
            SourceLine(file),
            found,
            "The file is too large or nested too deeply.",
            "Split it, or make it flatter.",
        )
    return not found


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
