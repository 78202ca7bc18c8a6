"""Notify other programs with signed messages to accounts' addresses, pausing after failures.

A message names its subject by id only, so it reveals nothing that its reader may not request from the API.
"""

import hmac
import json
import logging
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from functools import partial
from hashlib import sha256
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_tasks import task

from catalogue.models import PackVersion
from catalogue.services.downloads import FetchError, is_public, post, split_address
from roster.engine.edits import Refused
from roster.models.webhooks import ADDRESS_LENGTH, PAUSED, Topic, Webhook, WebhookDelivery

MOST_WEBHOOKS = 5
PAUSES = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
"""How long a failed message waits before each further try."""
MOST_FAILURES = 30
"""After so many failed tries in a row, a webhook gets no messages until a test succeeds."""
KEPT = timedelta(days=14)
CHOSEN = tuple(topic for topic in Topic if topic not in (Topic.LEAGUE, Topic.TEST))
"""What an account chooses from. A club chooses its own news."""

_log = logging.getLogger(__name__)


def create_webhook(user: User, address: str, topics: Collection[str]) -> Webhook | Refused:
    """Create a webhook.

    Refuses `bad-webhook-address`, `private-webhook-address`, `no-topic` and `too-many-webhooks`.
    """
    try:
        scheme, host, _port = split_address(address)
    except FetchError:
        return Refused(code="bad-webhook-address")
    is_secure = scheme == "https" or settings.ARMYBUILDER["ALLOW_PRIVATE_SOURCES"]
    # A message to this site could start the next one.
    is_here = host == urlsplit(settings.SITE_ADDRESS).hostname
    if len(address) > ADDRESS_LENGTH or not is_secure or is_here or urlsplit(address).username is not None:
        return Refused(code="bad-webhook-address")
    # Names are looked up anew for each message.
    if _is_private(host) and not settings.ARMYBUILDER["ALLOW_PRIVATE_SOURCES"]:
        return Refused(code="private-webhook-address")
    if not topics or any(topic not in (*CHOSEN, Topic.LEAGUE) for topic in topics):
        return Refused(code="no-topic")
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Webhook.objects.filter(user=user).count() >= MOST_WEBHOOKS:
            return Refused(code="too-many-webhooks", allowed=MOST_WEBHOOKS)
        return Webhook.objects.create(user=user, address=address, topics=sorted(set(topics)))


def _is_private(host: str) -> bool:
    try:
        return not is_public(ip_address(host))
    except ValueError:
        return False


def list_webhooks(user: User) -> QuerySet[Webhook]:
    return Webhook.objects.filter(user=user)


def compute_secret(webhook: Webhook, key: str | bytes | None = None) -> str:
    """Compute the secret that signs messages, so that rows need not store it. The default key is the newest one."""
    return salted_hmac("roster.webhooks", webhook.public_id, secret=key, algorithm="sha256").hexdigest()


def sign(secrets: Iterable[str], moment: int, body: str) -> str:
    """Sign a message sent at a moment with each secret.

    >>> sign(["secret"], 1, "{}")[:20]
    't=1,v1=1122767b19311'
    """
    signed = f"{moment}.{body}".encode()
    signatures = [f"v1={hmac.new(secret.encode(), signed, sha256).hexdigest()}" for secret in secrets]
    return ",".join([f"t={moment}", *signatures])


def announce(topic: Topic, data: Mapping[str, Any], users: Iterable[int] | QuerySet[Any, int] | None = None) -> None:
    """Message the webhooks of these accounts, or of all, once the transaction is stored."""
    webhooks = Webhook.objects.filter(failures__lt=MOST_FAILURES, user__is_active=True)
    if users is not None:
        webhooks = webhooks.filter(user__in=users)
    # SQLite cannot search inside JSON lists.
    for webhook in webhooks:
        if topic in webhook.topics:
            send_message(webhook, topic, data)


def send_message(webhook: Webhook, topic: Topic, data: Mapping[str, Any]) -> None:
    """Send a message once the transaction is stored."""
    delivery = _store_message(webhook, topic, data)
    transaction.on_commit(partial(deliver.enqueue, delivery.pk))


def announce_version(version: PackVersion) -> None:
    game = version.game
    if not game.is_private:
        announce(Topic.DATA, {"game": game.slug, "version": version.label, "hash": version.content_hash})


def send_test(webhook: Webhook) -> WebhookDelivery:
    delivery = _store_message(webhook, Topic.TEST, {})
    _try(delivery)
    return delivery


def _store_message(webhook: Webhook, topic: Topic, data: Mapping[str, Any]) -> WebhookDelivery:
    now = timezone.now()
    webhook.deliveries.filter(created__lt=now - KEPT).delete()
    body = json.dumps({"topic": topic.value, "time": now.isoformat(), **data}, ensure_ascii=False)
    return WebhookDelivery.objects.create(webhook=webhook, topic=topic, body=body, next_try=now)


def _try(delivery: WebhookDelivery) -> None:
    webhook, moment = delivery.webhook, int(time.time())
    # Its secret was shown once, and may come from a key that was replaced since.
    secrets = [compute_secret(webhook, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    headers = {
        "Content-Type": "application/json",
        "Webhook-Id": str(delivery.pk),
        "Webhook-Signature": sign(secrets, moment, delivery.body),
    }
    delivery.tries += 1
    delivery.status, delivery.trouble = 0, ""
    try:
        delivery.status = post(webhook.address, delivery.body.encode(), headers)
    except FetchError as error:
        _log.warning("Webhook %s got no message: %s", webhook.public_id, error)
        delivery.trouble = error.failure.value
    is_last = delivery.topic == Topic.TEST or delivery.tries > len(PAUSES)
    if 200 <= delivery.status < 300:
        delivery.next_try, delivery.delivered = None, timezone.now()
        working = Webhook.objects.filter(pk=webhook.pk)
        if delivery.topic != Topic.TEST:
            # Other messages may have paused it meanwhile.
            working = working.filter(failures__lt=MOST_FAILURES)
        working.update(failures=0)
    else:
        delivery.next_try = None if is_last else timezone.now() + PAUSES[delivery.tries - 1]
        Webhook.objects.filter(pk=webhook.pk).update(failures=F("failures") + 1)
    # The webhook and its messages may have been deleted while the server answered.
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        tries=delivery.tries,
        status=delivery.status,
        trouble=delivery.trouble,
        next_try=delivery.next_try,
        delivered=delivery.delivered,
    )


@task()
def deliver(delivery_id: int) -> None:
    """Send a message that is due, unless its webhook is paused or its account closed by now."""
    waiting = WebhookDelivery.objects.filter(pk=delivery_id, next_try__lte=timezone.now())
    delivery = waiting.select_related("webhook__user").first()
    if delivery is None:
        return
    if delivery.webhook.failures >= MOST_FAILURES or not delivery.webhook.user.is_active:
        waiting.update(next_try=None, trouble=PAUSED)
        return
    _try(delivery)
    if delivery.next_try and deliver.get_backend().supports_defer:
        deliver.using(run_after=delivery.next_try).enqueue(delivery_id)
