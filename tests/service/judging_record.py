"""Record the maximum number of requests that a process judged at once; the innermost middleware in tests."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class JudgingRecordMiddleware:
    """Writes the maximum to a file of the process, next to the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.lock = threading.Lock()
        self.judging = self.most = 0

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            if getattr(request, "is_judging", False):
                with self.lock:
                    self.judging -= 1

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if hasattr(request, "give_turn_back"):
            request.is_judging = True
            with self.lock:
                self.judging += 1
                self.most = max(self.most, self.judging)
                (Path(settings.VAR_DIR) / f"judging-{os.getpid()}").write_text(str(self.most))
