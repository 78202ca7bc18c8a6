"""Purge public answers from caches in front of the site when what they show changes: `docs/adr/0111`.

The state of an answer has surrogate keys. Whatever writes a row purges the keys that depend on its table, once the
transaction is stored.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save
from django.utils import timezone
from django_tasks import task

from catalogue.models.base import rows_updated

SECONDS_OF_DATA, SECONDS_OF_LISTS = 600, 60
"""How long caches keep an answer whose purge was lost. Short for lists, which their owners may make private."""
EVERYTHING = "pages"
"""The key of all answers. An upgrade purges it."""
CATALOGUE, LISTS, PLAYERS, HOUSE_RULES, STATISTICS = "catalogue", "list", "player", "rules", "statistics"
"""Kinds of keys. `make_key` adds the row, except for the catalogue and statistics."""
PRIORITY, HIDING_PRIORITY = 80, 100
"""Purges overtake other work, and a list that was hidden overtakes other purges."""
PAUSES = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=8))
"""How long a failed purge waits before each further try. Together longer than caches keep an answer."""
MOST_KEYS = 100
"""In one message, because caches limit the length of a header."""
PATIENCE = 5
"""Seconds that a cache may take to answer."""

logger = logging.getLogger(__name__)


def make_key(kind: str, row: object) -> str:
    return f"{kind}-{row}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A model that public answers show. Writing a row purges the key of its kind and `field`, or of the kind alone.

    Updates of the fields in `hiding`, and deletions, overtake others.
    """

    model: type[Model]
    kind: str
    field: str = ""
    hiding: frozenset[str] = frozenset()

    def connect(self) -> None:
        for signal, receiver in self._receivers:
            signal.connect(receiver, sender=self.model, weak=False, dispatch_uid=("purge", self))

    def disconnect(self) -> None:
        for signal, _receiver in self._receivers:
            signal.disconnect(sender=self.model, dispatch_uid=("purge", self))

    @property
    def _receivers(self) -> tuple[tuple[Any, Any], ...]:
        return (post_save, self._purge_saved), (post_delete, self._purge_deleted), (rows_updated, self._purge_updated)

    def _purge_saved(self, instance: Model, update_fields: Collection[str] | None = None, **about: Any) -> None:
        self._purge([getattr(instance, self.field, "")], bool(self.hiding.intersection(update_fields or ())))

    def _purge_deleted(self, instance: Model, **about: Any) -> None:
        self._purge([getattr(instance, self.field, "")], is_urgent=True)

    def _purge_updated(self, keys: Collection[Any], update_fields: Collection[str], **about: Any) -> None:
        rows = keys
        if self.field not in ("", "pk"):
            rows = list(self.model._default_manager.filter(pk__in=keys).values_list(self.field, flat=True))
        self._purge(rows, not self.hiding.isdisjoint(update_fields))

    def _purge(self, rows: Iterable[Any], is_urgent: bool) -> None:
        keys = [make_key(self.kind, row) for row in rows] if self.field else [self.kind]
        purge_after_commit(keys, HIDING_PRIORITY if is_urgent else PRIORITY)


shown_models: list[Shown] = []


def register_shown(shown: Shown) -> None:
    """Purge what a model's rows show, if this site has caches to purge."""
    shown_models.append(shown)
    if settings.EDGE_PURGE_URLS:
        shown.connect()


def purge_after_commit(keys: Sequence[str], priority: int) -> None:
    """Purge keys from all caches in the background, once the transaction is stored. Never fails what caused it."""

    def enqueue() -> None:
        for begin in range(0, len(keys), MOST_KEYS):
            _enqueue(keys[begin : begin + MOST_KEYS], priority)

    # Django logs a failure by the function's name, which a partial function lacks.
    transaction.on_commit(enqueue, robust=True)


def _enqueue(keys: Sequence[str], priority: int) -> None:
    for address in settings.EDGE_PURGE_URLS:
        prioritized = purge_cache.using(priority=priority)
        prioritized.enqueue(address, list(keys))
        if len(settings.DATABASES) > 1 and purge_cache.get_backend().supports_defer:
            # A node may meanwhile have answered from a replica that lags.
            later = timezone.now() + timedelta(seconds=settings.REPLICA_LAG_SECONDS)
            prioritized.using(run_after=later).enqueue(address, list(keys))


@task(priority=PRIORITY)
def purge_cache(address: str, keys: list[str], tries: int = 0) -> None:
    """Send a purge to one cache, and try again later if it fails."""
    # The settings may have changed since the last try.
    if address not in settings.EDGE_PURGE_URLS or send_purge(address, keys):
        return
    if tries < len(PAUSES) and purge_cache.get_backend().supports_defer:
        purge_cache.using(run_after=timezone.now() + PAUSES[tries]).enqueue(address, keys, tries + 1)


def send_purge(address: str, keys: Collection[str]) -> bool:
    """Return whether the cache accepted the purge."""
    name, _, value = settings.EDGE_PURGE_HEADER.partition(":")
    headers = {"Surrogate-Key": " ".join(keys)} | ({name: value.strip()} if value else {})
    try:
        with urlopen(Request(address, b"", headers, method="POST"), timeout=PATIENCE):  # noqa: S310 - http or https
            return True
    except (OSError, HTTPException) as error:
        # Without the address, which may contain a password.
        logger.warning("A cache was not purged of %s: %s", " ".join(keys), error)
        return False
