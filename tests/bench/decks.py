"""Measure a deck of 54 cards, from cards to PDF bytes, compared with warm Chromium on the same HTML."""

from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from catalogue.definitions.identity import Identity
from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import PrintCard, list_faces
from roster.pdf.imposition.card_format import POKER
from roster.pdf.imposition.layout import CARD_STYLES, format_page, render_sides
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.imposition.set_face import CardLook, set_faces
from roster.pdf.render import compose_css
from tests.bench.benchmark import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.paper import CHROMIUM

CARDS = 54
ROUNDS = 8
IDENTITY = Identity(emblem="whirlwind", dark="#27415c", light="#9cc4ec")


def deck() -> list[PrintCard]:
    """Missions, objectives and stratagems of Maelstrom of War, then objectives of Maelstrom's Edge."""
    found: list[PrintCard] = []
    for pack, kinds in (
        ("wh40k/ninth", (CardKind.MISSIONS, CardKind.OBJECTIVES, CardKind.STRATAGEMS)),
        ("maelstroms_edge/second", (CardKind.OBJECTIVES,)),
    ):
        data = read_pack(SHIPPED / pack).data
        assert data is not None
        play = Play(data.game_system)
        found += select_cards(play, read_selection(play, [kind.value for kind in kinds], [], ""), [])
    assert len(found) >= CARDS
    return found[:CARDS]


@benchmark("deck")
def deck_of_54() -> Iterator[Figure]:
    cards = deck()
    faces = list_faces(cards)
    look = CardLook(card_format=POKER, dark=IDENTITY.dark, light=IDENTITY.light)
    html = render_sides([side for sides in set_faces(faces, look).values() for side in sides], "Deck")
    style = compose_css(["fonts", *CARD_STYLES], format_page(look))
    with_styles = html.replace("</head>", f"<style>{style}</style></head>")

    def ours() -> None:
        print_cards(cards, CardOptions(), title="Deck", identity=IDENTITY)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()

        def theirs() -> None:
            page.set_content(with_styles)
            page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)

        own, other = [], []
        for _ in range(or_least(2, 0)):
            ours()
            theirs()
        for _ in range(or_least(ROUNDS, 1)):
            own.append(measure(ours, times=1, warm_up=0).p50)
            other.append(measure(theirs, times=1, warm_up=0).p50)
        browser.close()
    chromium = Yardstick("times warm Chromium", Times(tuple(sorted(other))).p50)
    yield Figure("54 cards, laid out, imposed and written", Times(tuple(sorted(own))), at_most=5, beside=chromium)
