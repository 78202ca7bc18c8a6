"""Check what the entries of Warzone squads require of an army, and compute the squads' costs."""

import re
from collections.abc import Iterator
from typing import Any

from tests.second_reading.printed_line import ANY, Entry, Line, Part, own_id, slug
from tests.second_reading.reading import count_of, parts_of
from tests.second_reading.warzone_entries import (
    BY_LEAVE,
    OPTIONS,
    SIZE,
    Choices,
    Sheet,
    Shelf,
    Squad,
    has_leave,
    sheet_of,
)


class Army:
    """The facts that entries depend on: faction, squads, commander."""

    def __init__(self, shelf: Shelf, faction: str, squads: list[Squad]) -> None:
        self.shelf = shelf
        self.faction = faction
        self.squads = squads
        self.all = [each for squad in squads for each in (squad, *squad.guests)]
        self.commander: Squad | None = None

    def count(self, word: str) -> int:
        """Count squads by id, name, type or keyword, or options by `unit/option`."""
        unit, _, option = word.partition("/")
        if option:
            having = [squad for squad in self.all if squad.id == slug(unit)]
            return sum(squad.of(option) or squad.leaves[squad.id] * (slug(option) == BY_LEAVE) for squad in having)
        meant = slug(word)
        if meant == "army-choice":
            return sum(squad.entry["type"] == meant for squad in self.all)
        if meant in self.shelf.units:
            return sum(squad.id == meant for squad in self.all)
        return sum(any(slug(keyword) == meant for keyword in squad.keywords()) for squad in self.all)

    def abilities(self, squad: Squad) -> list[str]:
        found: list[str] = []
        removed: set[str] = set()
        holders = [squad.entry, *(model for model, number in squad.models if number)]
        holders += [line.written for line, number in squad.options if number]
        for holder in holders:
            removed |= set(holder.get("removes", ()))
            for ability in holder.get("abilities", ()):
                if isinstance(ability, str):
                    found.append(ability)
                elif "when" not in ability or self.holds(ability["when"], squad):
                    found.append(ability["ability"])
        return [ability for ability in found if ability.split(" (")[0] not in removed]

    def has(self, squad: Squad, ability: str) -> bool:
        return any(slug(each.split(" (")[0]) == slug(ability) for each in self.abilities(squad))

    def holds(self, condition: Any, squad: Squad) -> bool:
        if isinstance(condition, list):
            return all(self.holds(each, squad) for each in condition)
        if isinstance(condition, dict):
            if "not" in condition:
                return not self.holds(condition["not"], squad)
            return any(self.holds(each, squad) for each in condition["any"])
        if found := re.fullmatch(r"not (\d+) (.+)", condition):
            return self.amount(found[2], squad) != int(found[1])
        if condition.startswith("no "):
            return not self.amount(condition.removeprefix("no "), squad)
        if found := re.fullmatch(r"(at least|at most|fewer than|more than|exactly) (\d+) (.+)", condition):
            number, bound = self.amount(found[3], squad), int(found[2])
            compared = {
                "at least": number >= bound,
                "at most": number <= bound,
                "fewer than": number < bound,
                "more than": number > bound,
                "exactly": number == bound,
            }
            return compared[found[1]]
        return self.amount(condition, squad) > 0

    def amount(self, word: str, squad: Squad) -> int:
        if word.isdigit():
            return int(word)
        if word == "models":
            return squad.size
        if word == "commanding":
            return int(squad is self.commander)
        if word.startswith("army of "):
            return int(self.faction == word.removeprefix("army of "))
        if word.endswith(" commands"):
            return int(self.commander is not None and self.commander.id == slug(word.removesuffix(" commands")))
        if word == "same unit in roster":
            return sum(other.id == squad.id for other in self.all)
        if word.endswith(" ability in roster"):
            ability = word.removesuffix(" ability in roster")
            return sum(self.has(other, ability) for other in self.all)
        if word.endswith(" in roster"):
            return self.count(word.removesuffix(" in roster"))
        return squad.of(word)

    def sum(self, words: str | int, squad: Squad) -> int:
        """Return the value of a printed sum: `1 + shields - troopers`, `3 x Headhunter`."""
        total = 0
        for sign, term in re.findall(r"(^|\+ | - )([^+]+?)(?= - | \+ |$)", str(words).replace(" + ", " + ")):
            times, _, word = term.strip().rpartition(" x ")
            number = int(times or 1) * self.amount(word, squad)
            total += -number if "-" in sign else number
        return total

    # ---- what is wrong with the options ----

    def faults(self, squad: Squad) -> set[str]:
        found = set(self._faults_on(squad, squad.part, squad.sheet, 1))
        if self.unmet(squad):
            found.add(OPTIONS)
        for limit in squad.entry.get("limits", ()):
            if self._over(limit, self.amount(limit["count"], squad), squad):
                found.add(OPTIONS)
        if self.amount("same unit in roster", squad) > squad.entry.get("limit", {}).get("roster", ANY):
            found.add(OPTIONS)
        return found

    def unmet(self, squad: Squad) -> bool:
        """Return whether the rest of the army rules a squad out."""
        return "only when" in squad.entry and not self.holds(squad.entry["only when"], squad)

    def _faults_on(self, squad: Squad, part: Part, sheet: Sheet, holders: int) -> Iterator[str]:
        here: list[tuple[Line, int]] = []
        for inner in parts_of(part):
            line = sheet.line_of(inner)
            if line is not None:
                here.append((line, count_of(inner)))
                inside = sheet_of(self.shelf, line.written, line.id)
                yield from self._faults_on(squad, inner, inside, holders * count_of(inner))
            elif not self._belongs(squad, part, inner):
                yield OPTIONS
        for line in sheet.lines:
            number = sum(each for other, each in here if other is line)
            yield from self._faults_of_line(squad, line, number)
        for choices in sheet.choices:
            lines = sheet.inside(choices)
            number = sum(each for other, each in here if other in lines)
            yield from self._faults_of_choices(squad, choices, number)

    def _belongs(self, squad: Squad, part: Part, inner: Part) -> bool:
        """Return whether an option without a printed line is in place: squads inside squads, and leave."""
        if part is not squad.part:
            return False
        if own_id(inner) == f"{squad.id}/{BY_LEAVE}":
            return has_leave(squad.entry) and count_of(inner) == 1
        return own_id(inner) in squad.shelf.units

    def _faults_of_line(self, squad: Squad, line: Line, number: int) -> Iterator[str]:
        least, most = line.bounds
        if not least <= number <= most:
            yield SIZE if line.is_model else OPTIONS
        if number and "only when" in line.written and not self.holds(line.written["only when"], squad):
            yield OPTIONS
        if "one per" in line.written:
            each, holder = _per(line.written["one per"])
            if number > squad.of(holder) // each:
                yield OPTIONS
        for limit in line.written.get("limits", ()):
            everywhere = limit.get("in") == "roster" and number
            if self._over(limit, self._everywhere(line) if everywhere else number, squad):
                yield OPTIONS

    def _everywhere(self, line: Line) -> int:
        return sum(squad.chosen[line.id] for squad in self.all)

    def _over(self, limit: Entry, number: int, squad: Squad) -> bool:
        if "when" in limit and not self.holds(limit["when"], squad):
            return False
        if "at most" in limit and number > self.sum(limit["at most"], squad):
            return True
        return "at least" in limit and number < limit["at least"]

    def _faults_of_choices(self, squad: Squad, choices: Choices, number: int) -> Iterator[str]:
        written = choices.written
        least, most = choices.bounds
        if not least <= number <= most:
            yield OPTIONS
        for limit in written.get("limits", ()):
            if self._over(limit, number, squad):
                yield OPTIONS
        if number and "only when" in written and not self.holds(written["only when"], squad):
            yield OPTIONS
        if number and any(squad.of(other) for other in written.get("not with", ())):
            yield OPTIONS

    # ---- what it costs ----

    def price(self, squad: Squad) -> int:
        """Points: the printed ones are those of the smallest squad; more models and options are added."""
        printed = self._points(squad, squad.entry)
        printed -= sum(
            Line("", model).bounds[0] * int(model.get("points", 0)) for model in squad.entry.get("models", ())
        )
        return printed + self._price_of(squad, squad.part, squad.sheet, 1) + sum(map(self.price, squad.guests))

    def _price_of(self, squad: Squad, part: Part, sheet: Sheet, times: int) -> int:
        points = 0
        for inner in parts_of(part):
            line = sheet.line_of(inner)
            if line is None:
                continue
            number = times * count_of(inner)
            points += number * self._points(squad, line.written)
            points += self._price_of(squad, inner, sheet_of(squad.shelf, line.written, line.id), number)
        return points

    def _points(self, squad: Squad, written: Entry) -> int:
        price = written.get("points", 0)
        for dearer in written.get("prices", ()):
            if self.holds(dearer["when"], squad):
                price = dearer["points"]
        amount, _, each = str(price).partition(" per ")
        if not each:
            return int(amount)
        return int(amount) * (squad.size if each == "model" else squad.of(each))


def _per(written: str) -> tuple[int, str]:
    """Return five and the name from `5 Elite Troopers`."""
    number, _, name = written.partition(" ")
    return (int(number), name) if number.isdigit() else (1, written)
