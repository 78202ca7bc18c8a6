"""Cost limits that depend on other limits."""

from pathlib import Path

from tests.catalogue.pack_files import PACK, pond

ORDERS = "costs:\n- points\n- {cost: orders, limit by: {%s: {90: 6, 120: 8}}}"


def test_a_limit_goes_with_that_of_another_cost(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", PACK.replace("costs: [points]", ORDERS % "points"))
    assert reading.data is not None
    orders = next(cost for cost in reading.data.game_system.cost_types if cost.id == "orders")
    assert (orders.follows, orders.steps) == ("points", ((90, 6), (120, 8)))


def test_a_cost_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", PACK.replace("costs: [points]", ORDERS % "pints"))
    assert [found.code for found in reading.diagnostics] == ["unknown-name"]
