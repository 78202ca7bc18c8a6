from datetime import timedelta

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone
from django.views.generic import RedirectView, TemplateView
from drf_spectacular.views import SpectacularSwaggerSplitView
from oauth2_provider.views import OAuthServerMetadataView

from armybuilder.api_schema import SchemaView
from armybuilder.documentation.views import search_manual, serve_manual_file, show_manual_page
from armybuilder.offline import serve_worker, show_offline_page
from catalogue.services.public_answers import identify_nothing, keep_public
from catalogue.views.decorators import allow
from roster.views import programs

# The admin requires the second factor, too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # allauth's documented way


def tell_security_contact(request: HttpRequest) -> HttpResponse:
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=180)
    lines = (f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {until.isoformat()}", "Preferred-Languages: en")
    return HttpResponse("".join(line + "\n" for line in lines), content_type="text/plain; charset=utf-8")


# The library looks addresses up by these names.
oauth = [
    path(
        ".well-known/oauth-authorization-server",
        programs.require_oauth(allow("GET")(OAuthServerMetadataView.as_view())),
        name="oauth-server-metadata",
    ),
    path("oauth/authorize/", programs.ask_for_access, name="authorize"),
    path("oauth/token/", programs.exchange_code, name="token"),
    path("oauth/revoke/", programs.revoke_token, name="revoke-token"),
]
urlpatterns = [
    path("", include((oauth, "oauth2_provider"))),
    path(".well-known/security.txt", tell_security_contact, name="security-contact"),
    path("robots.txt", TemplateView.as_view(template_name="robots.txt", content_type="text/plain")),
    path(
        "manifest.webmanifest",
        TemplateView.as_view(template_name="manifest.json", content_type="application/manifest+json"),
        name="manifest",
    ),
    path("worker.js", serve_worker, name="worker"),
    path("offline/", show_offline_page, name="offline"),
    path("credits/", TemplateView.as_view(template_name="credits.html"), name="credits"),
    path("docs/", show_manual_page, name="docs"),
    path("docs/search/", search_manual, name="docs-search"),
    path("docs/<path:name>/", show_manual_page, name="docs-page"),
    path("docs/<path:name>", serve_manual_file, name="docs-file"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/schema/", keep_public(identify_nothing, "Accept")(SchemaView.as_view()), name="api-schema"),
    path(
        "api/docs/",
        # OPTIONS is answered with 405.
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", template_name="api/docs.html", metadata_class=None),
        name="api-docs",
    ),
    path("api/", RedirectView.as_view(pattern_name="api-docs")),
    path("api/v1/", include("catalogue.api.urls")),
    path("api/v1/", include("roster.api.urls")),
    path("api/v1/", include("roster.events.api.urls")),
    path("api/v1/", include("roster.play.api.urls")),
    path("api/v1/", include("roster.club.api.urls")),
    # For programs that are older than the versions of the API.
    path("api/", include("catalogue.api.urls", namespace="catalogue-api-unversioned")),
    path("api/", include("roster.api.urls", namespace="roster-api-unversioned")),
    # First, because clicks in the builder are the most frequent requests.
    path("", include("roster.urls")),
    path("", include("roster.events.urls")),
    path("", include("roster.play.urls")),
    path("", include("roster.club.urls")),
    path("", include("catalogue.urls")),
]

handler400 = "armybuilder.errors.answer_bad_request"
handler403 = "armybuilder.errors.answer_permission_denied"
handler404 = "armybuilder.errors.answer_not_found"
handler500 = "armybuilder.errors.answer_server_error"
