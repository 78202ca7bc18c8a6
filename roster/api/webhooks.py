"""Webhooks of an account: made, tested and deleted through the API, with a log of what was sent."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.gallery import require_user
from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemSerializer
from catalogue.api.serializers import NamedChoiceField
from roster.api.lists import answer_refusal
from roster.models.tokens import TokenScope
from roster.models.webhooks import ADDRESS_LENGTH, Topic, Webhook, WebhookDelivery
from roster.services.outcomes import Refused
from roster.services.webhooks import CHOSEN, MOST_FAILURES, compute_secret, create_webhook, list_webhooks, send_test
from roster.wording import explain_trouble

EVENTS: dict[str, TokenScope] = dict.fromkeys(("GET", "POST", "DELETE"), TokenScope.EVENTS)
NOT_FOUND = OpenApiResponse(ProblemSerializer, "You have no such webhook.")


class WebhookSerializer(serializers.Serializer[Any]):
    """An address that receives messages."""

    id = serializers.CharField(source="public_id", read_only=True)
    address = serializers.CharField(max_length=ADDRESS_LENGTH, help_text="Begins with https://.")
    topics = serializers.ListField(
        child=NamedChoiceField([topic.value for topic in CHOSEN]), min_length=1, max_length=len(CHOSEN)
    )
    is_paused = serializers.SerializerMethodField(help_text="True if it failed too often. A successful test ends this.")
    created = serializers.DateTimeField(read_only=True)

    def get_is_paused(self, webhook: Webhook) -> bool:
        return webhook.failures >= MOST_FAILURES


class NewWebhookSerializer(WebhookSerializer):
    secret = serializers.SerializerMethodField(help_text="Signs the messages. It is shown only now.")

    def get_secret(self, webhook: Webhook) -> str:
        return compute_secret(webhook)


class DeliverySerializer(serializers.Serializer[Any]):
    """A message to a webhook."""

    id = serializers.IntegerField(source="pk")
    topic = serializers.ChoiceField(Topic.choices)
    body = serializers.CharField()
    tries = serializers.IntegerField()
    status = serializers.IntegerField(help_text="Of the last answer; 0 for none.")
    trouble = serializers.SerializerMethodField(help_text="Why there was no answer.")
    next_try = serializers.DateTimeField(allow_null=True)
    delivered = serializers.DateTimeField(allow_null=True)
    created = serializers.DateTimeField()

    def get_trouble(self, delivery: WebhookDelivery) -> str:
        return explain_trouble(delivery.trouble)


def find_webhook(request: Request, public_id: str) -> Webhook:
    webhook = list_webhooks(require_user(request)).filter(public_id=public_id).first()
    if webhook is None:
        raise NotFound
    return webhook


class WebhooksView(APIView):
    """Your webhooks. A POST makes one."""

    scopes: ClassVar = EVENTS

    @extend_schema(
        operation_id="webhooks_list",
        summary="Your webhooks",
        parameters=PAGED,
        responses={200: WebhookSerializer(many=True), 400: FieldProblemSerializer},
        tags=["webhooks"],
    )
    def get(self, request: Request) -> Response:
        def serialize(page: list[Webhook]) -> list[Any]:
            return list(WebhookSerializer(page, many=True).data)

        return answer_page(request, list_webhooks(require_user(request)), serialize, lambda webhook: webhook.pk)

    @extend_schema(
        operation_id="webhook_create",
        summary="Make a webhook",
        request=WebhookSerializer,
        responses={
            201: NewWebhookSerializer,
            400: FieldProblemSerializer,
            409: OpenApiResponse(ProblemSerializer, "It cannot be made; `code` says why."),
        },
        tags=["webhooks"],
    )
    def post(self, request: Request) -> Response:
        user = require_user(request)
        serializer = WebhookSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        webhook = create_webhook(user, serializer.validated_data["address"], serializer.validated_data["topics"])
        if isinstance(webhook, Refused):
            return answer_refusal(webhook)
        return Response(NewWebhookSerializer(webhook).data, status=201)


class WebhookView(APIView):
    scopes: ClassVar = EVENTS

    @extend_schema(
        operation_id="webhook_delete",
        summary="Delete a webhook",
        responses={204: None, 404: NOT_FOUND},
        tags=["webhooks"],
    )
    def delete(self, request: Request, public_id: str) -> Response:
        find_webhook(request, public_id).delete()
        return Response(status=204)


class WebhookTestView(APIView):
    """Send a test message now. The answer says how that went."""

    scopes: ClassVar = EVENTS

    @extend_schema(
        operation_id="webhook_test",
        summary="Send a test message",
        request=None,
        responses={200: DeliverySerializer, 404: NOT_FOUND},
        tags=["webhooks"],
    )
    def post(self, request: Request, public_id: str) -> Response:
        return Response(DeliverySerializer(send_test(find_webhook(request, public_id))).data)


class DeliveriesView(APIView):
    """What was sent to one of your webhooks in the last two weeks, newest first."""

    scopes: ClassVar = EVENTS

    @extend_schema(
        operation_id="webhook_deliveries",
        summary="What was sent to a webhook",
        parameters=PAGED,
        responses={200: DeliverySerializer(many=True), 400: FieldProblemSerializer, 404: NOT_FOUND},
        tags=["webhooks"],
    )
    def get(self, request: Request, public_id: str) -> Response:
        def serialize(page: list[WebhookDelivery]) -> list[Any]:
            return list(DeliverySerializer(page, many=True).data)

        deliveries = find_webhook(request, public_id).deliveries.all()
        return answer_page(request, deliveries, serialize, lambda delivery: delivery.pk)
