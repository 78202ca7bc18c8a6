from collections.abc import Callable

from django.http import HttpRequest


def give_turn_back(request: HttpRequest) -> None:
    """Release the request's turn to evaluate, if it has one (see `armybuilder.turns`)."""
    give_back: Callable[[], None] | None = getattr(request, "give_turn_back", None)
    if give_back:
        give_back()


def charge_processor_time(request: HttpRequest, seconds: float) -> None:
    """Charge the visitor for another thread's processor time (see `armybuilder.middleware`)."""
    charge: Callable[[float], None] | None = getattr(request, "charge", None)
    if charge:
        charge(seconds)
