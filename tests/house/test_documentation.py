"""The site shows docs/ as pages with a search, and every link of the documentation leads somewhere."""

import re
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from lxml import html

from armybuilder.documentation.manual import FILES, PICTURES, find_sections, load_manual
from tests.house.measure import ROOT

NAMES = [name for name in load_manual().pages if name]
PATHS = ["Players", "Organisers", "Data authors", "Self-hosters", "Developers"]
WRITTEN = ["docs", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]


def list_files() -> list[Path]:
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *WRITTEN],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    return [ROOT / name for name in tracked if name.endswith(".md") and (ROOT / name).is_file()]


def read_page(client: Client, address: str) -> html.HtmlElement:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return html.fromstring(answer.content.decode())


# ---- files -------------------------------------------------------------------------------------------------------


def test_every_file_has_one_title_which_comes_first():
    wrong = []
    for path in list_files():
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        if not text.startswith("# ") or len(re.findall(r"^# ", text, re.MULTILINE)) != 1:
            wrong.append(path.name)
    assert wrong == []


def test_every_relative_link_and_picture_of_a_file_is_there():
    missing = []
    for path in list_files():
        text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file = unquote(target.partition("#")[0])
            if not re.match(r"https?:|mailto:", target) and file and not (path.parent / file).exists():
                missing.append(f"{path.relative_to(ROOT)}: {target}")
    assert missing == []


def test_files_that_are_served_are_those_of_the_project():
    folders = ["docs/deploy", "docs/schema"]
    tracked = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert sorted(FILES) == sorted(["LICENSE", *(name for name in tracked if not name.endswith(".md"))])


def test_every_link_and_anchor_of_the_pages_leads_somewhere(client):
    manual = load_manual()
    anchors = {"/docs/" + (f"{name}/" if name else ""): page for name, page in manual.pages.items()}
    followed, wrong = 0, []
    for address, page in anchors.items():
        shown = html.fromstring(page.html)
        for link in shown.iter("a"):
            target, _, anchor = link.get("href").partition("#")
            if re.match(r"https?:|mailto:", target):
                continue
            followed += 1
            if target.startswith("/static/"):
                is_there = finders.find(target.removeprefix("/static/")) is not None
            elif (target or address) in anchors:
                there = {section.anchor for section in anchors[target or address].sections}
                is_there = not anchor or unquote(anchor) in there
            else:
                is_there = target.removeprefix("/docs/") in manual.files
            if not is_there:
                wrong.append(f"{address}: {link.get('href')}")
    assert followed > 300
    assert wrong == []


