"""Takes the pictures of the documentation from the running app: `make pictures`.

The app is started on an empty database with the packs it comes with; a browser then does what a player would. The
pictures go to docs/pictures/, or to the folder `PICTURES`.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = Path(os.environ.get("PICTURES") or ROOT / "docs" / "pictures")
CHROMIUM = "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
DESK = {"width": 1280, "height": 820}
PHONE = {"width": 390, "height": 780}
GAME = "reeds-and-rust"
UNITS = ["Lock Warden", "Reed Cutters", "Punt Crew", "Sluice Giants", "Pike Bailiffs", "Pike Bailiffs"]
SHEET_DPI = "60"
PRINTS = (
    ("cards", "what=missions&what=objectives&what=stratagems&what=specials", 1),
    ("backs", "what=missions&what=objectives&what=stratagems&what=specials", 2),
    ("mini", "what=missions&what=objectives&size=mini", 1),
    ("tarot", "what=missions&size=tarot", 1),
    ("a6", "what=missions&size=a6", 1),
    ("a5", "what=missions&size=a5&paper=letter", 1),
    ("bleed", "what=missions&what=objectives&bleed=1", 1),
    ("saver", "what=missions&what=objectives&ink=saver", 1),
    ("tokens", "what=tokens", 1),
    ("maps", "what=maps&size=a6", 1),
    ("reference", "what=reference&size=sheet", 1),
)
"""Prints of the missions of a game: the name of the picture, what is asked for, and which page of it."""


PAGES = (
    ("front", "/"),
    ("start", "/rosters/new/?game=maelstrom-of-war-9e"),
    ("games", "/games/"),
    ("gallery", "/games/gallery/"),
    ("game", "/games/warzone-resurrection/"),
    ("faction", "/games/warzone-resurrection/bauhaus/"),
    ("unit", "/games/maelstrom-of-war-9e/necrons/overlord/"),
    ("cards", "/games/edge-dawnfall/chapter/cards/"),
    ("search", "/search/?q=lych"),
    ("missions", "/missions/warzone-resurrection/"),
    ("mission", "/missions/maelstrom-of-war-9e/complex-front/"),
    ("rules", "/rules/maelstroms-edge-2e/"),
    ("public", "/lists/"),
    ("import", "/rosters/import/"),
    ("sign-up", "/accounts/signup/"),
    ("mission-decks", "/decks/"),
    ("credits", "/credits/"),
)
"""Pages that anybody sees, taken at both widths, by day and by night."""
PAGES_OF_A_LIST = (
    ("builder", "/rosters/{list}/"),
    ("datasheet", "/rosters/{list}/units/overlord/"),
    ("link", "/r/{list}/"),
    ("share", "/rosters/{list}/sharing/"),
    ("history", "/rosters/{list}/history/"),
    ("plan", "/rosters/{list}/plan/"),
    ("pack", "/r/{list}/pack/"),
    ("data", "/rosters/{list}/data/"),
    ("folders", "/rosters/folders/"),
    ("my-lists", "/rosters/"),
    ("front-return", "/"),
)
"""Pages of somebody who has taken over an army."""
PAGES_OF_AN_EVENT = (
    ("events", "/events/"),
    ("event", "/events/{event}/"),
    ("event-queue", "/events/{event}/submissions/"),
    ("event-settings", "/events/{event}/settings/"),
    ("event-print", "/events/{event}/print/"),
    ("event-log", "/events/{event}/audit/"),
)
"""Pages of who organises one, where lists have come in."""
MODELS = (("Necron Warriors", "10", "Painted"), ("Necron Warriors", "10", "Built"), ("Overlord", "1", "Based"))
"""Models of a collection: the kind, how many and in which state."""
PLAYERS = ("Ada Quill", "Bram Sedge", "Cleo Marsh")
ARMY, OTHER_ARMY = "Waking legion", "Tendril at the gate"
Look = tuple[str, dict[str, int], str]
LOOKS: tuple[Look, ...] = (
    ("", DESK, "light"),
    ("-dark", DESK, "dark"),
    ("-phone", PHONE, "light"),
    ("-phone-dark", PHONE, "dark"),
)
PASSWORD = "low water column"  # noqa: S105 - of accounts that are gone with the pictures
ORGANISERS = f"""
from allauth.account.models import EmailAddress
for number in range({len(LOOKS)}):
    person = User.objects.create_user(f"organiser-{{number}}", f"quill-{{number}}@example.org", {PASSWORD!r})
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
"""
"""An account for each look, since an event needs one."""
PUBLIC_LISTS = f"""
from roster.models.ownership import Visibility
from roster.services.accounts import set_player_name
from roster.services.owners import Visitor
from roster.services.rosters import copy_roster, list_starters
people = [User.objects.create_user(name) for name in {PLAYERS!r}]
for person in people:
    set_player_name(person, person.username)
