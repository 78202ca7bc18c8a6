import pytest

from catalogue.models import PackVersion
from catalogue.services.books import forget_books
from catalogue.services.documents import forget
from tests.catalogue.games import installed


@pytest.fixture
def tin_meadow(db: None) -> PackVersion:
    """The invented game, installed."""
    forget()
    forget_books()
    return installed()