def test_only_links_to_code_are_shown_as_text():
    """Pages link to one another and to files to copy; nothing that readers need is lost."""
    sources = {name: path for path in list_files() if (name := path.relative_to(ROOT).as_posix())}
    lost = []
    for source, path in sources.items():
        text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        targets = [target.partition("#")[0] for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", text)]
        for target in filter(None, targets):
            file = (path.parent / target).resolve()
            if re.match(r"https?:|mailto:", target) or (file.suffix in {".py", ".yaml"} and "docs" not in file.parts):
                continue
            is_page = file.suffix == ".md" or (file / "README.md").exists()
            is_file = file.parent.name in {"clients", "deploy", "schema"} or file.name == "LICENSE"
            if not is_page and not is_file:
                lost.append(f"{source}: {target}")
    assert lost == []


# ---- pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", *NAMES])
def test_every_page_is_shown(client, name):
    page = read_page(client, f"/docs/{name}/" if name else "/docs/")
    titles = page.xpath("//h1")
    assert [title.text_content() for title in titles] == [load_manual().pages[name].title]
    assert len({element.get("id") for element in page.xpath("//*[@id]")}) == len(page.xpath("//*[@id]"))
    assert page.xpath("//article[@lang='en']")


def test_the_front_page_has_a_path_for_each_reader(client):
    manual = load_manual()
    assert [path.title for path in manual.paths] == PATHS
    assert all(3 <= len(path.pages) <= 10 for path in manual.paths)
    page = read_page(client, "/docs/")
    assert [heading.text for heading in page.xpath("//article//h2")] == PATHS


def test_every_page_of_the_top_folder_is_in_a_path():
    manual = load_manual()
    in_paths = {page.name for path in manual.paths for page in path.pages}
    assert [name for name in NAMES if "/" not in name and name not in in_paths] == ["SECURITY", "CHANGELOG"]


def test_paths_of_players_and_organisers_have_pictures():
    manual = load_manual()
    bare = [page.name for path in manual.paths[:2] for page in path.pages if "<img" not in page.html]
    assert not bare


def test_a_page_shows_its_path_and_the_next_page(client):
    page = read_page(client, "/docs/first-list/")
    others = page.xpath("//nav[@aria-labelledby='path']//a")
    assert [link.get("href") for link in others][:2] == ["/docs/first-list/", "/docs/your-lists/"]
    assert [link.text.strip() for link in others if link.get("aria-current") == "page"] == ["Your first list"]
    assert page.xpath("//a[@rel='next']/@href") == ["/docs/your-lists/"]
    assert read_page(client, "/docs/paper/").xpath("//a[@rel='next']") == []


def test_a_page_has_contents_that_lead_to_its_sections(client):
    page = read_page(client, "/docs/events/")
    links = page.xpath("//details[@class='contents']//a/@href")
    assert "#house-rules" in links
    assert all(page.xpath(f"//*[@id='{link[1:]}']") for link in links)


def test_pictures_have_a_size_and_a_dark_twin(client):
    page = read_page(client, "/docs/first-list/")
    day, night = page.xpath("//a[contains(@href, 'page-builder.png')]/img")
    assert (day.get("width"), day.get("height")) == ("1280", "820")
    assert night.get("src") == "/static/docs/page-builder-dark.png"
    assert day.get("alt") == night.get("alt") != ""


def test_every_picture_of_a_path_is_in_the_folder():
    shown = {source for page in load_manual().pages.values() for source in re.findall(r'src="([^"]+)"', page.html)}
    assert shown
    files = {f"/static/docs/{path.name}" for path in (ROOT / PICTURES).iterdir()}
    assert shown <= files


@pytest.mark.parametrize("name", ["deploy/nginx.conf", "deploy/compose.yaml", "schema/list.schema.json", "LICENSE"])
def test_files_to_copy_are_plain_text(client, name):
    answer = client.get(f"/docs/{name}")
    source = ROOT / name if name == "LICENSE" else ROOT / "docs" / name
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == source.read_bytes()


@pytest.mark.parametrize(
    ("name", "address"),
    [("events", "/docs/events/"), ("adr/README.md", "/docs/adr/"), ("README.md", "/docs/"), ("play.md", "/docs/play/")],
)
def test_names_of_files_lead_to_pages(client, name, address):
    answer = client.get(f"/docs/{name}")
    assert (answer.status_code, answer["Location"]) == (302, address)


@pytest.mark.parametrize(
    "address",
    [
        "/docs/nowhere/",
        "/docs/nowhere",
        "/docs/../pyproject.toml",
        "/docs/%2e%2e/pyproject.toml",
        "/docs/..%2fmanage.py",
        "/docs/deploy/.env",
        "/docs/deploy/environment",
        "/docs/deploy/../../manage.py",
        "/docs/deploy/%2e%2e/%2e%2e/manage.py",
        "/docs//etc/passwd",
        "/docs/%2fetc%2fpasswd",
        "/docs/pictures.py",
        "/docs/events%00/",
        "/docs/\N{SNOWMAN}/",
        f"/docs/{'a' * 3000}/",
    ],
)
def test_other_names_are_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/docs/", "/docs/events/", "/docs/search/", "/docs/LICENSE"])
def test_pages_are_read_only(client, address):
    assert client.post(address).status_code == 405
    assert client.head(address).status_code == 200


def test_an_unchanged_page_is_not_sent_again(client):
    first = client.get("/docs/events/")
    assert "public" in first["Cache-Control"]
    assert client.get("/docs/events/", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_footer_leads_to_the_help(client, db):
    assert "/docs/" in read_page(client, "/").xpath("//footer//a/@href")


def test_a_page_in_another_language_says_that_its_text_is_english(client):
    page = html.fromstring(client.get("/docs/play/", headers={"Accept-Language": "de"}).content.decode())
    assert page.get("lang") == "de"
    assert page.xpath("//article/@lang") == ["en"]


# ---- search ------------------------------------------------------------------------------------------------------


def search(client: Client, text: str) -> html.HtmlElement:
    answer = client.get("/docs/search/", {"q": text})
    assert answer.status_code == 200
    return html.fromstring(answer.content.decode())


def list_hits(page: html.HtmlElement) -> list[str]:
    return page.xpath("//ol[contains(@class, 'hits')]/li/a/@href")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("two phones", "/docs/play/#two-phones"),
        ("TWO  Phones", "/docs/play/#two-phones"),
        ("Backup and restore", "/docs/self-hosting/#backup-and-restore"),
        ("GALLERY_MEGABYTES", "/docs/importing/#gallery"),
        ("accept all legal", "/docs/first-event/#while-lists-come-in"),
        ("five minutes unit", "/docs/packs/#add-a-unit-in-five-minutes"),
    ],
)
def test_a_search_leads_to_the_section(client, text, address):
    page = search(client, text)
    assert list_hits(page)[0] == address
    name, _, anchor = address.partition("#")
    assert read_page(client, name).xpath(f"//*[@id='{anchor}']")