for number, army in enumerate(list_starters()[:8]):
    shown = copy_roster(army, Visitor(user_id=people[number % len(people)].pk))
    Roster.objects.filter(pk=shown.pk).update(visibility=Visibility.PUBLIC, times_copied=number * 7 % 10)
"""
"""Ready armies that players show to everybody, some of them copied by others."""
CLUB = """
from roster.club.services.clubs import create_club, enter_members, open_club
from roster.club.services.results import enter_scores
from roster.club.services.seasons import SeasonDraft, create_season, enter_season, start_season
organiser = User.objects.get(username="organiser-0")
club = create_club(organiser, "Tidal wargamers")
enter_members(club, "Bram\\nCleo\\nDora\\nEve\\nFinn")
numbers = {"win": "3", "draw": "2", "loss": "1", "factor": "32", "days": "14"}
rules = "Lists of 120 points. Forces grow by what happens at the table."
draft = SeasonDraft(
    name="Low tide league", text=rules, game="reeds-and-rust", format="round-robin", ladder="points", numbers=numbers
)
season = create_season(club, draft)
enter_season(season, club.members.all())
start_season(season)
season.refresh_from_db()
scores = (("18", "11"), ("15", "9"), ("12", "12"), ("21", "14"), ("13", "13"))
standing = open_club(club, organiser)
for meeting, (first, second) in zip(season.meetings.order_by("pk"), scores):
    refused = enter_scores(standing, season, meeting.pk, first, second)
    assert refused is None, refused
