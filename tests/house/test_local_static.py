import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

ASKED = """
import django
django.setup()
from django.templatetags.static import static
from django.test import Client
address = static("css/base.css")
answer = Client(headers={"host": "localhost"}).get(address)
print(address, answer.status_code, "immutable" in answer["Cache-Control"])
"""


def test_static_files_are_served_before_any_are_collected_and_hashed_afterwards(tmp_path):
    environment = os.environ | {
        "ARMYBUILDER_VAR": str(tmp_path),
        "DEBUG": "",
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.local",
    }

    def said(*arguments: str) -> list[str]:
        run = subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True, text=True)
        return run.stdout.split()

    assert said("-c", ASKED) == ["/static/css/base.css", "200", "False"]
    collected = tmp_path / "static"
    (collected / "css").mkdir(parents=True)
    (collected / "css" / "base.0123456789ab.css").touch()
    paths = {"css/base.css": "css/base.0123456789ab.css"}
    (collected / "staticfiles.json").write_text(json.dumps({"version": "1.1", "paths": paths}))
    assert said("-c", ASKED) == ["/static/css/base.0123456789ab.css", "200", "True"]
