"""Render and search Markdown files: docs/adr/0084-a-site-shows-its-own-documentation.md."""

import posixpath
import re
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from lxml import etree, html
from markdown_it import MarkdownIt

from catalogue.services.search import correct_words, split_words
from catalogue.services.texts import fold_text

DOCS, PICTURES, PAGE, INDEX = "docs/", "docs/pictures/", ".md", "README.md"
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages beside docs/ that its pages link to."""
FILES = (
    "LICENSE",
    *("docs/schema/list.schema.json", "docs/schema/pack.schema.json"),
    *("docs/deploy/Caddyfile", "docs/deploy/Containerfile", "docs/deploy/Containerfile.dockerignore"),
    *("docs/deploy/compose.yaml", "docs/deploy/nginx.conf", "docs/deploy/upgrade"),
    *("docs/deploy/edge.conf", "docs/deploy/edge.vcl"),
    *("docs/deploy/armybuilder.service", "docs/deploy/armybuilder-worker.service"),
    *("docs/deploy/armybuilder-daily.service", "docs/deploy/armybuilder-daily.timer"),
    *("docs/deploy/armybuilder-mail.service", "docs/deploy/armybuilder-mail.timer"),
)
"""Served as plain text. Not whole folders: a server may have its secrets beside the examples."""
CONTENTS_LEVELS = (2, 3)
EXCERPT_WORDS, WORDS_BEFORE = 32, 8


@dataclass(slots=True)
class PageSection:
    """A heading and the text until the next heading of any level."""

    heading: str
    anchor: str
    level: int
    text: str = ""
    linked_pages: list[str] = field(default_factory=list)
    """Names of pages, in the order of the links."""


@dataclass(frozen=True, slots=True)
class ManualPage:
    name: str
    """The address below /docs/, without slashes around it."""
    html: SafeString
    sections: tuple[PageSection, ...]
    """The first has the page's title."""

    @property
    def title(self) -> str:
        return self.sections[0].heading

    @property
    def contents(self) -> list[PageSection]:
        return [section for section in self.sections if section.level in CONTENTS_LEVELS]


@dataclass(frozen=True, slots=True)
class ReadingPath:
    """The pages for one kind of reader: a section of docs/README.md."""

    title: str
    anchor: str
    pages: tuple[ManualPage, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    pages: dict[str, ManualPage]
    """By name, in the order of the paths. Pages outside all paths come last."""
    files: dict[str, Path]
    """What is served as plain text, by name."""
    paths: tuple[ReadingPath, ...]

    def find_path(self, page: ManualPage) -> ReadingPath | None:
        return next((path for path in self.paths if page in path.pages), None)


class Hit(NamedTuple):
    page: ManualPage
    section: PageSection
    excerpt: list[tuple[str, bool]]
    """Words, and whether they match."""


@cache
def load_manual() -> Manual:
    root: Path = settings.FILES_DIR
    sources = [path.relative_to(root).as_posix() for path in sorted((root / DOCS).rglob(f"*{PAGE}"))]
    names = {source: name_page(source) for source in (*sources, *ROOT_PAGES)}
    files = {name.removeprefix(DOCS): root / name for name in FILES}

    # Links name files, or folders that have an index.
    addresses = {
        source: reverse("docs-page", args=[name]) if name else reverse("docs") for source, name in names.items()
    }
    addresses |= {posixpath.dirname(source): address for source, address in addresses.items() if source.endswith(INDEX)}
    addresses |= {path.relative_to(root).as_posix(): reverse("docs-file", args=[name]) for name, path in files.items()}

    pages = {name: render_page(root, source, names, addresses) for source, name in names.items()}
    paths = tuple(
        ReadingPath(section.heading, section.anchor, tuple(pages[name] for name in dict.fromkeys(section.linked_pages)))
        for section in pages[""].contents
    )
    in_paths = {page.name: page for path in paths for page in path.pages}
    return Manual({"": pages[""]} | in_paths | pages, files, paths)


def name_page(source: str) -> str:
    """Return the name of a page.

    >>> [name_page(source) for source in ("docs/README.md", "docs/adr/README.md", "docs/play.md", "README.md")]
    ['', 'adr', 'play', 'README']
    """
    if not source.startswith(DOCS):
        return source.removesuffix(PAGE)
    return source.removeprefix(DOCS).removesuffix(INDEX).removesuffix(PAGE).rstrip("/")


def anchor_heading(heading: str, taken: Collection[str]) -> str:
    """Return a heading's anchor as code hosts build it.

    >>> anchor_heading("What's kept, 2nd part", ["whats-kept-2nd-part"])
    'whats-kept-2nd-part-1'
    """
    plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    anchor, number = plain, 0
    while anchor in taken:
        number += 1
        anchor = f"{plain}-{number}"
    return anchor


def resolve_link(source: str, href: str) -> str:
    """Return the file that a page's link names.

    >>> resolve_link("docs/adr/README.md", "../play.md#two-phones")
    'docs/play.md'
    """
    file = href.partition("#")[0]
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), file)) if file else source