"""
"""A club of the first organiser, whose league is in its second round."""
USED = """() => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()).flatMap((one) => {
  const style = getComputedStyle(one), radius = style.borderTopLeftRadius;
  const speaks = [...one.childNodes].some((inner) => inner.nodeType === Node.TEXT_NODE && inner.data.trim());
  return [
    ...(speaks ? [["size of type", style.fontSize], ["colour of text", style.color]] : []),
    ...(radius === "0px" ? [] : [["radius", radius]]),
  ];
})"""
"""Sizes of type, colours of text and radii of a page, once for each element."""
used: Counter[tuple[str, str, str]] = Counter()
"""How many elements use each value, by kind and width."""
COLOURS = 128
"""So many colours are enough for pages without photographs, and make a picture a third as large."""


@contextmanager
def app() -> Iterator[str]:
    """Serve the app on a database of its own; yield its address."""
    with tempfile.TemporaryDirectory(prefix="armybuilder-pictures-") as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        settings = {"ARMYBUILDER_VAR": folder, "DJANGO_SETTINGS_MODULE": "armybuilder.settings.local", "DEBUG": "1"}
        environment = {**os.environ, **settings}
        fill = (
            ["load_packs"],
            ["load_examples"],
            *(["shell", "-c", code] for code in (ORGANISERS, PUBLIC_LISTS, CLUB)),
        )
        for command in (["migrate", "--verbosity=0"], *fill):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)  # noqa: S603 - our own commands
        serve = [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
        server = subprocess.Popen(serve, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)  # noqa: S603 - the same
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address)
            yield address
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str) -> None:
    for _ in range(900):
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - the server started above
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"Nothing answers on {address}")


def open_page(browser: Browser, address: str, **options: object) -> Page:
    page = browser.new_context(base_url=address, reduced_motion="reduce", **options).new_page()
    page.add_init_script("localStorage.setItem('tour', 'yes')")
    page.goto("/")
    return page


def shoot(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")
    with Image.open(BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS).save(PICTURES / f"{name}.png", optimize=True)
    width = "phone" if "-phone" in name else "desk"
    used.update((kind, width, value) for kind, value in page.evaluate(USED))


def print_used() -> None:
    """Print the sizes of type, radii and colours of text over all pages, the most used first."""
    groups = sorted({(kind, width) for kind, width, _value in used})
    for group in groups:
        values = [(value, count) for (*key, value), count in used.most_common() if tuple(key) == group]
        shown = ", ".join(f"{value} ({count})" for value, count in values)
        sys.stdout.write(f"{group[0]}, {group[1]}: {len(values)}\n  {shown}\n")


def build(page: Page) -> None:
    """Build a list with one hammer too many, its cutters open."""
    page.goto(f"/rosters/new/?game={GAME}")
    page.get_by_label("Name").fill("Low water column")
    page.get_by_role("radio", name="Full game").check()
    page.get_by_role("button", name="Build list").click()
    for count, name in enumerate(UNITS, 1):
        page.evaluate("() => { location.hash = '#picks' }")
        page.locator("#offers li", has_text=name).locator(".add").click()
        if page.locator("#datasheet[open]").count():
            page.get_by_role("button", name="Add anyway").click()
        page.locator(".unit").nth(count - 1).wait_for(state="attached")
    page.evaluate("() => { location.hash = '#roster' }")
    page.locator(".unit", has_text="Reed Cutters").locator(".name").click()
    page.get_by_label("Net throwers").check()
    page.wait_for_load_state("networkidle")
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")


def print_out(page: Page, address: str, name: str, number: int = 1) -> None:
    """Take a page of a PDF of the app."""
    answer = page.request.get(address, timeout=60_000)
    if not answer.ok:
        raise SystemExit(f"{address} answers {answer.status}")
    pdf = PICTURES / f"{name}.pdf"
    pdf.write_bytes(answer.body())
    only = ["-f", str(number), "-l", str(number), "-singlefile"]
    shrink = ["pdftoppm", "-png", "-r", SHEET_DPI, *only, str(pdf), str(PICTURES / name)]
    subprocess.run(shrink, check=True)  # noqa: S603 - poppler, on a file of our own
    pdf.unlink()


def paper(page: Page) -> None:
    """Take the sheet of the list that is open, and every kind of paper there is beside it."""
    link = page.url.split("?")[0].split("#")[0].replace("/rosters/", "/r/")
    print_out(page, f"{link}sheet.pdf", "sheet")
    print_out(page, f"{link}cards.pdf?size=tarot", "paper-units")
    pack = f"{link}pack.pdf?mission=night-crossing"
    for number, name in enumerate(("setup", "mission", "score", "list"), 1):
        print_out(page, pack, f"pack-{name}", number)
    for name, asked, number in PRINTS:
        print_out(page, f"/missions/{GAME}/cards.pdf?{asked}", f"paper-{name}", number)
    print_out(page, f"/games/{GAME}/marsh-compact/cards.pdf", "paper-proxies")


def deck(page: Page) -> None:
    """Take a mission, then a deck with what was drawn from it."""
    page.goto(f"/missions/{GAME}/night-crossing/")
    shoot(page, "mission")
    page.goto("/decks/")
    page.get_by_role("button", name="Start").click()
    page.locator("details", has_text="Reeds and Rust").locator("summary").click()
    page.get_by_role("button", name="Add the whole pack").locator("visible=true").click()
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Draw one").click()
    page.locator(".drawn").first.wait_for()
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
    shoot(page, "deck")


def hand(page: Page) -> None:
    """Take a hand of objectives in the first round."""
    page.goto("/missions/maelstrom-of-war-9e/complex-front/")
    page.get_by_role("button", name="Start drawing").click()
    for number, category in enumerate(("raid", "eradication", "heroic-deeds")):
        page.locator(f"#g{number}").select_option(category)
    page.locator("#secret").select_option("raid")
    page.get_by_role("button", name="Choose categories").click()
    page.get_by_role("button", name="Draw objectives").click()
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
    shoot(page, "hand")


def take_pages(browser: Browser, address: str, looks: Sequence[Look]) -> None:
    """Take the pages that anybody sees, then those of a list."""
    for ending, viewport, scheme in looks:
        page = open_page(browser, address, viewport=viewport, color_scheme=scheme)
        for name, where in PAGES:
            page.goto(where)
            shoot(page, f"page-{name}{ending}")
        other, public_id = take_over(page, OTHER_ARMY), take_over(page, ARMY)
        for name, where in PAGES_OF_A_LIST:
            page.goto(where.format(list=public_id))
            shoot(page, f"page-{name}{ending}")
        page.goto(f"/rosters/compare/?list={public_id}&list={other}")
        shoot(page, f"page-compare{ending}")
        fill_collection(page, public_id)
        shoot(page, f"page-collection{ending}")
        fill_deck(page)
        shoot(page, f"page-deck{ending}")
        page.context.close()


def take_over(page: Page, army: str) -> str:
    """Take over a ready army; return the public id of the list."""
    page.goto(PAGES[1][1])
    page.get_by_role("button", name=army).click()
    page.wait_for_url("**/rosters/*/")
    return page.url.rstrip("/").rpartition("/")[2]


def fill_collection(page: Page, public_id: str) -> None:
    """Open a collection, enter models and compare it with a list."""
    page.goto("/collections/")
    page.get_by_label("Faction").select_option(label="Necrons")
    page.get_by_role("button", name="Open").click()
    page.wait_for_url("**/collections/*/**")
    for name, number, state in MODELS:
        page.get_by_label("Model", exact=True).fill(name)
        page.get_by_label("How many").first.fill(number)
        page.locator("#state").select_option(label=state)
        page.get_by_role("button", name="Add models").click()
        page.wait_for_load_state("networkidle")
    page.get_by_label("Another list").select_option(public_id)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_load_state("networkidle")
    page.goto(page.url.split("?")[0].split("#")[0])


def fill_deck(page: Page) -> None:
    """Fill the deck of a list from that of a ready army."""
    page.goto("/rosters/new/?game=edge-dawnfall")
    page.get_by_role("button", name="Build list").click()
    page.wait_for_url("**/rosters/*/")
    page.goto(page.url + "deck/")
    page.get_by_role("button", name="Fill from First deck").click()
    page.locator("#deck-verdict").wait_for(state="attached")


def take_events(browser: Browser, address: str, looks: Sequence[Look]) -> None:
    """Take the pages of an event to which three lists came, and of a game with one of them."""
    for number, (ending, viewport, scheme) in enumerate(looks):
        page = open_page(browser, address, viewport=viewport, color_scheme=scheme)
        sign_in(page, f"quill-{number}@example.org")
        link = build_army(page, 0)
        documents = [page.request.get(f"{build_army(page, army)}roster.json").body() for army in range(len(PLAYERS))]
        event = begin_event(page, dict(zip(PLAYERS, documents, strict=True)))
        for name, where in PAGES_OF_AN_EVENT:
            page.goto(where.format(event=event))
            if name == "event-queue":
                page.locator("#queue td a").first.click()
            shoot(page, f"page-{name}{ending}")
        page.goto(link.replace("/r/", "/play/new/"))
        page.locator("#opponent").fill("Ivo")
        page.locator("main form .btn.main").click()
        page.locator("#taps").wait_for()
        shoot(page, f"page-play{ending}")
        for name, where in (("games-played", "/play/"), ("account", "/account/"), ("front-busy", "/")):
            page.goto(where)
            shoot(page, f"page-{name}{ending}")
        page.context.close()


def sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.fill("[name=login]", email)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form .btn.main").click()
    page.wait_for_load_state("networkidle")


def build_army(page: Page, number: int) -> str:
    """Take over one of the game's armies; return the address of its link."""
    page.goto(f"/rosters/new/?game={GAME}")
    armies = page.locator("button[formaction*='/r/']")
    armies.nth(number % armies.count()).click()
    page.wait_for_url("**/rosters/*/")
    return page.url.split("?")[0].split("#")[0].replace("/rosters/", "/r/")


