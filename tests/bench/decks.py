"""A deck of 54 cards to cut out: from cards to the bytes of a PDF, beside warm Chromium on the same HTML."""

from collections.abc import Iterator

from playwright.sync_api import sync_playwright

from catalogue.formats.packs.load import SHIPPED, read_pack
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import PrintCard, faces_of
from roster.pdf.imposition.card_format import POKER
from roster.pdf.imposition.fit import usual_type
from roster.pdf.imposition.layout import html_of, measures_of
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.imposition.select_cards import What, chosen_cards, read_choice
from roster.pdf.render import css_of
from tests.bench.frame import Figure, Times, Yardstick, benchmark, measure, or_least
from tests.bench.paper import CHROMIUM

CARDS = 54
ROUNDS = 8
ACCENT = "#2f4d6b"


def deck() -> list[PrintCard]:
    """Missions, objectives and stratagems of Maelstrom of War, then objectives of Maelstrom's Edge."""
    found: list[PrintCard] = []
    for pack, kinds in (
        ("wh40k/ninth", (What.MISSIONS, What.OBJECTIVES, What.STRATAGEMS)),
        ("maelstroms_edge/second", (What.OBJECTIVES,)),
    ):
        data = read_pack(SHIPPED / pack).data
        assert data is not None
        play = Play(data.game_system)
        found += chosen_cards(play, read_choice(play, [kind.value for kind in kinds], [], ""), [])
    assert len(found) >= CARDS
    return found[:CARDS]


@benchmark("deck")
def deck_of_54() -> Iterator[Figure]:
    cards = deck()
    faces = faces_of(cards)
    html = html_of(faces, "Deck", ACCENT)
    style = css_of(["cards"], ACCENT, measures_of(POKER, usual_type(POKER), 0.0, faces))
    with_styles = html.replace("</head>", f"<style>{style}</style></head>")

    def ours() -> None:
        print_cards(cards, CardOptions(), title="Deck", accent=ACCENT, identifier=b"0" * 32)

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
    yield Figure(
        "54 cards, laid out, imposed and written", Times(tuple(sorted(own))), at_most=6, beside=chromium
    )
