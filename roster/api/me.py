"""Return the account behind a token or session, for programs that sign people in here."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.gallery import require_user
from roster.models.tokens import AccessToken, TokenScope
from roster.services.accounts import get_player_name
from roster.services.programs import ProgramToken


class MeSerializer(serializers.Serializer[Any]):
    """The account that a request acts for."""

    id = serializers.CharField(help_text="It never changes for this account.")
    name = serializers.CharField(allow_blank=True, help_text="The player name; blank if the player has none.")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(TokenScope.values), help_text="What this request may do for the account."
    )


class MeView(APIView):
    """Your account. Any token may read it, even without a scope."""

    @extend_schema(
        operation_id="me", summary="The account of the token", responses={200: MeSerializer}, tags=["account"]
    )
    def get(self, request: Request) -> Response:
        user, token = require_user(request), request.auth
        scopes = token.scopes if isinstance(token, AccessToken | ProgramToken) else TokenScope.values
        return Response({"id": str(user.pk), "name": get_player_name(user), "scopes": list(scopes)})
