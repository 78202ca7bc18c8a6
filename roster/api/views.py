"""Read a stored list, or evaluate a list from the request."""

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import IO, Any, ClassVar

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api.pages import PAGED, answer_page
from catalogue.api.problems import FieldProblemSerializer, ProblemResponse, ProblemSerializer
from catalogue.models import PackVersion
from catalogue.services.edge import LISTS
from catalogue.services.install_packs import hash_of_files
from catalogue.services.public_answers import State, confirm_tag
from catalogue.services.published_games import select_games
from roster.api.authentication import TokenAuthentication
from roster.api.serializers import (
    AnswerSerializer,
    BookRuleSerializer,
    ListSerializer,
    PasteRequestSerializer,
    PasteSerializer,
    RosterSerializer,
    TextQuerySerializer,
    TextSerializer,
    UnreadableSerializer,
)
from roster.formats.list_document import MAX_BYTES, Media, Unreadable
from roster.formats.list_document.nodes import LIMITS as DOCUMENT_LIMITS
from roster.formats.text.foreign import TextLayout
from roster.formats.text.own import TextLength, TextStyle, split_for_chat
from roster.formats.text.parse import MAX_TEXT
from roster.models import Roster
from roster.models.tokens import AccessToken, TokenScope
from roster.services.evaluation import EvaluatedList, evaluate_roster, hash_document
from roster.services.exchange import LIMITS, ImportedList, ImportFailure, build_stored_document, read_list_file
from roster.services.ledger import read_ledger
from roster.services.owners import NOBODY, identify_visitor, may_use_data
from roster.services.pasted_lists import ReadPaste, read_pasted_text
from roster.services.programs import ProgramToken
from roster.services.rosters import find_identified_list, find_readable_roster, identify_list
from roster.services.sharing import is_redacted_for
from roster.services.texts import TextForm, write_judged_text
from roster.wording.api_payload import serialize_error, serialize_list, serialize_rule
from roster.wording.pasted import describe_verdict
from roster.wording.pasted_payload import serialize_paste

EXAMPLE = {
    "list": 1,
    "game": "reeds-and-rust",
    "faction": "marsh-compact",
    "limits": {"points": 120},
    "detachments": [{"detachment": "standard", "units": ["lock-warden"]}],
}


READING = {"GET": TokenScope.READ}
NO_INDEX = {"X-Robots-Tag": "noindex, nofollow"}
DOCUMENTS: dict[str, Any] = {
    "application/json": ListSerializer,
    "application/yaml": OpenApiTypes.STR,
    "application/xml": OpenApiTypes.STR,
    "application/zip": OpenApiTypes.BINARY,
}


class _DocumentParser(BaseParser):
    """Return the unparsed body as `document`, and its format as `media`."""

    media = Media.AUTO
    most = MAX_BYTES

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        return {"document": stream.read(self.most + 1), "media": self.media}


class JsonListParser(_DocumentParser):
    media_type = "application/json"
    media = Media.JSON


class YamlListParser(_DocumentParser):
    media_type = "application/yaml"
    media = Media.YAML


class OldYamlListParser(_DocumentParser):
    media_type = "application/x-yaml"
    media = Media.YAML


class TextYamlListParser(_DocumentParser):
    media_type = "text/yaml"
    media = Media.YAML


class _RosterFileParser(_DocumentParser):
    most = LIMITS.archive_bytes


class RosParser(_RosterFileParser):
    media_type = "application/xml"


class OldRosParser(_RosterFileParser):
    media_type = "text/xml"


class RoszParser(_RosterFileParser):
    media_type = "application/zip"


def identify_open_roster(request: HttpRequest, link_id: str) -> State | None:
    """Return the state of what every visitor may read of a list, or None."""
    try:
        identified = find_identified_list(link_id, NOBODY)
    except Roster.DoesNotExist:
        return None
    return None if identified.roster.is_secret else identified.state


