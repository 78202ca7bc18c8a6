import gc
import os
import sys

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.production")

application = get_wsgi_application()

# Its library reads the environment as it is imported, and settings write there first.
from armybuilder.monitoring import forget_ended_processes  # noqa: E402 - as the comment above says

forget_ended_processes()

# All pages are imported here, before workers fork: they share that memory, and none has its first visitor wait for it.
get_resolver().url_patterns  # noqa: B018 - looked at so that it is there

# A click in a large list makes some hundred thousand values, and nearly all of them go with it: an evaluation holds no
# circles. As the collector is set by default, every fourth click would have it walk through all compiled games, which
# takes longer than the click. Looked through less often, a worker that a stranger keeps busy holds more: 421 MiB with
# (50_000, 20, 20) after three attacks in a row, 357 MiB with these numbers (tests/service/test_attack.py).
gc.set_threshold(20_000, 5, 5)
gc.freeze()

# A thread that judges a list computes without pause, and the thread of a page waits this long for it whenever it comes
# back from the database. With Python's own 5 ms that is most of the time a page takes beside such a thread.
sys.setswitchinterval(0.0005)
