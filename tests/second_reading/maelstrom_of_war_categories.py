"""The selection of Tactical Objective categories: step 10, and the briefings of the missions."""

from itertools import combinations

from tests.second_reading.maelstrom_of_war_army import Army

ALPHABET = ("alpha", "beta", "gamma")
LETTERED = ("territorial-control", "ambitious-surge", "subterfuge-and-interference", "never-surrender")
COMPLEX_FRONT, CHAOTIC = "complex-front", "chaotic-engagement"
CATEGORIES = (*("brought-low", "raid", "territory-seizure"), *("holding-the-line", "heroic-deeds", "eradication"))


def _choices(army: Army, *questions: str) -> list[str]:
    answered = army.plan.get("choices", {})
    chosen: list[str] = []
    for question in questions:
        answers = answered.get(question, [])
        chosen.extend([answers] if isinstance(answers, str) else answers)
    return chosen


def has_not_three_categories(army: Army) -> bool:
    """Exactly three categories are selected (missions 1 to 4 and 6)."""
    if army.plan.get("mission", "") in LETTERED:
        return len(_choices(army, *ALPHABET, "categories")) != 3
    if army.plan.get("mission", "") == COMPLEX_FRONT:
        return len(_choices(army, "categories")) != 3 or bool(_choices(army, *ALPHABET))
    return False


def has_a_category_twice(army: Army) -> bool:
    """No category is selected twice (Missions; New Intel swaps for an unselected one)."""
    if army.plan.get("mission", "") not in (*LETTERED, COMPLEX_FRONT):
        return False
    return any(one == other for one, other in combinations(_choices(army, *ALPHABET, "categories"), 2))


def has_an_unknown_category(army: Army) -> bool:
    """Only the six categories are selected (Tactical Objectives)."""
    return bool(set(_choices(army, *ALPHABET, "categories", "overriding")) - set(CATEGORIES))


def has_letters_without_one_category_each(army: Army) -> bool:
    """Alpha, Beta and Gamma have one category each (missions 1, 2, 4 and 6)."""
    if army.plan.get("mission", "") not in LETTERED:
        return False
    return any(len(_choices(army, letter)) != 1 for letter in ALPHABET) or bool(_choices(army, "categories"))


def has_categories_where_none_are_selected(army: Army) -> bool:
    """No categories are selected in Chaotic Engagement (5. Chaotic Engagement)."""
    return army.plan.get("mission", "") == CHAOTIC and bool(_choices(army, *ALPHABET, "categories"))


def notes_the_wrong_category(army: Army) -> bool:
    """In Complex Front, and only there, one of the player's categories is noted in secret (3. Complex Front)."""
    noted = _choices(army, "overriding")
    if army.plan.get("mission", "") != COMPLEX_FRONT:
        return bool(noted) and bool(army.plan.get("mission", ""))
    ours = _choices(army, "categories")
    # With fewer than three categories there is no choice yet. An unknown category breaks only its own rule.
    others = set(noted) & set(CATEGORIES) - set(ours)
    return len(noted) > 1 or bool(others) or (not noted and len(ours) == 3)
