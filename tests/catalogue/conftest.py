import pytest

from catalogue.models import PackVersion
from catalogue.services.documents import forget
from catalogue.services.rulesets import forget_rulesets
from tests.catalogue.games import installed


@pytest.fixture
def tin_meadow(db: None) -> PackVersion:
    """The invented game, installed."""
    forget()
    forget_rulesets()
    return installed()
