"""Tables of a datasheet: columns, and texts below a row."""

from catalogue.services.datasheet_tables import read_card_table
from catalogue.services.unit_card import CardProfileRow, CardProfileTable

SWEEP = "Each hit counts against two models."


def build_row(name: str, *values: str) -> CardProfileRow:
    return CardProfileRow(name=name, count="2", values=values, source="Long tools", citation={})


def test_rules_are_below_their_row_and_figures_stay_in_columns() -> None:
    rows = [build_row("Scythe", "2", SWEEP, "Melee"), build_row("Fork", "1", "-", "Melee")]
    table = read_card_table(CardProfileTable("Weapons", ("Reach", "Effect", "Type"), rows))
    assert table.columns == ("Reach", "Type")
    assert [row.figures for row in table.rows] == [
        (("Reach", "2"), ("Type", "Melee")),
        (("Reach", "1"), ("Type", "Melee")),
    ]
    assert [row.texts for row in table.rows] == [(("Effect", SWEEP),), ()]
    assert {(row.count, row.source) for row in table.rows} == {("2", "Long tools")}


def test_a_column_of_rules_is_below_however_short_it_is() -> None:
    table = read_card_table(CardProfileTable("Weapons", ("Reach", "Special"), [build_row("Fork", "1", "Blunt")]))
    assert table.columns == ("Reach",)
    assert table.rows[0].texts == (("Special", "Blunt"),)
