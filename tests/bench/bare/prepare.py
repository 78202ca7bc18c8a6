"""Make the bare project's database: `python -m tests.bench.bare.prepare`."""

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0)
    from django.contrib.auth import get_user_model

    get_user_model().objects.create_user("visitor")