def tag_open_roster(request: HttpRequest, state: State) -> str:
    """Return the ETag of an open list, or "" if readers with an account may get another answer."""
    if _wants_deeds(request):
        return ""
    # The value of the list's own key begins with its revision.
    revision = next(value[0] for key, value in state.items() if key.startswith(LISTS) and isinstance(value, tuple))
    return tag_state(request, revision, state)


def find_list(request: Request, link_id: str) -> Roster:
    """Return a list that the visitor may read. Raises NotFound."""
    try:
        return find_readable_roster(link_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise NotFound from None


def find_open_roster(request: Request, link_id: str) -> Roster:
    """Return a list that the visitor may read in full. Raises NotFound."""
    roster = find_list(request, link_id)
    if is_redacted_for(roster, identify_visitor(request)):
        raise NotFound
    return roster


def tag_list(request: Request, link_id: str) -> str:
    """Return the ETag of a list that the visitor may read in full. Raises NotFound.

    The list itself is found later, because most tags make it superfluous.
    """
    visitor = identify_visitor(request)
    try:
        roster, state = find_identified_list(link_id, visitor)
    except Roster.DoesNotExist:
        raise NotFound from None
    if is_redacted_for(roster, visitor):
        raise NotFound
    has_deeds = _wants_deeds(request) and may_use_data(visitor, roster.version)
    return tag_state(request, roster.head, (state, "deeds") if has_deeds else state)


def _wants_deeds(request: HttpRequest | Request) -> bool:
    return request.GET.get("deeds", "") in ("1", "true")


def find_roster_to_build(request: Request, link_id: str) -> Roster:
    """Return a list whose data the visitor may build with. Raises NotFound: answers would name units of a private game
    that are not in the list.
    """
    roster = find_open_roster(request, link_id)
    if not may_use_data(identify_visitor(request), roster.version):
        raise NotFound
    return roster


class VanishingView(APIView):
    """Answer 404 if a thing is not there, not for this reader, or deleted by another request meanwhile."""

    gone: ClassVar[tuple[type[ObjectDoesNotExist], ...]]

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(NotFound() if isinstance(exc, self.gone) else exc)


class RulesView(APIView):
    """The rules in a game's book: their text, whether they are implemented, and how they are read."""

    @extend_schema(
        operation_id="rules_list",
        summary="The rule ledger of a game",
        parameters=PAGED,
        responses={200: BookRuleSerializer(many=True), 400: FieldProblemSerializer},
    )
    def get(self, request: Request, game: str) -> Response:
        game_row = select_games().filter(slug=game).first()
        if game_row is None:
            raise NotFound(_("There is no game “%(game)s” here.") % {"game": game})
        ledger = read_ledger(game_row.shown_version)
        return answer_page(
            request,
            ledger.rules,
            lambda rules: [serialize_rule(rule, ledger.books) for rule in rules],
            lambda rule: rule.entry.id,
        )


class RosterView(APIView):
    """A stored list with its verdict, costs, violations and contents. Everyone with the address may read it."""

    scopes = READING

    @extend_schema(
        operation_id="roster_retrieve",
        summary="A list: its verdict, and all that is in it",
        parameters=[
            OpenApiParameter(
                "deeds", OpenApiTypes.BOOL, description="Whether to include the changes that would fix each violation."
            )
        ],
        responses={200: RosterSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> HttpResponseBase:
        tag = tag_list(request, link_id)
        # The state is known before anything is judged.
        unchanged = confirm_tag(request, tag)
        if unchanged is not None:
            return unchanged
        roster = find_open_roster(request, link_id)
        # Deeds name units that are not in the list.
        has_deeds = _wants_deeds(request) and may_use_data(identify_visitor(request), roster.version)
        return Response(describe_roster(roster, deeds=has_deeds), headers={"ETag": tag, **NO_INDEX})


def tag_revision(request: HttpRequest | Request, roster: Roster) -> str:
    """Return the ETag of a list: its revision, and a hash of all that its answer depends on."""
    return tag_state(request, roster.head, identify_list(roster))


def tag_state(request: HttpRequest | Request, revision: int, state: object) -> str:
    """Return the ETag of an answer that depends on a state, the code and the language."""
    whole = (_hash_code(), state, translation.get_language(), request.META.get("QUERY_STRING", ""))
    return f'W/"{revision}-{sha256(repr(whole).encode()).hexdigest()[:24]}"'


@cache
def _hash_code() -> str:
    """Return a hash of the code and its words: another release may judge or word the same list differently.

    All machines of a site must agree, no matter when each got its files.
    """
    folders = (settings.BASE_DIR / name for name in ("armybuilder", "catalogue", "roster"))
    return hash_of_files(settings.BASE_DIR, (file for folder in folders for file in folder.rglob("*.[mp][oy]"))).hex()


def describe_roster(roster: Roster, *, deeds: bool = False) -> dict[str, Any]:
    evaluated_list = evaluate_roster(roster, tree=deeds)
    return {
        "id": roster.link_id,
        "revision": roster.head,
        "hash": hash_document(roster.document),
        "updated": roster.updated,
        **_build_list_summary(evaluated_list, roster.version, roster.faction_id),
        **serialize_list(evaluated_list, deeds=deeds),
        "list": build_stored_document(roster, evaluated_list),
    }


def find_token_reader(request: Request) -> int | None:
    """Return the key of the account whose private games a token may read."""
    token = request.auth
    may_read = isinstance(token, AccessToken | ProgramToken) and TokenScope.READ in token.scopes
    return request.user.pk if may_read else None


class CheckView(APIView):
    """Judge a list document in JSON or YAML, or a roster file (.ros, .rosz). Nothing is stored."""

    # Nothing is stored or revealed, so there is no session and no CSRF protection, and any token will do.
    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    parser_classes = (
        JsonListParser,
        YamlListParser,
        OldYamlListParser,
        TextYamlListParser,
        RosParser,
        OldRosParser,
        RoszParser,
    )

    @extend_schema(
        operation_id="check",
        summary="Judge a list sent in the request",
        request=DOCUMENTS,
        responses={
            200: AnswerSerializer,
            400: OpenApiResponse(UnreadableSerializer, "The document cannot be read."),
            413: OpenApiResponse(UnreadableSerializer, "The document is too large, or judging it takes too long."),
            415: OpenApiResponse(ProblemSerializer, "The body is neither JSON nor YAML, XML or a zip archive."),
        },
        examples=[OpenApiExample("A list", EXAMPLE, request_only=True, media_type="application/json")],
        tags=["check"],
    )
    def post(self, request: Request) -> Response:
        sent = dict(request.data)  # empty for a request without a body
        checked = read_list_file(
            sent.get("document", b""),
            media=sent.get("media", Media.AUTO),
            has_account=request.auth is not None,
            reader=find_token_reader(request),
        )
        if not isinstance(checked, ImportedList):
            return refuse_unreadable(checked)
        faction_id = checked.faction.faction_id
        return Response(
            _build_list_summary(checked.evaluated_list, checked.version, faction_id)
            | serialize_list(checked.evaluated_list)
        )


class TextListParser(_DocumentParser):
    media_type = "text/plain"
    most = 4 * MAX_TEXT


class JsonTextParser(TextListParser):
    media_type = "application/json"
    media = Media.JSON
    most = 8 * MAX_TEXT


class PasteView(APIView):
    """Read a list pasted as text in any layout: each line, the sums, the verdict. Nothing is stored.

    The answer names other possible games, forces and meanings of names for each list. To settle them, send the text
    again as JSON with `choices`.
    """

    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    parser_classes = (TextListParser, JsonTextParser)

    @extend_schema(
        operation_id="read",
        summary="Read a pasted list, line by line",
        parameters=[
            OpenApiParameter("game", OpenApiTypes.STR, description="The game it is of, where that is known."),
            OpenApiParameter("faction", OpenApiTypes.STR, description="The address of its faction in that game."),
            OpenApiParameter("force", OpenApiTypes.STR, description="The id or name of its kind of force."),
        ],
        request={"text/plain": OpenApiTypes.STR, "application/json": PasteRequestSerializer},
        responses={
            200: OpenApiResponse(PasteSerializer(many=True), "One answer for each list in the text."),
            400: OpenApiResponse(UnreadableSerializer, "This is not text."),
            413: OpenApiResponse(UnreadableSerializer, "The text is longer than any paste of lists."),
            415: OpenApiResponse(ProblemSerializer, "The body is neither text/plain nor JSON."),
        },
        tags=["check"],
    )
    def post(self, request: Request) -> Response:
        sent = dict(request.data)  # empty for a request without a body
        data: bytes = sent.get("document", b"")
        if sent.get("media") is Media.JSON:
            read = _read_json_paste(data, has_account=request.auth is not None)
        else:
            game, faction, force = (request.query_params.get(key, "") for key in ("game", "faction", "force"))
            read = read_pasted_text(data, game=game, faction=faction, force=force, has_account=request.auth is not None)
        if isinstance(read, Unreadable):
            return refuse_unreadable(read)
        return Response([serialize_paste(one) for one in read])


def _read_json_paste(body: bytes, *, has_account: bool) -> list[ReadPaste] | Unreadable:
    try:
        sent = json.loads(body)
    except RecursionError:
        return Unreadable("too-deep", line=1, detail=str(DOCUMENT_LIMITS.depth))
    except UnicodeDecodeError:
        return Unreadable("not-utf-8", line=1)
    except json.JSONDecodeError as error:
        return Unreadable("bad-json", error.lineno, error.colno, detail=error.msg)
    except ValueError:
        return Unreadable("bad-json", line=1, detail="A number has too many digits")
    if not isinstance(sent, dict):
        return Unreadable("not-fields", line=1)
    serializer = PasteRequestSerializer(data=sent)
    if serializer.is_valid():
        return read_pasted_text(**serializer.validated_data, has_account=has_account)
    field = str(next(iter(serializer.errors)))
    return Unreadable("not-text" if field in sent else "missing-key", given=field)


class RosterTextView(APIView):
    """A stored list as text for chats and event forms. Everyone with the address may read it."""

    scopes = READING

    @extend_schema(
        operation_id="roster_text",
        summary="A list as text",
        parameters=[
            OpenApiParameter("layout", OpenApiTypes.STR, enum=[one.value for one in TextLayout]),
            OpenApiParameter("length", OpenApiTypes.STR, enum=[one.value for one in TextLength]),
            OpenApiParameter("style", OpenApiTypes.STR, enum=[one.value for one in TextStyle]),
        ],
        responses={200: TextSerializer, 400: FieldProblemSerializer, 404: ProblemSerializer},
        tags=["rosters"],
    )
    def get(self, request: Request, link_id: str) -> Response:
        query = TextQuerySerializer(data={name: text for name, text in request.query_params.items() if text})
        query.is_valid(raise_exception=True)
        roster = find_open_roster(request, link_id)
        evaluated_list = evaluate_roster(roster)
        # Readers must not take a list that is legal by its player's rules for a legal one.
        verdict = describe_verdict(evaluated_list) if evaluated_list.homebrew else ""
        form = TextForm(**query.validated_data)
        text = write_judged_text(evaluated_list, roster.version, roster.faction_id, form, verdict)
        answer = {"text": text, "characters": len(text), "messages": split_for_chat(text)}
        return Response(answer, headers=NO_INDEX)


def refuse_unreadable(unread: ImportFailure) -> ProblemResponse:
    """Answer why a list or text cannot be read, and how to mend it."""
    too_big = unread.code in ("too-big", "too-large", "too-many-detachments", "too-slow") and not unread.line
    complaint = serialize_error(unread)
    if too_big:
        return ProblemResponse(413, complaint["reason"], kind="too-large", **complaint)
    return ProblemResponse(400, complaint["reason"], kind="unreadable", **complaint)


def _build_list_summary(evaluated_list: EvaluatedList, version: PackVersion, faction_id: str) -> dict[str, Any]:
    return {
        "name": evaluated_list.tree.name,
        "game": version.game.slug,
        "version": version.label,
        "faction": faction_id,
        "rules": evaluated_list.overlay_name,
    }