def begin_event(page: Page, documents: dict[str, bytes]) -> str:
    """Begin an event and bring the lists of its players; return its public id."""
    page.goto("/events/")
    page.fill("#name", "Autumn Muster")
    page.locator("[name=game]").select_option(GAME)
    page.get_by_role("button", name="New event").click()
    page.wait_for_url("**/events/*/**")
    event = page.url.split("/events/")[1].split("/")[0]
    archive = BytesIO()
    with ZipFile(archive, "w") as lists:
        for player, document in documents.items():
            lists.writestr(f"{player}.json", document)
    page.goto(f"/events/upload/{event}/")
    page.set_input_files("#file", {"name": "lists.zip", "mimeType": "application/zip", "buffer": archive.getvalue()})
    page.locator("main form .btn.main").click()
    page.wait_for_url("**/reports/**")
    return event


def take_club(browser: Browser, address: str, looks: Sequence[Look]) -> None:
    """Take the page of a season, and of a force with an experienced unit."""
    for ending, viewport, scheme in looks:
        page = open_page(browser, address, viewport=viewport, color_scheme=scheme)
        sign_in(page, "quill-0@example.org")
        page.goto("/clubs/")
        page.get_by_role("link", name="Tidal wargamers").click()
        page.get_by_role("link", name="Low tide league").first.click()
        page.locator(".ladder").wait_for()
        shoot(page, f"page-league{ending}")
        take_over(page, ARMY)
        page.goto("/forces/")
        page.get_by_label("Faction").select_option(label="Necrons")
        page.get_by_label("Name").fill("Dust of the Sautekh")
        page.get_by_role("button", name="Start").click()
        page.get_by_role("button", name="Show its units").click()
        page.get_by_role("button", name="Add to the force").click()
        page.locator("a.grown").first.click()
        page.get_by_label("For what").fill("Held the gate")
        page.locator("#experience").fill("5")
        page.locator("button[value=experience]").click()
        page.get_by_label("Honour", exact=True).fill("Sure of foot")
        page.locator("button[value=honour]").click()
        page.locator(".honour").first.wait_for()
        page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
        shoot(page, f"page-force{ending}")
        page.context.close()