def test_a_result_shows_the_words_that_match(client):
    page = search(client, "undo history")
    marked = {mark.text_content().casefold() for mark in page.xpath("//li[1]//mark")}
    assert marked == {"undo", "history"}


def test_every_word_must_be_there():
    both = find_sections("snapshot link")
    assert {(hit.page.name, hit.section.anchor) for hit in both} < {
        (hit.page.name, hit.section.anchor) for hit in find_sections("link")
    }
    assert find_sections("snapshot zeppelin") == []


def test_a_mistyped_word_is_corrected(client):
    page = search(client, "gallry")
    assert "“gallery”" in page.text_content()
    assert list_hits(page)


@pytest.mark.parametrize(
    "text", ["xyzzyplugh", "xyzzyplugh undo", "?", "“”", "\N{SNOWMAN}", "<script>alert(1)</script>", "%", "\0"]
)
def test_a_search_without_results_says_so(client, text):
    page = search(client, text)
    assert list_hits(page) == [] or "alert" not in text
    assert not page.xpath("//main//script")


def test_nothing_found_offers_a_way_on(client):
    page = search(client, "xyzzyplugh")
    assert page.xpath("//h2")[0].text == "Nothing found"
    assert "/docs/" in page.xpath("//main//a/@href")


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_search_asks_for_words(client, text):
    page = search(client, text)
    assert list_hits(page) == []
    assert page.xpath("//h2")[0].text == "What are you looking for?"


def test_a_long_search_is_cut(client):
    page = search(client, "undo " * 10_000)
    assert list_hits(page)
    assert len(page.xpath("//input[@name='q']/@value")[0]) <= 100


def test_a_search_with_very_many_results_says_how_many(client):
    page = search(client, "a")
    assert len(list_hits(page)) == 40
    assert "The first 40 are shown" in " ".join(page.text_content().split())


def test_a_search_shows_only_results_for_htmx(client):
    answer = client.get("/docs/search/", {"q": "undo"}, headers={"HX-Request": "true"})
    text = unescape(answer.content.decode())
    assert "<ol" in text
    assert "<html" not in text
