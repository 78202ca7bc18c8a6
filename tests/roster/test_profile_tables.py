"""Profiles as tables: columns, texts below a name, nothing repeated."""

import pytest

from catalogue.definitions.infos import Characteristic
from catalogue.services.texts import SAID_BEFORE
from roster.engine.report import EffectiveProfile
from roster.pdf.profile_tables import build_tables


def profile(name: str, **figures: str) -> EffectiveProfile:
    characteristics = tuple(
        Characteristic(type_id=column, name=column, value=value) for column, value in figures.items()
    )
    return EffectiveProfile(id=name, name=name, type_id="w", type_name="Weapons", characteristics=characteristics)


def test_a_word_is_said_once_in_a_row():
    (table,) = build_tables([profile("Glaive", Range="Melee", Type="Melee", S="4", AP="4")], ())
    assert [cell.text for cell in table.rows[0].cells] == ["Melee", SAID_BEFORE, "4", "4"]


@pytest.mark.parametrize("text", ["once", "-", "re-roll hits in the first round"])
def test_rules_stand_below_the_name_however_short(text):
    (table,) = build_tables([profile("Arrow", Range='120"', Type="Assault 1", S="12", Abilities=text)], ())
    assert [column.name for column in table.columns if column.figures] == ["Range", "Type", "S"]
