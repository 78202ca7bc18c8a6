import pytest

from catalogue.models import PackVersion
from catalogue.services.documents import forget_documents
from catalogue.services.rulesets import forget_rulesets
from tests.catalogue.games import installed


@pytest.fixture
def tin_meadow(db: None) -> PackVersion:
    forget_documents()
    forget_rulesets()
    return installed()
