import gc
import os
import sys

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.production")

application = get_wsgi_application()

# After the settings: its library reads the environment on import.
from armybuilder.monitoring import forget_ended_processes  # noqa: E402 - as the comment above says

forget_ended_processes()

# Import all pages before workers fork: workers share the memory, and no first visitor waits.
get_resolver().url_patterns  # noqa: B018 - looked at so that it is there

# A click in a large list makes some hundred thousand values, nearly all freed without the collector. With default
# thresholds every fourth click would scan all compiled games, which takes longer than the click. Higher thresholds use
# more memory under attack: 421 MiB with (50_000, 20, 20), 357 MiB with these (see tests/service/test_attack.py).
gc.set_threshold(20_000, 5, 5)
gc.freeze()

# After each query a page's thread waits this long for a judging thread. With Python's 5 ms, that is most of its time.
sys.setswitchinterval(0.0005)
