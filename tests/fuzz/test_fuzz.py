"""A sample of the requests of `python -m tests.fuzz`, the same in every run of a seed."""

from random import Random

import pytest

from tests.extent import COMPLETE, SEED
from tests.fuzz.requests import draw_request, list_names
from tests.fuzz.run import run_requests
from tests.fuzz.world import World, build_world

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

REQUESTS = 3_000 if COMPLETE else 200


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    return build_world(large=COMPLETE)


def test_no_request_ends_in_an_error_of_ours(world: World) -> None:
    faults = {fault.place: fault for fault in run_requests(world, SEED, range(REQUESTS))}
    assert [f"{fault.request}\n{fault.trace}" for fault in faults.values()] == []


def test_requests_are_of_every_kind(world: World) -> None:
    drawn = [draw_request(Random(number), world) for number in range(1_000)]
    assert {request.who for request in drawn} == set(world.cookies)
    assert {"GET", "POST", "OPTIONS", "DELETE"} <= {request.method for request in drawn}
    assert sum(bool(world.forms[who]) for who in world.cookies) == len(world.cookies)
    assert {"revision", "do", "limit", "seed", "q"} <= set(list_names())
    assert drawn == [draw_request(Random(number), world) for number in range(1_000)]