def render_page(root: Path, source: str, names: Mapping[str, str], addresses: Mapping[str, str]) -> ManualPage:
    """Render a file. `names` has the pages by file, `addresses` where files and folders are served."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    article = html.fragment_fromstring(
        parser.render((root / source).read_text(encoding="utf-8")), create_parent="article"
    )
    article.set("lang", "en")
    etree.strip_elements(article, etree.Comment, with_tail=False)
    sections: list[PageSection] = []
    group = article
    for block in list(article):
        if re.fullmatch(r"h[1-6]", block.tag):
            heading = block.text_content()
            sections.append(
                PageSection(
                    heading, anchor_heading(heading, {section.anchor for section in sections}), int(block.tag[1])
                )
            )
            block.set("id", sections[-1].anchor)
            if block.tag == "h2":
                group = etree.SubElement(article, "section")
        else:
            sections[-1].text += " ".join(block.text_content().split()) + " "
        for link in block.findall(".//a"):
            target = resolve_link(source, link.get("href"))
            if target in names:
                sections[-1].linked_pages.append(names[target])
            if target in addresses:
                link.set("href", "".join((addresses[target], *link.get("href").partition("#")[1:])))
            elif re.match(r"(?!https?:|mailto:|#)", link.get("href")):
                # Code is not served.
                link.drop_tag()
        for picture in block.findall(".//img"):
            show_picture(root, resolve_link(source, picture.get("src")), picture)
        group.append(block)
        for code in [block] if block.tag == "pre" else block.findall(".//pre"):
            # Wide content scrolls, even by keyboard.
            code.set("tabindex", "0")
        if block.tag == "table":
            for cell in block.findall(".//th"):
                # A table without headings has empty ones in Markdown.
                cell.tag = "th" if cell.text_content() else "td"
            frame = etree.SubElement(group, "div", {"class": "wide-table", "tabindex": "0"})
            frame.append(block)
    # The files belong to the project, like its templates.
    rendered = mark_safe(html.tostring(article, encoding="unicode"))  # noqa: S308 - see above
    return ManualPage(names[source], rendered, tuple(sections))


def show_picture(root: Path, path: str, picture: html.HtmlElement) -> None:
    """Link a picture to its file, set its size, and add its dark twin, if any."""
    name, dark = path.removeprefix(PICTURES), f"{path.removesuffix('.png')}-dark.png"
    # The header of a PNG file has width and height.
    width, height = struct.unpack(">II", (root / path).read_bytes()[16:24])
    picture.attrib.update(
        {"src": static(f"docs/{name}"), "width": str(width), "height": str(height), "loading": "lazy"}
    )
    frame = etree.Element("a", {"href": picture.get("src"), "class": "picture"})
    frame.tail, picture.tail = picture.tail, None
    picture.getparent().replace(picture, frame)
    frame.append(picture)
    if (root / dark).exists():
        twin = etree.SubElement(frame, "img", picture.attrib)
        twin.set("src", static(f"docs/{dark.removeprefix(PICTURES)}"))
        picture.set("class", "by-day")
        twin.set("class", "by-night")


def find_sections(text: str) -> list[Hit]:
    """Find sections with every word of `text` in title, heading or text, best first."""
    words = split_words(text)
    if not words:
        return []
    ranked = []
    for page in load_manual().pages.values():
        title = fold_text(page.title)
        for section in page.sections:
            heading, content = fold_text(section.heading), fold_text(section.text)
            if all(word in title or word in heading or word in content for word in words):
                rank = 4 * (" ".join(words) in heading)
                rank += sum(2 * (word in heading) + (word in title) + (word in content) for word in words)
                ranked.append((rank, page, section))
    # Stable, so equal ranks keep the order of the pages.
    ranked.sort(key=lambda row: -row[0])
    return [Hit(page, section, cut_excerpt(section.text, words)) for _, page, section in ranked]


def cut_excerpt(text: str, words: list[str]) -> list[tuple[str, bool]]:
    """Return the words around the first match, or the first words.

    >>> cut_excerpt("Undo reaches the first change", ["first"])[2:4]
    [('the', False), ('first', True)]
    """
    marked = [(written, any(word in fold_text(written) for word in words)) for written in text.split()]
    first = next((place for place, (_, is_match) in enumerate(marked) if is_match), 0)
    begin = max(first - WORDS_BEFORE, 0)
    return marked[begin : begin + EXCERPT_WORDS]


def correct_question(text: str) -> str:
    """Replace words that the documentation lacks by similar ones, for searches without results."""
    pages = load_manual().pages.values()
    texts = (fold_text(f"{section.heading} {section.text}") for page in pages for section in page.sections)
    return correct_words(text, {word for folded in texts for word in re.findall(r"[\w-]+", folded)})
