"""Programs that sign people in here (OAuth2, django-oauth-toolkit). `base` imports it. See ADR 0094."""

from typing import Any

HOUR = 60 * 60
DAY = 24 * HOUR

PROGRAM_UNUSED_DAYS = 90
"""Days after which an unused program has to ask again."""

OAUTH2_PROVIDER: dict[str, Any] = {
    # Programs get tokens in exchange for codes and refresh tokens only.
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.WebApplicationServer",
    "SCOPES_BACKEND_CLASS": "roster.services.programs.ProgramScopes",
    "ACCESS_TOKEN_GENERATOR": "roster.services.programs.generate_access_secret",
    "REFRESH_TOKEN_GENERATOR": "roster.services.programs.generate_refresh_secret",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": HOUR,
    "REFRESH_TOKEN_EXPIRE_SECONDS": PROGRAM_UNUSED_DAYS * DAY,
    "PKCE_REQUIRED": True,
    "ROTATE_REFRESH_TOKEN": True,
    # If a refresh token is used twice, all tokens that follow from it are revoked.
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],
    # RFC 9700. Only hashes of tokens are stored.
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_MATCHING": True,
    "COMPLIANT_BCP_RFC9700_PKCE_REQUIRED": True,
    # What /.well-known/oauth-authorization-server says.
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["client_secret_basic", "client_secret_post", "none"],
}
# Programs on a user's own computer receive codes at http://127.0.0.1. Registering refuses http for all other hosts.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]
