from functools import cached_property

from tests.second_reading.printed_line import Part, own_id, slug
from tests.second_reading.reading import Document, Figures, count_of, detachments_of, id_of, units_of
from tests.second_reading.warzone_army import Army
from tests.second_reading.warzone_entries import Squad, shelf_of

OUTSIDE = "none"
NOWHERE = -1
"""The chart of squads that are in none."""
DECK = "megadeck"


class Force:
    def __init__(self, document: Document, figures: Figures) -> None:
        self.document = document
        self.faction: str = document["faction"]
        self.shelf = shelf = shelf_of(figures.folder)
        self.charts = {
            number: each["detachment"]
            for number, each in enumerate(detachments_of(document))
            if each["detachment"] != OUTSIDE
        }
        self.decks: list[Part] = []
        self.decks_outside = 0
        squads = []
        for number, detachment in enumerate(detachments_of(document)):
            chart = number if detachment["detachment"] != OUTSIDE else NOWHERE
            for part in units_of(detachment):
                if id_of(part) == DECK:
                    self.decks += [part] * count_of(part)
                    self.decks_outside += chart == NOWHERE
                elif own_id(part) in shelf.units:
                    squads += [Squad(shelf, part, chart) for _ in range(count_of(part))]
        self.army = Army(shelf, self.faction, squads)
        self.squads = squads
        self.all = self.army.all
        self.plan: Document | None = document.get("plan")
        self.army.commander = self.commander

    # ---- who commands ----

    @cached_property
    def candidates(self) -> list[Squad]:
        """The army commander: characters of the chosen faction; guests command only armies of their own."""
        return [
            squad
            for squad in self.all
            if squad.type == "characters" and self.is_own(squad) and not self.is_guest(squad)
        ]

    def is_own(self, squad: Squad) -> bool:
        return self.faction in squad.homes()

    def is_guest(self, squad: Squad) -> bool:
        return (self.faction == "cybertronic" and squad.is_a("Mishiman")) or (
            self.faction == "imperial-ministries-of-war" and squad.is_a("Wolfbane")
        )

    @cached_property
    def best(self) -> list[Squad]:
        """The candidates with the highest LD."""
        highest = max((squad.leadership for squad in self.candidates), default=0)
        return [squad for squad in self.candidates if squad.leadership == highest]

    @cached_property
    def commander(self) -> Squad | None:
        """The candidate with the highest LD; of several, the declared one."""
        if len(self.best) == 1:
            return self.best[0]
        declared = [squad for squad in self.best if squad.leads]
        return declared[0] if len(declared) == 1 else None

    # ---- Doomtroopers ----

    def serves_as_doomtrooper(self, squad: Squad) -> bool:
        """Doomtrooper: the army's commander is none."""
        return squad.is_a("Doomtrooper") and squad is not self.commander

    # ---- the plan ----

    def by_ref(self, ref: str) -> Squad | None:
        return next((squad for squad in self.all if squad.ref == ref), None)

    def pairs(self, key: str) -> list[tuple[Squad, Squad]]:
        named = ((self.by_ref(one), self.by_ref(other)) for one, other in (self.plan or {}).get(key, {}).items())
        return [(one, other) for one, other in named if one is not None and other is not None]

    def answers(self, question: str) -> list[str]:
        return [slug(answer) for answer in (self.plan or {}).get("choices", {}).get(question, [])]

    def ways(self, squad: Squad) -> list[str]:
        return self.ways_of(squad.ref) if squad.ref else []

    def ways_of(self, ref: str) -> list[str]:
        return list((self.plan or {}).get("units", {}).get(ref, {}).get("deployment", []))

    @cached_property
    def refs(self) -> set[str]:
        decks = {deck.get("ref", "") for deck in self.decks if isinstance(deck, dict)}
        return {squad.ref for squad in self.all if squad.ref} | decks - {""}

    def attached(self, squad: Squad) -> list[Squad]:
        return [one for one in self.joined_to(squad) if one.type == "characters"]

    def joined_to(self, squad: Squad) -> list[Squad]:
        """Return everything that the plan attaches to a squad, valid or not."""
        return [one for one, other in self.pairs("joins") if other is squad and one is not squad]
