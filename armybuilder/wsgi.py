import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.production")

application = get_wsgi_application()

# Its library reads the environment as it is imported, and settings write there first.
from armybuilder.monitoring import forget_ended_processes  # noqa: E402 - as the comment above says

forget_ended_processes()

# A click in a large list makes some hundred thousand values, and nearly all of them go with it. As the collector is
# set by default, every fourth click would have it walk through all compiled games, which takes longer than the click.
gc.set_threshold(50_000, 20, 20)
gc.freeze()