def take_builder(browser: Browser, address: str, looks: Sequence[Look]) -> None:
    """Take the builder at each look, then what is printed from its list, a deck and a hand of objectives."""
    for ending, viewport, scheme in looks:
        if ending == "-phone-dark":
            continue
        touch = {"has_touch": True, "is_mobile": True} if viewport == PHONE else {}
        page = open_page(browser, address, viewport=viewport, color_scheme=scheme, **touch)
        build(page)
        shoot(page, "phone" if viewport == PHONE else f"builder{ending}")
        if not ending:
            paper(page)
            deck(page)
            hand(page)


PARTS = {"pages": take_pages, "events": take_events, "club": take_club, "builder": take_builder}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"one of {', '.join(PARTS)}; all without any")
    parser.add_argument("--once", action="store_true", help="only on a desk by day, instead of at every look")
    options = parser.parse_args()
    if strange := set(options.parts) - set(PARTS):
        parser.error(f"There is no part {', '.join(sorted(strange))}. There are {', '.join(PARTS)}.")
    PICTURES.mkdir(exist_ok=True)
    with app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for part in options.parts or PARTS:
            PARTS[part](browser, address, LOOKS[:1] if options.once else LOOKS)
        browser.close()
    print_used()


if __name__ == "__main__":
    main()
