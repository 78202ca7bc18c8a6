"""Sessions in the database, as Django's are, found by a query that is composed once."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from catalogue.services.prepared import PreparedQuery

_BY_KEY = PreparedQuery(Session.objects.all(), "session_key")


class SessionStore(db.SessionStore):
    """What `SESSION_ENGINE` asks for. Every page of a visitor begins with it."""

    def _get_session_from_db(self) -> Session | None:
        """Return the session with this key; None, and no key any more, where it has ended or never was."""
        try:
            session = _BY_KEY.get(session_key=self.session_key)
        except Session.DoesNotExist:
            session = None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None
            return None
        return session
